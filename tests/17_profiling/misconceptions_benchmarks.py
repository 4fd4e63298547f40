"""Wrong answers that people give to kata 17 about benchmarks, by a clock and by events."""

from itertools import pairwise
from typing import Any

from dojo.judging.diagnose import believes, solution

solved = solution("17_profiling")


def _check(warmup, trials):
    if trials < 1 or warmup < 0:
        raise ValueError(f"{trials} trials after {warmup}")


def _time(run, synchronize, clock):
    """Time one trial, to the end of its work."""
    start = clock()
    run()
    synchronize()
    return clock() - start


def _whole(run, synchronize, clock, warmup, trials):
    """Time all trials together."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    synchronize()
    start = clock()
    for _ in range(trials):
        run()
    synchronize()
    return clock() - start


# benchmark


@believes("run() returns when its work is done", about="benchmark")
def never_waits(run, synchronize, clock, warmup, trials):
    """It returns when the work is queued: without synchronize only the launch is timed."""
    return solved.benchmark(run, lambda: None, clock, warmup, trials)


@believes("It is enough to wait after each run", about="benchmark")
def waits_behind_alone(run, synchronize, clock, warmup, trials):
    """Work that is queued before the clock is first read would count for the first trial: wait before it too."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    return [_time(run, synchronize, clock) for _ in range(trials)]


warm: set[Any] = set()


@believes("What was warmed up once stays warm", about="benchmark")
def remembers_what_is_warm(run, synchronize, clock, warmup, trials):
    """Caches may have been filled with other things since: each call runs what it was asked to run."""
    _check(warmup, trials)
    if run not in warm:
        warm.add(run)
        for _ in range(warmup):
            run()
    synchronize()
    return [_time(run, synchronize, clock) for _ in range(trials)]


@believes("It is enough to wait before the warm-up", about="benchmark")
def waits_before_the_warm_up(run, synchronize, clock, warmup, trials):
    """The work of the warm-up is queued too: wait after it, before the clock is read."""
    synchronize()
    return waits_behind_alone(run, synchronize, clock, warmup, trials)


@believes("Only a warm-up leaves work in the queue", about="benchmark")
def waits_for_the_warm_up_alone(run, synchronize, clock, warmup, trials):
    """The device may be busy before benchmark is called: wait even with warmup 0."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
        synchronize()
    return [_time(run, synchronize, clock) for _ in range(trials)]


@believes("The runs of the warm-up also have times", about="benchmark")
def times_the_warm_up(run, synchronize, clock, warmup, trials):
    """The list has a time for each trial, and for no other run."""
    _check(warmup, trials)
    return solved.benchmark(run, synchronize, clock, 0, warmup + trials)


@believes("No warm-up is needed", about="benchmark")
def warms_nothing_up(run, synchronize, clock, warmup, trials):
    """First runs compile, allocate and fill caches: call run `warmup` times first."""
    _check(warmup, trials)
    return solved.benchmark(run, synchronize, clock, 0, trials)


@believes("One run is enough to warm up", about="benchmark")
def warms_up_once(run, synchronize, clock, warmup, trials):
    """warmup says how many runs."""
    _check(warmup, trials)
    return solved.benchmark(run, synchronize, clock, min(warmup, 1), trials)


@believes("There is always at least one run to warm up", about="benchmark")
def warms_up_always(run, synchronize, clock, warmup, trials):
    """With warmup 0 the first run is a trial."""
    _check(warmup, trials)
    return solved.benchmark(run, synchronize, clock, max(warmup, 1), trials)


@believes("The time of each trial is the time of all divided by their number", about="benchmark")
def divides_the_whole(run, synchronize, clock, warmup, trials):
    """That is their mean, which hides outliers: read the clock around each trial."""
    return [_whole(run, synchronize, clock, warmup, trials) / trials] * trials


@believes("The time of each trial is the time of all divided by their number", about="benchmark")
def divides_the_whole_in_integers(run, synchronize, clock, warmup, trials):
    """That is their mean, which hides outliers: read the clock around each trial."""
    return [_whole(run, synchronize, clock, warmup, trials) // trials] * trials


@believes("The time begins after the launch", about="benchmark")
def leaves_the_launch_out(run, synchronize, clock, warmup, trials):
    """It begins with the call of run: the launch counts."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    times = []
    for _ in range(trials):
        synchronize()
        run()
        start = clock()
        synchronize()
        times.append(clock() - start)
    return times


