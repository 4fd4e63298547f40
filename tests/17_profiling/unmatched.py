"""Wrong answers to kata 17 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("17_profiling")


@answers("benchmark")
def adds_a_tick(run, synchronize, clock, warmup, trials):
    """Add a tick for looking at the clock."""
    return [time + 1 for time in solved.benchmark(run, synchronize, clock, warmup, trials)]


@answers("event_benchmark")
def takes_a_tenth_off(run, event, synchronize, warmup, trials):
    """Take off a tenth for the events themselves."""
    return [0.9 * time for time in solved.event_benchmark(run, event, synchronize, warmup, trials)]


@answers("percentile")
def goes_a_little_further(times, q):
    """Go further by a hundredth of the largest time."""
    return solved.percentile(times, q) + 0.01 * max(times) + 1


@answers("self_times")
def gives_every_call_two_more(calls):
    """Add two ticks for each call."""
    times = solved.self_times(calls)
    for name, *_ in calls:
        times[name] += 2
    return times


@answers("total_times")
def doubles_every_time(calls):
    """Count in half ticks."""
    return {name: 2 * time for name, time in solved.total_times(calls).items()}


@answers("busy_share")
def squares_the_share(kernels, start, end):
    """Take the share twice, for the host and for the device."""
    return solved.busy_share(kernels, start, end) ** 2


@answers("exposed_time")
def exposes_three_more(kernels, name):
    """Add three ticks, to be on the safe side."""
    return solved.exposed_time(kernels, name) + 3


@answers("critical_path")
def adds_time_for_each_step(tasks):
    """Add a tick for each task of the chain."""
    time, chain = solved.critical_path(tasks)
    return time + len(chain), chain


@answers("run_mfu")
def counts_three_flops_for_two(steps, skip, flops_per_step, peak_flops):
    """Count a read, a multiply and an add."""
    return 1.5 * solved.run_mfu(steps, skip, flops_per_step, peak_flops)


@answers("speedup")
def takes_the_root(times, name, factor):
    """Return the square root of the speedup."""
    return solved.speedup(times, name, factor) ** 0.5
