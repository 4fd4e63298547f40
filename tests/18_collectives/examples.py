"""Kata 18 by the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.ring_seconds(0) == 0  # WRITE: each worked example
    assert kata.stuck_ranks(0) == 0  # WRITE: each worked example
    assert kata.broadcast(0) == 0  # WRITE: each worked example
    assert kata.reduce_scatter(0) == 0  # WRITE: each worked example
    assert kata.all_gather(0) == 0  # WRITE: each worked example
    assert kata.all_reduce(0) == 0  # WRITE: each worked example
    assert kata.gradient_buckets(0) == 0  # WRITE: each worked example
    assert kata.start_alike(0) == 0  # WRITE: each worked example
    assert kata.average_gradients(0) == 0  # WRITE: each worked example
