"""Right answers to kata 17 about benchmarks."""

from contextlib import contextmanager
from itertools import pairwise, repeat
from typing import Any

from dojo.judging.diagnose import answers


def _refuse(warmup, trials):
    if min(warmup + 1, trials) < 1:
        raise ValueError("nothing to measure")


class _Stopwatch:
    """Waits when it is started and when it is stopped."""

    def __init__(self, synchronize, clock):
        self.synchronize, self.clock, self.laps = synchronize, clock, []

    @contextmanager
    def lap(self):
        self.synchronize()
        start = self.clock()
        yield
        self.synchronize()
        self.laps.append(self.clock() - start)


# benchmark


@answers("benchmark")
def by_a_stopwatch(run, synchronize, clock, warmup, trials):
    _refuse(warmup, trials)
    watch = _Stopwatch(synchronize, clock)
    for _ in range(warmup + trials):
        with watch.lap():
            run()
    return watch.laps[-trials:]


@answers("benchmark")
def by_differences_of_one_list(run, synchronize, clock, warmup, trials):
    _refuse(warmup, trials)
    for _ in repeat(None, warmup):
        run()
    synchronize()
    stamps = [clock()]
    while len(stamps) <= trials:
        run()
        synchronize()
        stamps.append(clock())
    return [after - before for before, after in pairwise(stamps)]


@answers("benchmark")
def by_recursion(run, synchronize, clock, warmup, trials):
    if trials < 1:
        raise ValueError(trials)
    if warmup < 0:
        raise ValueError(warmup)
    if warmup:
        run()
        return by_recursion(run, synchronize, clock, warmup - 1, trials)
    synchronize(), synchronize()
    first = -clock() + (run(), synchronize(), clock())[-1]
    return [first] + (by_recursion(run, synchronize, clock, 0, trials - 1) if trials > 1 else [])


@answers("benchmark")
def by_a_generator(run, synchronize, clock, warmup, trials):
    class TooFew(ValueError):
        pass

    def laps():
        for number in range(warmup + trials):
            synchronize()
            begin = clock()
            run()
            synchronize()
            end = clock()
            if number >= warmup:
                yield int(end - begin)

    if trials <= 0 or warmup <= -1:
        raise TooFew
    return [*laps()]


# event_benchmark


@answers("event_benchmark")
def by_neighbouring_events(run, event, synchronize, warmup, trials):
    _refuse(warmup, trials)
    for _ in range(warmup):
        run()
    marks = [event() for _ in range(trials + 1)]
    for mark in marks[:-1]:
        mark.record()
        run()
    marks[-1].record()
    marks[-1].synchronize()
    return [one.elapsed_time(next_one) * 1e-3 for one, next_one in pairwise(marks)]


@answers("event_benchmark")
def by_two_events_again_and_again(run, event, synchronize, warmup, trials):
    _refuse(warmup, trials)
    seconds: Any
    start, end, seconds = event(), event(), []
    for _ in range(warmup):
        run()
        synchronize()
    while len(seconds) < trials:
        synchronize()
        start.record()
        run()
        end.record()
        end.synchronize()
        seconds += [start.elapsed_time(end) / 1e3]
    return seconds


@answers("event_benchmark")
def by_events_of_all_runs(run, event, synchronize, warmup, trials):
    _refuse(warmup, trials)

    def marked():
        before, behind = event(), event()
        before.record()
        run()
        behind.record()
        return before, behind

    every = list(map(lambda _: marked(), range(warmup + trials)))
    synchronize()
    return [before.elapsed_time(behind) / 10 / 100 for before, behind in every][warmup:]


@answers("event_benchmark")
def by_differences_from_the_first(run, event, synchronize, warmup, trials):
    if trials < 1 or warmup < 0:
        raise ValueError
    [run() for _ in range(warmup)]
    zero = event()
    zero.record()
    marks = []
    for _ in range(trials):
        run()
        marks.append(event())
        marks[-1].record()
    synchronize()
    since = [0.0, *(zero.elapsed_time(mark) for mark in marks)]
    return [(b - a) / 1000.0 for a, b in zip(since, since[1:])]


@answers("event_benchmark")
def by_two_events_that_swap(run, event, synchronize, warmup, trials):
    class Times(list[float]):
        pass

    _refuse(warmup, trials)
    for _ in range(warmup):
        run()
    before, behind, times = event(), event(), Times()
    before.record()
    for _ in range(trials):
        run()
        behind.record()
        synchronize()
        times.append(before.elapsed_time(behind) * 0.001)
        before, behind = behind, before
    return times
