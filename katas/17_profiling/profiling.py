"""Kata 17: how long it really took, and what everything was waiting for. The lesson is in README.md beside this file.

Solve this kata in plain Python, without torch, numpy, statistics and time. No answer needs a real clock: a clock, a
device or a trace is given, and is the same for everybody. Leave the arguments as they are, also where you raise an
error: sort no list in place, put nothing into a dict, and take nothing out of one. What was returned also stays as it
is when a function is called again. Differences of ints are exact. A float may be off by rounding, by 1e-12 of itself
unless stated otherwise. Where a float is promised, an int of that value will do.
"""

from collections.abc import Callable
from typing import Protocol

Call = tuple[str, int, int, int]
"""(name, thread, start, end): a call of a function. Times are in ticks, 0 <= start <= end. It is open in [start, end):
at the tick `start`, and no longer at the tick `end`."""

Kernel = tuple[str, int, int, int]
"""(name, stream, start, end): a kernel that ran, likewise in [start, end)."""


class Event(Protocol):
    """A mark in the device's queue, like torch.cuda.Event(enable_timing=True); it is given."""

    def record(self) -> None:
        """Put the event after all work that the device has been given so far; a second call replaces the first."""

    def synchronize(self) -> None:
        """Make the host wait until the device has reached the event."""

    def elapsed_time(self, end: "Event") -> float:
        """Return the milliseconds from this event to `end`.

        Raises RuntimeError if one of them was never recorded, or if the host has not waited for it.
        """


def benchmark(
    run: Callable[[], object],
    synchronize: Callable[[], None],
    clock: Callable[[], int],
    warmup: int,
    trials: int,
) -> list[int]:
    """Return how long each trial took in the clock's units, in order: from the call of run to the end of its work.

    run() gives the device some work and returns before it is done. synchronize() returns when the device has done all
    the work that it was given. clock() returns the time. First call run() `warmup` times, untimed, and then once for
    each trial: warmup + trials times in all, no more. The device may already be busy when benchmark is called, even
    with warmup 0. None of that work, and none of the warm-up's, is part of a trial. clock and synchronize may be called
    any number of times. Another call with the same run warms it up again.

    a launch takes 3 ticks, the work of four runs 50, 10, 12 and 11:  warmup 1, trials 3  ->  [13, 15, 14]

    Raises ValueError for trials < 1 or warmup < 0.
    """
    raise NotImplementedError("benchmark")


def event_benchmark(
    run: Callable[[], object],
    event: Callable[[], Event],
    synchronize: Callable[[], None],
    warmup: int,
    trials: int,
) -> list[float]:
    """Return how long the work of each trial took, in seconds: by events, and without a clock.

    event() makes a new Event. Any number of them may be made, recorded, waited for and recorded again. Everything else
    is as in benchmark, except that launching takes no time: you may call synchronize or event.synchronize anywhere.

    the work of four runs takes 50, 10, 12 and 11 ms:  warmup 1, trials 3  ->  [0.010, 0.012, 0.011]

    Raises ValueError for trials < 1 or warmup < 0. Seconds are compared within 1e-9 of themselves.
    """
    raise NotImplementedError("event_benchmark")


def percentile(times: list[float], q: float) -> float:
    """Return the q-th percentile of the times: a share of q / 100 of the way from the smallest to the largest.

    The sorted times are at the places 0 to n - 1, evenly spaced. The percentile is what is at the place
    (n - 1) · q / 100; between two places it is on the straight line between the two times. Times may be ints, in any
    order.

    percentile([9.0, 1.0, 4.0, 2.0], 50)    ->  3.0, halfway between 2.0 and 4.0
    percentile([9.0, 1.0, 4.0, 2.0], 90)    ->  7.5, at the place 2.7: 4.0 + 0.7 · 5.0

    Raises ValueError if there are no times, and for q below 0 or above 100. The result is compared within 1e-12 of the
    largest time.
    """
    raise NotImplementedError("percentile")


