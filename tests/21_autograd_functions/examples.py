"""Kata 21 by the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.relu(0) == 0  # WRITE: each worked example
    assert kata.relu_(0) == 0  # WRITE: each worked example
    assert kata.round_ste(0) == 0  # WRITE: each worked example
    assert kata.linear(0) == 0  # WRITE: each worked example
    assert kata.swiglu(0) == 0  # WRITE: each worked example
    assert kata.rms_norm(0) == 0  # WRITE: each worked example
    assert kata.cross_entropy(0) == 0  # WRITE: each worked example
    assert kata.linear_cross_entropy(0) == 0  # WRITE: each worked example
    assert kata.define_swiglu(0) == 0  # WRITE: each worked example
