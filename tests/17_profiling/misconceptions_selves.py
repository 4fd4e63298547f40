"""Wrong answers that people give to kata 17 about a call's own time."""

from typing import Any

from dojo.judging.diagnose import believes, solution

from .nesting import inside, outer_first, zeros

solved = solution("17_profiling")


def _nested(calls, order, ended):
    """Self times by a stack for each thread: calls in this order, of which those are gone that `ended` says."""
    around: Any
    times, around = zeros(calls), {}
    for name, thread, start, end in order:
        stack = around.setdefault(thread, [])
        times[name] += end - start
        while stack and ended(stack[-1], start):
            stack.pop()
        if stack:
            times[stack[-1][0]] -= end - start
        stack.append((name, thread, start, end))
    return times


def _over(call, start):
    return call[3] <= start


# self_times


@believes("The time of a call is from its start to its end, whatever it calls", about="self_times")
def subtracts_nothing(calls):
    """That is the total time: its own is less by the calls right inside it."""
    times = zeros(calls)
    for name, _, start, end in calls:
        times[name] += end - start
    return times


@believes("All calls inside are subtracted, those inside of them too", about="self_times")
def subtracts_all_inside(calls):
    """What is inside a call inside is subtracted twice then: subtract those right inside alone."""
    times = subtracts_nothing(calls)
    for at, (name, *_) in enumerate(calls):
        times[name] -= sum(end - start for _, _, start, end in inside(calls, at))
    return times


@believes("A call of another thread may be inside", about="self_times")
def mixes_threads(calls):
    """Each thread has calls of its own: at the same time is not inside."""
    times = zeros(calls)
    for tick in range(max((end for *_, end in calls), default=0)):
        at_work = [(start, -end, at, name) for at, (name, _, start, end) in enumerate(calls) if start <= tick < end]
        if at_work:
            times[max(at_work)[3]] += 1
    return times


@believes("Only the first thread counts", about="self_times")
def looks_at_one_thread(calls):
    """All of them do, and a name adds up what it has in each."""
    first = min((thread for _, thread, *_ in calls), default=0)
    return zeros(calls) | solved.self_times([call for call in calls if call[1] == first])


@believes("A name without time is not in the table", about="self_times")
def drops_zeros(calls):
    """Each name that occurs is a key, with 0 too: it was called."""
    return {name: time for name, time in solved.self_times(calls).items() if time}


@believes("A name has the time of its last call", about="self_times")
def keeps_the_last_call(calls):
    """The times of all of its calls are added up."""
    times = zeros(calls)
    for at, (name, _, start, end) in enumerate(calls):
        times[name] = end - start - sum(solved.self_times(inside(calls, at)).values())
    return times


@believes("Calls are listed in the order in which they start", about="self_times")
def trusts_the_order(calls):
    """They come in any order: sort them by start, and of those that start together the longer one first."""
    return _nested(calls, calls, _over)


@believes("A call that ends where another one starts is around it", about="self_times")
def keeps_what_has_ended(calls):
    """It is open before its end alone, and not at it."""
    return _nested(calls, outer_first(calls), lambda call, start: call[3] < start)


@believes("Of two calls with the same start and end the earlier one is inside", about="self_times")
def turns_equals_round(calls):
    """It is around: the later one in the list is inside."""
    return solved.self_times(calls[::-1])


@believes("Of two calls with the same start the one listed first is around", about="self_times")
def sorts_by_start_alone(calls):
    """The longer one is, wherever it is listed; the list decides between calls that end together as well."""
    return _nested(calls, sorted(calls, key=lambda call: call[2]), _over)


@believes("A call of the same name inside is no call inside", about="self_times")
def subtracts_other_names_alone(calls):
    """It is: else its time counts for both of them."""
    around: Any
    times, around = zeros(calls), {}
    for call in outer_first(calls):
        name, thread, start, end = call
        stack = around.setdefault(thread, [])
        times[name] += end - start
        while stack and stack[-1][3] <= start:
            stack.pop()
        if stack and stack[-1][0] != name:
            times[stack[-1][0]] -= end - start
        stack.append(call)
    return times


@believes("Two threads in the same function at the same time take that time once", about="self_times")
def counts_ticks_of_threads_once(calls):
    """Each thread adds its own: that is time of two processors."""
    times = zeros(calls)
    for tick in range(max((end for *_, end in calls), default=0)):
        innermost = set()
        for thread in {thread for _, thread, *_ in calls}:
            at_work = [
                (start, -end, at, name)
                for at, (name, other, start, end) in enumerate(calls)
                if other == thread and start <= tick < end
            ]
            innermost |= {max(at_work)[3]} if at_work else set()
        for name in innermost:
            times[name] += 1
    return times


@believes("A call is open at its last tick, too", about="self_times")
def includes_the_end(calls):
    """From 2 to 5 it takes 3 ticks: at the tick 5 it is over."""
    times = solved.self_times(calls)
    for name, *_ in calls:
        times[name] += 1
    return times


@believes("Only what calls nothing has time of its own", about="self_times")
def gives_leaves_alone(calls):
    """What lies between the calls inside is a call's own as well."""
    times = zeros(calls)
    for at, (name, _, start, end) in enumerate(calls):
        times[name] += 0 if any(other[3] > other[2] for other in inside(calls, at)) else end - start
    return times


@believes("A call's own time ends where it first calls something", about="self_times")
def stops_at_the_first_call(calls):
    """What follows behind the calls inside is its own, too."""
    times = zeros(calls)
    for at, (name, _, start, end) in enumerate(calls):
        times[name] += min((other[2] for other in inside(calls, at) if other[3] > other[2]), default=end) - start
    return times


@believes("The calls may be sorted where they are", about="self_times")
def sorts_the_calls(calls):
    """The list is the caller's: sorted(calls) makes another one."""
    calls.sort(key=lambda call: (call[2], -call[3]))
    return solved.self_times(calls)


@believes("A trace without calls is a mistake", about="self_times")
def refuses_no_calls(calls):
    """It has no names: {}."""
    if not calls:
        raise ValueError("no calls")
    return solved.self_times(calls)
