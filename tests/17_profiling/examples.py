"""Kata 17 by the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.benchmark(0) == 0  # WRITE: each worked example
    assert kata.event_benchmark(0) == 0  # WRITE: each worked example
    assert kata.percentile(0) == 0  # WRITE: each worked example
    assert kata.self_times(0) == 0  # WRITE: each worked example
    assert kata.total_times(0) == 0  # WRITE: each worked example
    assert kata.busy_share(0) == 0  # WRITE: each worked example
    assert kata.exposed_time(0) == 0  # WRITE: each worked example
    assert kata.critical_path(0) == 0  # WRITE: each worked example
    assert kata.run_mfu(0) == 0  # WRITE: each worked example
    assert kata.speedup(0) == 0  # WRITE: each worked example
