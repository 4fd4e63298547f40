"""Wrong answers that people give to kata 17 about all of the time of a call."""

from typing import Any

from dojo.judging.diagnose import believes, solution

from .nesting import inside, one_thread_each, outer_first, zeros

solved = solution("17_profiling")


# total_times


@believes("Each call of a name inside itself counts", about="total_times")
def counts_recursion_again(calls):
    """While the outer call is open, the inner one adds nothing."""
    times = zeros(calls)
    for name, _, start, end in calls:
        times[name] += end - start
    return times


@believes("The time of calls inside does not count", about="total_times")
def takes_self_times(calls):
    """In the total it counts: a total is from start to end."""
    return solved.self_times(calls)


@believes("The same name in two threads at the same time counts once", about="total_times")
def counts_threads_once(calls):
    """Each thread counts by itself."""
    return solved.total_times([(name, 0, start, end) for name, _, start, end in calls])


@believes("The same name, start and end in two threads is one call", about="total_times")
def drops_spans_of_other_threads(calls):
    """They are two calls, and each thread counts by itself."""
    return zeros(calls) | solved.total_times(one_thread_each(calls))


@believes("Only a call directly inside one of the same name adds nothing", about="total_times")
def looks_one_level_up(calls):
    """It adds nothing at any depth: f in g in f is also inside f."""
    around: Any
    times, around = zeros(calls), {}
    for call in outer_first(calls):
        name, thread, start, end = call
        stack = around.setdefault(thread, [])
        while stack and stack[-1][3] <= start:
            stack.pop()
        times[name] += 0 if stack and stack[-1][0] == name else end - start
        stack.append(call)
    return times


@believes("A name is open from its first start to its last end", about="total_times")
def spans_from_first_to_last(calls):
    """Between two of its calls it is not open."""
    times = zeros(calls)
    for name, thread in {call[:2] for call in calls}:
        spans = [call[2:] for call in calls if call[:2] == (name, thread)]
        times[name] += max(end for _, end in spans) - min(start for start, _ in spans)
    return times


@believes("A name with a time of 0 is left out", about="total_times")
def drops_names_without_time(calls):
    """Each name that occurs is a key."""
    return {name: time for name, time in solved.total_times(calls).items() if time}


@believes("Only outermost calls have a total", about="total_times")
def counts_outermost_calls(calls):
    """Every name has one, even if its calls are inside others."""
    inner = [call for at in range(len(calls)) for call in inside(calls, at)]
    return zeros(calls) | solved.total_times([call for call in calls if call not in inner])


@believes("A call inside starts later and ends earlier", about="total_times")
def wants_to_be_strictly_inside(calls):
    """It may start or end together with the outer one, and is still inside."""
    times = zeros(calls)
    for name, thread, start, end in calls:
        within = any(other[:2] == (name, thread) and other[2] < start and end < other[3] for other in calls)
        times[name] += 0 if within else end - start
    return times


@believes("For a name inside itself, the inner call counts", about="total_times")
def counts_the_innermost(calls):
    """The outer call counts: it is open for longer."""
    times = zeros(calls)
    for at, (name, _, start, end) in enumerate(calls):
        times[name] += (
            0 if any(other[0] == name and other[3] > other[2] for other in inside(calls, at)) else end - start
        )
    return times


@believes("The total of a name is that of its last call", about="total_times")
def keeps_the_total_of_the_last(calls):
    """All its calls are added, except those inside one of the same name."""
    times = zeros(calls)
    for name, _, start, end in calls:
        times[name] = end - start
    return times


@believes("The total of a name is that of its longest call", about="total_times")
def keeps_the_longest(calls):
    """All its calls are added, except those inside one of the same name."""
    times = zeros(calls)
    for name, _, start, end in calls:
        times[name] = max(times[name], end - start)
    return times


@believes("Only the first thread counts", about="total_times")
def looks_at_the_first_thread(calls):
    """All threads count: a name adds up its time in each."""
    first = min((thread for _, thread, *_ in calls), default=0)
    return zeros(calls) | solved.total_times([call for call in calls if call[1] == first])


@believes("A call is still open at its end", about="total_times")
def includes_the_last_tick(calls):
    """From 2 to 5 it takes 3 ticks: at the tick 5 it is over."""
    return solved.total_times([(name, thread, start, end + 1) for name, thread, start, end in calls])


@believes("Calls may be removed from the list", about="total_times")
def takes_calls_out(calls):
    """It belongs to the caller: work on a copy."""
    times = solved.total_times(calls)
    calls.clear()
    return times


@believes("Without calls there is an error", about="total_times")
def refuses_an_empty_trace(calls):
    """Without calls the result is {}."""
    if not calls:
        raise ValueError("no calls")
    return solved.total_times(calls)


totals: dict[str, int] = {}


@believes("One dict is enough for all calls", about="total_times")
def fills_one_dict_of_totals(calls):
    """The next call would change what the last one returned: make a new dict in each call."""
    times = solved.total_times(calls)
    totals.clear()
    totals.update(times)
    return totals
