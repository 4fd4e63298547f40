"""What hypothesis draws for kata 05 of memory: deep models, and how they are trained."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import huge_sizes, integers, pick, sizes


@classes(
    {
        "the last layer alone": lambda case: case[1] == 0,
        "one layer before the last": lambda case: case[1] == 1,
        "several layers before the last": lambda case: case[1] > 1,
        "no rows": lambda case: case[2] == 0,
        "one row": lambda case: case[2] == 1,
        "a width of 1": lambda case: case[0] == 1,
        "beyond what a float holds exactly": lambda case: 12 * case[0] ** 2 * case[1] > 2**53,
        "bytes beyond 64 bits": lambda case: 12 * case[0] ** 2 * case[1] > 2**64,
        "parameters beyond 63 bits": lambda case: case[0] ** 2 * case[1] > 2**63,
        "activations beyond 63 bits": lambda case: case[0] * case[1] * case[2] > 2**63,
    }
)
@st.composite
def deep_models(draw: DrawFn) -> tuple[int, int, int]:
    """(dim, num_layers, batch_size), small or huge; the width is at least 1.

    If they are huge, all that training keeps exceeds 64 bits, and with 16 layers the parameters alone do. The bytes of
    each tensor do not: torch could not measure it.
    """
    huge: bool = draw(st.booleans())
    if huge:
        size = functools.partial(huge_sizes, 2**29 + 2**28, 2**30 - 1)
        num_layers = draw(integers(2, 3, 0))
        return draw(size(simplest=3)), pick(draw, (num_layers, num_layers, num_layers, 16)), draw(size(simplest=5))
    return draw(integers(3, 6)), draw(sizes(3)), pick(draw, (draw(sizes(simplest=5)), 0, 1, 2, 3))


@classes(
    {
        "the usual bytes": lambda settings: settings[:1] in ((), (4,)),
        "other bytes": lambda settings: settings[:1] not in ((), (4,)),
        "one byte": lambda settings: settings[:1] == (1,),
        "the usual states": lambda settings: len(settings) < 2,
        "no state": lambda settings: settings[1:] == (0,),
        "several states": lambda settings: settings[1:] > (1,),
    }
)
@st.composite
def training_settings(draw: DrawFn) -> tuple[int, ...]:
    """Bytes for each value, and states for each parameter, by place; the last ones may be left out."""
    settings = pick(draw, (4, 2, 8, 1)), draw(integers(2, 3, 0))
    return settings[: pick(draw, (0, 1, 2, 2))]
