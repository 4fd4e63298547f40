"""Kata 11 by the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.running_average(0) == 0  # WRITE: each worked example
    assert kata.SGD(0) == 0  # WRITE: each worked example
    assert kata.RMSProp(0) == 0  # WRITE: each worked example
    assert kata.Adam(0) == 0  # WRITE: each worked example
    assert kata.AdamW(0) == 0  # WRITE: each worked example
    assert kata.decay_groups(0) == 0  # WRITE: each worked example
    assert kata.state_bytes(0) == 0  # WRITE: each worked example
    assert kata.orthogonalize(0) == 0  # WRITE: each worked example