def self_times(calls: list[Call]) -> dict[str, int]:
    """Return, for each name, the time in which its calls were open and no call inside them was, summed over its calls.

    Calls of one thread are inside each other or apart, and never cross; calls of another thread are never inside. A
    call that ends when another one starts is not around it. Of two calls with the same start and end, the one later in
    the list is inside. Apart from that, the list may have any order. Each name that occurs is a key, even if its time
    is 0; no calls give {}. A name inside itself adds up the times of both its calls, and so does a name in two threads.

    [("step", 0, 0, 10), ("forward", 0, 1, 4), ("gelu", 0, 2, 3), ("step", 1, 0, 5)]
                                            ->  {"step": 12, "forward": 2, "gelu": 1}
    """
    raise NotImplementedError("self_times")


def total_times(calls: list[Call]) -> dict[str, int]:
    """Return, for each name, the time in which a call of it was open, whatever was open inside.

    In one thread each tick counts once: for a name inside itself, at any depth, only the outer call counts. Two threads
    count twice, even at the same time. The calls and the keys are as in self_times.

    those calls                             ->  {"step": 15, "forward": 3, "gelu": 1}
    [("f", 0, 0, 10), ("g", 0, 2, 9), ("f", 0, 3, 5)]    ->  {"f": 10, "g": 7}
    """
    raise NotImplementedError("total_times")


def busy_share(kernels: list[Kernel], start: int, end: int) -> float:
    """Return the share of [start, end) in which at least one kernel ran, on any stream.

    Kernels may overlap, on different streams and on the same one. They may begin before the window, end after it, or be
    outside it: only what is inside counts. Without kernels the share is 0.0. The list may have any order.

    [("mm", 0, 2, 6), ("copy", 1, 5, 8), ("mm", 0, 19, 30)], 0, 20      ->  7 of 20 ticks: 0.35

    Raises ValueError for end <= start.
    """
    raise NotImplementedError("busy_share")


def exposed_time(kernels: list[Kernel], name: str) -> int:
    """Return the time in which kernels of that name ran and none of any other name did, on any stream.

    This is what a step would save without them, if nothing else changed. Two kernels of that name at the same time
    count once. The kernels are as in busy_share, but without a window. For a name that does not occur, the result is 0.

    [("all_reduce", 1, 3, 9), ("backward", 0, 0, 7), ("update", 0, 12, 15)], "all_reduce"    ->  2
    """
    raise NotImplementedError("exposed_time")


def critical_path(tasks: dict[str, tuple[int, list[str]]]) -> tuple[int, list[str]]:
    """Return the least time to do all tasks with any number of workers, and one chain of tasks that takes that long.

    tasks: name -> (duration, names of the tasks that must be done before it). Durations are 0 or more. The first task
    of the chain waits for nothing, each other one waits for the one before it, and their durations add up to the time.
    If several chains do so, any of them is right; if all durations are 0, the empty one is too. Names come in any
    order, not necessarily one in which the tasks can be done. A list names no task twice. No tasks give (0, []).

    {"load": (4, []), "forward": (5, ["load"]), "log": (2, ["load"]), "backward": (9, ["forward"])}
                                            ->  (18, ["load", "forward", "backward"])

    Raises ValueError if a task waits for itself, directly or through others, and for a name that is not a task.
    """
    raise NotImplementedError("critical_path")


def run_mfu(steps: list[tuple[float, float]], skip: int, flops_per_step: float, peak_flops: float) -> float:
    """Return the model FLOPs utilization: the FLOP/s of all steps but the first `skip`, as a share of the peak.

    steps: (start, end) of each step in seconds, one after another. What is between two steps also counts: the time is
    that from the start of the first step that counts to the end of the last one.

    [(0.0, 9.0), (10.0, 12.0), (13.0, 15.0)], skip 1, 1e12 FLOPs, peak 2e12      ->  2e12 / 5.0 / 2e12 = 0.2

    Raises ValueError if no step is left, for skip < 0, and for a peak of 0 or less.
    """
    raise NotImplementedError("run_mfu")


def speedup(times: dict[str, float], name: str, factor: float) -> float:
    """Return how much faster the whole becomes if the named part becomes `factor` times as fast: old time / new time.

    times: the time of each part, above 0; the whole is their sum. factor may be inf, and then the part takes no time;
    below 1 the part becomes slower. If no time is left, the result is inf.

    speedup({"attention": 40.0, "mlp": 60.0}, "attention", 2.0)         ->  100 / 80 = 1.25

    Raises ValueError for a name that is not a part, and for a factor of 0 or less.
    """
    raise NotImplementedError("speedup")
