"""Kata 17, solved: what a benchmark, a trace and a schedule say about time."""

from collections.abc import Callable
from itertools import pairwise
from math import inf
from typing import Any

Call = tuple[str, int, int, int]
Kernel = tuple[str, int, int, int]


def benchmark(
    run: Callable[[], object], synchronize: Callable[[], None], clock: Callable[[], int], warmup: int, trials: int
) -> list[int]:
    """Wait before reading the clock the first time, and before reading it the second time."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    times = []
    for _ in range(trials):
        synchronize()
        start = clock()
        run()
        synchronize()
        times.append(clock() - start)
    return times


def event_benchmark(
    run: Callable[[], object], event: Callable[[], Any], synchronize: Callable[[], None], warmup: int, trials: int
) -> list[float]:
    """Record events in the queue, before and after each run; the host waits once, at the end."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    marks = [(event(), event()) for _ in range(trials)]
    for start, end in marks:
        start.record()
        run()
        end.record()
    synchronize()
    return [start.elapsed_time(end) / 1000 for start, end in marks]


def percentile(times: list[float], q: float) -> float:
    """Return what is at the place (n - 1) · q / 100; between two places, it is on the line."""
    if not times or not 0 <= q <= 100:
        raise ValueError(f"percentile {q} of {len(times)} times")
    ordered = sorted(times)
    place = (len(times) - 1) * q / 100
    below = ordered[int(place)]
    above = ordered[min(int(place) + 1, len(times) - 1)]
    return below + (place - int(place)) * (above - below)


def self_times(calls: list[Call]) -> dict[str, int]:
    """Add the time of each call to its name, and subtract it from the call directly around it."""
    times = dict.fromkeys((name for name, *_ in calls), 0)
    around: dict[int, list[Call]] = {thread: [] for _, thread, _, _ in calls}
    for call in sorted(calls, key=_outer_first):
        name, thread, start, end = call
        times[name] += end - start
        stack = around[thread]
        while stack and stack[-1][3] <= start:
            stack.pop()
        if stack:
            times[stack[-1][0]] -= end - start
        stack.append(call)
    return times


def total_times(calls: list[Call]) -> dict[str, int]:
    """Sum over the threads of each name the time in which a call of it was open."""
    times = dict.fromkeys((name for name, *_ in calls), 0)
    for name, thread in {(name, thread) for name, thread, _, _ in calls}:
        times[name] += _covered([call for call in calls if call[:2] == (name, thread)])
    return times


def busy_share(kernels: list[Kernel], start: int, end: int) -> float:
    """Cut the kernels to the window, and return the share that they cover."""
    if end <= start:
        raise ValueError(f"no time from {start} to {end}")
    inside = [(name, stream, max(first, start), min(last, end)) for name, stream, first, last in kernels]
    return _covered(inside) / (end - start)


def exposed_time(kernels: list[Kernel], name: str) -> int:
    """Return what all kernels cover, minus what the others cover."""
    return _covered(kernels) - _covered([kernel for kernel in kernels if kernel[0] != name])


def critical_path(tasks: dict[str, tuple[int, list[str]]]) -> tuple[int, list[str]]:
    """Put each task after the longest chain that ends with one it waits for."""
    longest: dict[str, tuple[int, list[str]]] = {}
    while len(longest) < len(tasks):
        ready = [name for name, (_, before) in tasks.items() if name not in longest and longest.keys() >= {*before}]
        if not ready:
            raise ValueError("a task waits for itself, or for what is no task")
        for name in ready:
            duration, before = tasks[name]
            time, chain = max((longest[other] for other in before), default=(0, []))
            longest[name] = time + duration, [*chain, name]
    return max(longest.values(), default=(0, []))


def run_mfu(steps: list[tuple[float, float]], skip: int, flops_per_step: float, peak_flops: float) -> float:
    """Divide the FLOPs of the steps that count by the time that they took, and by the peak."""
    if not 0 <= skip < len(steps) or peak_flops <= 0:
        raise ValueError(f"{len(steps)} steps but the first {skip}, at a peak of {peak_flops}")
    seconds = steps[-1][1] - steps[skip][0]
    return (len(steps) - skip) * flops_per_step / seconds / peak_flops


def speedup(times: dict[str, float], name: str, factor: float) -> float:
    """Apply Amdahl's law: the other parts take as long as before."""
    if name not in times or factor <= 0:
        raise ValueError(f"{name} {factor} times as fast")
    left = sum(time for part, time in times.items() if part != name) + times[name] / factor
    return sum(times.values()) / left if left else inf


def _check(warmup: int, trials: int) -> None:
    if trials < 1 or warmup < 0:
        raise ValueError(f"{trials} trials after {warmup} runs to warm up")


def _outer_first(call: Call) -> tuple[int, int]:
    """Return a key that sorts by start, with the longer call first; sorting keeps the order of equal ones."""
    return call[2], -call[3]


def _covered(spans: list[Call]) -> int:
    """Return how many ticks at least one span covers: between neighboring starts or ends, all ticks or none."""
    marks = sorted({mark for *_, start, end in spans for mark in (start, end)})
    return sum(after - mark for mark, after in pairwise(marks) if any(start <= mark < end for *_, start, end in spans))