@believes("The clock starts at 0 with each trial", about="benchmark")
def reads_the_clock_once(run, synchronize, clock, warmup, trials):
    """It started long before: subtract what it said when run was called."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    times = []
    for _ in range(trials):
        run()
        synchronize()
        times.append(clock())
    return times


@believes("It is enough to wait once, after all trials", about="benchmark")
def waits_for_all_at_once(run, synchronize, clock, warmup, trials):
    """That only shows when the last one is done: wait after each trial."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    synchronize()
    starts = [(clock(), run())[0] for _ in range(trials)]
    synchronize()
    return [clock() - start for start in starts]


@believes("The times are sorted", about="benchmark")
def sorts_the_trials(run, synchronize, clock, warmup, trials):
    """The list is in the order of the trials, which shows whether they became slower."""
    return sorted(solved.benchmark(run, synchronize, clock, warmup, trials))


@believes("The result is the fastest time", about="benchmark")
def takes_the_fastest(run, synchronize, clock, warmup, trials):
    """It is a list with the time of each trial."""
    return [min(solved.benchmark(run, synchronize, clock, warmup, trials))] * trials


@believes("With trials = 0 the list is empty", about="benchmark")
def returns_no_times(run, synchronize, clock, warmup, trials):
    """trials below 1 raises a ValueError."""
    if warmup < 0:
        raise ValueError(warmup)
    return solved.benchmark(run, synchronize, clock, warmup, trials) if trials > 0 else []


@believes("A negative warmup means no warm-up", about="benchmark")
def takes_a_negative_warm_up(run, synchronize, clock, warmup, trials):
    """warmup below 0 raises a ValueError."""
    return solved.benchmark(run, synchronize, clock, max(warmup, 0), trials)


@believes("The warm-up may stop as soon as the times stop changing", about="benchmark")
def warms_up_until_times_agree(run, synchronize, clock, warmup, trials):
    """warmup says how many runs: two equal times may be chance."""
    _check(warmup, trials)
    times: list[int] = []
    while len(times) < warmup and times[-2:-1] != times[-1:]:
        synchronize()
        times.append(_time(run, synchronize, clock))
    return solved.benchmark(run, synchronize, clock, 0, trials)


laps: list[int] = []


@believes("One list is enough for all calls", about="benchmark")
def fills_one_list_of_times(run, synchronize, clock, warmup, trials):
    """The next call would change what the last one returned: make a new list in each call."""
    laps[:] = solved.benchmark(run, synchronize, clock, warmup, trials)
    return laps


# event_benchmark


def _events(run, event, synchronize, warmup, trials):
    """Return the events before and after each trial, waited for."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    marks = [(event(), event()) for _ in range(trials)]
    for start, end in marks:
        start.record()
        run()
        end.record()
    synchronize()
    return marks


@believes("elapsed_time returns seconds", about="event_benchmark")
def keeps_milliseconds(run, event, synchronize, warmup, trials):
    """It returns milliseconds: divide by 1000."""
    return [1000 * time for time in solved.event_benchmark(run, event, synchronize, warmup, trials)]


@believes("elapsed_time returns microseconds", about="event_benchmark")
def divides_by_a_million(run, event, synchronize, warmup, trials):
    """It returns milliseconds: divide by 1000."""
    return [time / 1000 for time in solved.event_benchmark(run, event, synchronize, warmup, trials)]


@believes("Events can be read without waiting", about="event_benchmark")
def reads_events_at_once(run, event, synchronize, warmup, trials):
    """They are marks in the queue of the device: wait until it has reached them."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    times = []
    for _ in range(trials):
        start, end = event(), event()
        start.record()
        run()
        end.record()
        times.append(start.elapsed_time(end) / 1000)
    return times


