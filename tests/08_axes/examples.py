"""Kata 08 by the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.axis_sizes(0) == 0  # WRITE: each worked example
    assert kata.rearrange_shape(0) == 0  # WRITE: each worked example
    assert kata.rearrange(0) == 0  # WRITE: each worked example
    assert kata.reduce(0) == 0  # WRITE: each worked example
    assert kata.repeat(0) == 0  # WRITE: each worked example
    assert kata.einsum(0) == 0  # WRITE: each worked example
    assert kata.per_head(0) == 0  # WRITE: each worked example
    assert kata.patchify(0) == 0  # WRITE: each worked example
    assert kata.grouped_attention(0) == 0  # WRITE: each worked example
