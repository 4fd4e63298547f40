"""What searches for bytes that the grader cannot deal with have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

Draw = Callable[..., Any]


def fuzzing(examples: int) -> settings:
    """Settings of a search: independent of the profiles, which are for properties of katas."""
    return settings(
        max_examples=examples,
        database=None,  # what fails becomes a test of its own
        deadline=None,
        derandomize=False,
        backend="hypothesis",
        phases=(Phase.generate, Phase.shrink),
        # The machine may be busy; and a fixture sets the same constant, or gives the same folder, for every example.
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )


def damaged(draw: Draw, data: bytes) -> bytes:
    """Bytes of which some are flipped, missing, or more than there were."""
    made = bytearray(data)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, max(0, len(made) - 1)))
        match draw(st.sampled_from(["flip", "cut", "remove", "insert", "lengthen"])):
            case "flip" if made:
                made[place] ^= 1 << draw(st.integers(0, 7))
            case "cut":
                del made[place:]
            case "remove":
                del made[place : place + draw(st.integers(1, 9))]
            case "insert":
                made[place:place] = draw(st.binary(min_size=1, max_size=9))
            case "lengthen":
                made += draw(st.binary(min_size=1, max_size=200))
    return bytes(made)