@believes("An event keeps all times at which it was recorded", about="event_benchmark")
def records_the_same_two(run, event, synchronize, warmup, trials):
    """It keeps only the last one: read it before it is recorded again, or make new events for each trial."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    start, end = event(), event()
    for _ in range(trials):
        start.record()
        run()
        end.record()
    synchronize()
    return [start.elapsed_time(end) / 1000 for _ in range(trials)]


@believes("Two events around all trials are enough", about="event_benchmark")
def divides_what_events_say(run, event, synchronize, warmup, trials):
    """They only give the mean: each trial needs an event before it and one after it."""
    times = solved.event_benchmark(run, event, synchronize, warmup, trials)
    return [sum(times) / trials] * trials


@believes("One start event is enough for all trials", about="event_benchmark")
def starts_once(run, event, synchronize, warmup, trials):
    """Then each time contains the trials before it: record a start for each trial."""
    marks = _events(run, event, synchronize, warmup, trials)
    return [marks[0][0].elapsed_time(end) / 1000 for _, end in marks]


@believes("An event marks the time at which the host records it", about="event_benchmark")
def records_both_before(run, event, synchronize, warmup, trials):
    """It marks a place in the queue: record the end after the run."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    marks = [(event(), event()) for _ in range(trials)]
    for start, end in marks:
        start.record()
        end.record()
        run()
    synchronize()
    return [start.elapsed_time(end) / 1000 for start, end in marks]


@believes("The first event may be recorded before the warm-up", about="event_benchmark")
def marks_before_the_warm_up(run, event, synchronize, warmup, trials):
    """All work queued after it is counted: record it after the warm-up."""
    _check(warmup, trials)
    marks = [event() for _ in range(trials + 1)]
    marks[0].record()
    for _ in range(warmup):
        run()
    for mark in marks[1:]:
        run()
        mark.record()
    synchronize()
    return [start.elapsed_time(end) / 1000 for start, end in pairwise(marks)]


@believes("elapsed_time is called on the later event", about="event_benchmark")
def asks_the_end(run, event, synchronize, warmup, trials):
    """It is start.elapsed_time(end): the other way around it is negative."""
    return [-time for time in solved.event_benchmark(run, event, synchronize, warmup, trials)]


@believes("The runs of the warm-up also have times", about="event_benchmark")
def returns_times_of_the_warm_up(run, event, synchronize, warmup, trials):
    """There is a time for each trial, and for no other run."""
    _check(warmup, trials)
    return solved.event_benchmark(run, event, synchronize, 0, warmup + trials)


@believes("With events no warm-up is needed", about="event_benchmark")
def warms_no_events_up(run, event, synchronize, warmup, trials):
    """The first runs are slower on the device too: call run `warmup` times first."""
    _check(warmup, trials)
    return solved.event_benchmark(run, event, synchronize, 0, trials)


@believes("The times are sorted", about="event_benchmark")
def sorts_the_events(run, event, synchronize, warmup, trials):
    """The list is in the order of the trials."""
    return sorted(solved.event_benchmark(run, event, synchronize, warmup, trials))


@believes("With trials = 0 the list is empty", about="event_benchmark")
def returns_no_events(run, event, synchronize, warmup, trials):
    """trials below 1 raises a ValueError."""
    if warmup < 0:
        raise ValueError(warmup)
    return solved.event_benchmark(run, event, synchronize, warmup, trials) if trials > 0 else []


@believes("A negative warmup means no warm-up", about="event_benchmark")
def lets_a_negative_warm_up_be(run, event, synchronize, warmup, trials):
    """warmup below 0 raises a ValueError."""
    return solved.event_benchmark(run, event, synchronize, max(warmup, 0), trials)


@believes("The warm-up may stop as soon as the times stop changing", about="event_benchmark")
def warms_events_up_until_times_agree(run, event, synchronize, warmup, trials):
    """warmup says how many runs: two equal times may be chance."""
    _check(warmup, trials)
    times: list[float] = []
    while len(times) < warmup and times[-2:-1] != times[-1:]:
        times += solved.event_benchmark(run, event, synchronize, 0, 1)
    return solved.event_benchmark(run, event, synchronize, 0, trials)


seconds: list[float] = []


@believes("One list is enough for all calls", about="event_benchmark")
def fills_one_list_of_seconds(run, event, synchronize, warmup, trials):
    """The next call would change what the last one returned: make a new list in each call."""
    seconds[:] = solved.event_benchmark(run, event, synchronize, warmup, trials)
    return seconds
