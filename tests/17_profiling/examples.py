"""Kata 17 by the worked examples of its stub and its lesson."""

import math
from typing import Any

from dojo.judging.expect import expect_error

from .scenarios import timed

NESTED = [("step", 0, 0, 10), ("forward", 0, 1, 4), ("gelu", 0, 2, 3), ("step", 1, 0, 5)]
RECURSIVE = [("f", 0, 0, 10), ("g", 0, 2, 9), ("f", 0, 3, 5)]
KERNELS = [("mm", 0, 2, 6), ("copy", 1, 5, 8), ("mm", 0, 19, 30)]
STEP = [("all_reduce", 1, 3, 9), ("backward", 0, 0, 7), ("update", 0, 12, 15)]
TASKS = {"load": (4, []), "forward": (5, ["load"]), "log": (2, ["load"]), "backward": (9, ["forward"])}


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    # a launch of 3 ticks, and work of 10, 12 and 11
    assert kata.run(timed, "benchmark", [50, 10, 12, 11], 3, 0, 1, 3)["times"] == [13, 15, 14]
    assert kata.run(timed, "benchmark", [100, 100], 5, 0, 1, 1)["times"] == [105]
    seconds = kata.run(timed, "event_benchmark", [50, 10, 12, 11], 0, 0, 1, 3)["times"]
    assert all(math.isclose(got, want) for got, want in zip(seconds, [0.010, 0.012, 0.011], strict=True))
    for function in ("benchmark", "event_benchmark"):
        expect_error(ValueError, kata.run, timed, function, [50], 0, 0, 1, 0, because="the example says so")
    assert abs(kata.percentile([9.0, 1.0, 4.0, 2.0], 50) - 3.0) < 1e-12
    assert abs(kata.percentile([9.0, 1.0, 4.0, 2.0], 90) - 7.5) < 1e-11
    expect_error(ValueError, kata.percentile, [], 50, because="the example says so")
    assert kata.self_times(NESTED) == {"step": 12, "forward": 2, "gelu": 1}
    assert kata.total_times(NESTED) == {"step": 15, "forward": 3, "gelu": 1}
    assert kata.total_times(RECURSIVE) == {"f": 10, "g": 7}
    # 2 to 8, and 19
    assert abs(kata.busy_share(KERNELS, 0, 20) - 0.35) < 1e-12
    expect_error(ValueError, kata.busy_share, KERNELS, 20, 20, because="the example says so")
    assert kata.exposed_time(STEP, "all_reduce") == 2
    assert kata.critical_path(TASKS) == (18, ["load", "forward", "backward"])
    expect_error(ValueError, kata.critical_path, {"a": (1, ["a"])}, because="the example says so")
    assert abs(kata.run_mfu([(0.0, 9.0), (10.0, 12.0), (13.0, 15.0)], 1, 1e12, 2e12) - 0.2) < 1e-12
    expect_error(ValueError, kata.run_mfu, [(0.0, 9.0)], 1, 1e12, 2e12, because="the example says so")
    assert abs(kata.speedup({"attention": 40.0, "mlp": 60.0}, "attention", 2.0) - 1.25) < 1e-12
    assert abs(kata.speedup({"attention": 40.0, "mlp": 60.0}, "attention", math.inf) - 100 / 60) < 1e-12
    expect_error(ValueError, kata.speedup, {"mlp": 60.0}, "attention", 2.0, because="the example says so")
