"""Wrong answers that people give to kata 17 about benchmarks, by a clock and by events."""

from itertools import pairwise

from dojo.judging.diagnose import believes, solution

solved = solution("17_profiling")


def _check(warmup, trials):
    if trials < 1 or warmup < 0:
        raise ValueError(f"{trials} trials after {warmup}")


def _time(run, synchronize, clock):
    """One trial, to the end of its work."""
    start = clock()
    run()
    synchronize()
    return clock() - start


# benchmark


@believes("A call comes back when its work is done", about="benchmark")
def never_waits(run, synchronize, clock, warmup, trials):
    """It comes back when the work is queued: without synchronize you time the launch alone."""
    return solved.benchmark(run, lambda: None, clock, warmup, trials)


@believes("To wait behind each run is enough", about="benchmark")
def waits_behind_alone(run, synchronize, clock, warmup, trials):
    """Whatever the device still has to do when the clock is first read ends up in the first trial: wait before it."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    return [_time(run, synchronize, clock) for _ in range(trials)]


@believes("What the device was given earlier has to be waited for, the warm-up does not", about="benchmark")
def waits_before_the_warm_up(run, synchronize, clock, warmup, trials):
    """The warm-up's work is in the queue, too: wait behind it, before the clock is read."""
    synchronize()
    return waits_behind_alone(run, synchronize, clock, warmup, trials)


@believes("Only a warm-up leaves work behind", about="benchmark")
def waits_for_the_warm_up_alone(run, synchronize, clock, warmup, trials):
    """The device may be busy before, also if nothing warms it up: wait in any case."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
        synchronize()
    return [_time(run, synchronize, clock) for _ in range(trials)]


@believes("The warm-up is timed like the trials", about="benchmark")
def times_the_warm_up(run, synchronize, clock, warmup, trials):
    """It is thrown away: the list has a time for each trial, and for no other run."""
    _check(warmup, trials)
    return solved.benchmark(run, synchronize, clock, 0, warmup + trials)


@believes("The first run is as good as any other", about="benchmark")
def warms_nothing_up(run, synchronize, clock, warmup, trials):
    """The first ones compile, allocate and fill caches: call run `warmup` times before."""
    _check(warmup, trials)
    return solved.benchmark(run, synchronize, clock, 0, trials)


@believes("One run warms everything up", about="benchmark")
def warms_up_once(run, synchronize, clock, warmup, trials):
    """How many there are is asked for: warmup of them."""
    _check(warmup, trials)
    return solved.benchmark(run, synchronize, clock, min(warmup, 1), trials)


@believes("There is always a run to warm up", about="benchmark")
def warms_up_always(run, synchronize, clock, warmup, trials):
    """With warmup 0 the first run is a trial."""
    _check(warmup, trials)
    return solved.benchmark(run, synchronize, clock, max(warmup, 1), trials)


@believes("All trials together, divided by their number, are the time of each", about="benchmark")
def divides_the_whole(run, synchronize, clock, warmup, trials):
    """That is their mean, in which an outlier is hidden: wait and look at the clock around each trial."""
    times = solved.benchmark(run, synchronize, clock, warmup, trials)
    return [sum(times) // trials] * trials


@believes("The time begins when the device has the work", about="benchmark")
def leaves_the_launch_out(run, synchronize, clock, warmup, trials):
    """It begins with the call of run: the launch is part of it."""
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


@believes("What the clock says is the time that it took", about="benchmark")
def reads_the_clock_once(run, synchronize, clock, warmup, trials):
    """A clock started long before: subtract what it said when run was called."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    times = []
    for _ in range(trials):
        run()
        synchronize()
        times.append(clock())
    return times


@believes("All trials end when the last one does", about="benchmark")
def waits_for_all_at_once(run, synchronize, clock, warmup, trials):
    """Wait for each of them: a wait behind all says only when all are done."""
    _check(warmup, trials)
    for _ in range(warmup):
        run()
    synchronize()
    starts = [(clock(), run())[0] for _ in range(trials)]
    synchronize()
    return [clock() - start for start in starts]


@believes("Times are best sorted", about="benchmark")
def sorts_the_trials(run, synchronize, clock, warmup, trials):
    """The list is in the order of the trials, which shows whether they became slower."""
    return sorted(solved.benchmark(run, synchronize, clock, warmup, trials))


@believes("The fastest trial is the time of all", about="benchmark")
def takes_the_fastest(run, synchronize, clock, warmup, trials):
    """A time for each trial is asked for; what to make of them is for the caller."""
    return [min(solved.benchmark(run, synchronize, clock, warmup, trials))] * trials


@believes("No trials have no times", about="benchmark")
def returns_no_times(run, synchronize, clock, warmup, trials):
    """Fewer trials than one raise ValueError."""
    if warmup < 0:
        raise ValueError(warmup)
    return solved.benchmark(run, synchronize, clock, warmup, trials) if trials > 0 else []


@believes("A negative warm-up is none", about="benchmark")
def takes_a_negative_warm_up(run, synchronize, clock, warmup, trials):
    """It raises ValueError."""
    return solved.benchmark(run, synchronize, clock, max(warmup, 0), trials)


# event_benchmark


def _events(run, event, synchronize, warmup, trials):
    """The events before and behind each trial, waited for."""
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


@believes("Events tell seconds", about="event_benchmark")
def keeps_milliseconds(run, event, synchronize, warmup, trials):
    """elapsed_time is in milliseconds: divide by 1000."""
    return [1000 * time for time in solved.event_benchmark(run, event, synchronize, warmup, trials)]


@believes("Events tell microseconds", about="event_benchmark")
def divides_by_a_million(run, event, synchronize, warmup, trials):
    """elapsed_time is in milliseconds: divide by 1000."""
    return [time / 1000 for time in solved.event_benchmark(run, event, synchronize, warmup, trials)]


@believes("Events need no waiting", about="event_benchmark")
def reads_events_at_once(run, event, synchronize, warmup, trials):
    """They are marks in the queue of the device: before it has come to them there is no time to be read."""
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


@believes("An event keeps all the times at which it was recorded", about="event_benchmark")
def records_the_same_two(run, event, synchronize, warmup, trials):
    """It keeps the last one: read it before it is recorded again, or make a new one for each trial."""
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
    """They give the mean alone: each trial needs an event before and one behind it."""
    times = solved.event_benchmark(run, event, synchronize, warmup, trials)
    return [sum(times) / trials] * trials


@believes("All trials are measured from one event on", about="event_benchmark")
def starts_once(run, event, synchronize, warmup, trials):
    """Then each time has those before it in it: record a start for each trial."""
    marks = _events(run, event, synchronize, warmup, trials)
    return [marks[0][0].elapsed_time(end) / 1000 for _, end in marks]


@believes("An event marks the moment at which the host records it", about="event_benchmark")
def records_both_before(run, event, synchronize, warmup, trials):
    """It marks its place in the queue: the end has to be recorded behind the run."""
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


@believes("The first event may stand before the warm-up", about="event_benchmark")
def marks_before_the_warm_up(run, event, synchronize, warmup, trials):
    """Whatever is queued behind an event is counted: record it behind the warm-up."""
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


@believes("elapsed_time is asked of the later event", about="event_benchmark")
def asks_the_end(run, event, synchronize, warmup, trials):
    """start.elapsed_time(end): the other way round it is negative."""
    return [-time for time in solved.event_benchmark(run, event, synchronize, warmup, trials)]


@believes("Events time the warm-up as well", about="event_benchmark")
def returns_times_of_the_warm_up(run, event, synchronize, warmup, trials):
    """There is a time for each trial, and for no other run."""
    _check(warmup, trials)
    return solved.event_benchmark(run, event, synchronize, 0, warmup + trials)


@believes("With events nothing has to be warmed up", about="event_benchmark")
def warms_no_events_up(run, event, synchronize, warmup, trials):
    """The first runs are slower on the device, too: call run `warmup` times before."""
    _check(warmup, trials)
    return solved.event_benchmark(run, event, synchronize, 0, trials)


@believes("The times of events are best sorted", about="event_benchmark")
def sorts_the_events(run, event, synchronize, warmup, trials):
    """The list is in the order of the trials."""
    return sorted(solved.event_benchmark(run, event, synchronize, warmup, trials))


@believes("Events of no trials have no times", about="event_benchmark")
def returns_no_events(run, event, synchronize, warmup, trials):
    """Fewer trials than one raise ValueError."""
    if warmup < 0:
        raise ValueError(warmup)
    return solved.event_benchmark(run, event, synchronize, warmup, trials) if trials > 0 else []


@believes("range() takes care of a negative warm-up", about="event_benchmark")
def lets_a_negative_warm_up_be(run, event, synchronize, warmup, trials):
    """It raises ValueError: nobody means it."""
    return solved.event_benchmark(run, event, synchronize, max(warmup, 0), trials)
