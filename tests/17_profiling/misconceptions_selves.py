"""Wrong answers that people give to kata 17 about a call's own time."""

from typing import Any

from dojo.judging.diagnose import believes, solution

from .nesting import inside, one_thread_each, outer_first, zeros

solved = solution("17_profiling")


def _nested(calls, order, ended):
    """Return self times by a stack for each thread: take calls in this order, and drop those that `ended` names."""
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


@believes("A call's own time is from its start to its end", about="self_times")
def subtracts_nothing(calls):
    """That is its total time: subtract the calls directly inside it."""
    times = zeros(calls)
    for name, _, start, end in calls:
        times[name] += end - start
    return times


@believes("All calls inside are subtracted, at any depth", about="self_times")
def subtracts_all_inside(calls):
    """Deeper ones would be subtracted more than once: subtract only the calls directly inside."""
    times = subtracts_nothing(calls)
    for at, (name, *_) in enumerate(calls):
        times[name] -= sum(end - start for _, _, start, end in inside(calls, at))
    return times


@believes("A call of another thread may be inside", about="self_times")
def mixes_threads(calls):
    """Only calls of the same thread are inside each other."""
    times = zeros(calls)
    stack: Any = []
    for name, _, start, end in outer_first(calls):
        while stack and stack[-1][1] <= start:
            stack.pop()
        if stack:
            times[stack[-1][0]] -= end - start
        times[name] += end - start
        stack.append((name, end))
    return times


@believes("Only the first thread counts", about="self_times")
def looks_at_one_thread(calls):
    """All threads count: a name adds up its time in each."""
    first = min((thread for _, thread, *_ in calls), default=0)
    return zeros(calls) | solved.self_times([call for call in calls if call[1] == first])


@believes("A name with a time of 0 is left out", about="self_times")
def drops_zeros(calls):
    """Each name that occurs is a key."""
    return {name: time for name, time in solved.self_times(calls).items() if time}


@believes("The time of a name is that of its last call", about="self_times")
def keeps_the_last_call(calls):
    """The times of all its calls are added."""
    times = zeros(calls)
    for at, (name, _, start, end) in enumerate(calls):
        times[name] = end - start - sum(solved.self_times(inside(calls, at)).values())
    return times


@believes("Calls are listed in the order of their starts", about="self_times")
def trusts_the_order(calls):
    """They come in any order: sort by start, with the longer call first if starts are equal."""
    return _nested(calls, calls, _over)


@believes("A call that ends when another one starts is around it", about="self_times")
def keeps_what_has_ended(calls):
    """It is over at its end, so it is not around a call that starts there."""
    return _nested(calls, outer_first(calls), lambda call, start: call[3] < start)


@believes("Of two calls with the same start and end, the earlier in the list is inside", about="self_times")
def turns_equals_round(calls):
    """The later one is inside."""
    return solved.self_times(calls[::-1])


@believes("Of two calls with the same start, the first in the list is around", about="self_times")
def sorts_by_start_alone(calls):
    """The longer one is; the order in the list decides only if the ends are equal too."""
    return _nested(calls, sorted(calls, key=lambda call: call[2]), _over)


@believes("A call of the same name inside is not subtracted", about="self_times")
def subtracts_other_names_alone(calls):
    """It is: otherwise its time counts for both calls."""
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


@believes("The same name in two threads at the same time counts once", about="self_times")
def counts_ticks_of_threads_once(calls):
    """Each thread counts by itself."""
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


@believes("The same name, start and end in two threads is one call", about="self_times")
def drops_calls_of_other_threads(calls):
    """They are two calls, and each thread counts by itself."""
    return zeros(calls) | solved.self_times(one_thread_each(calls))


@believes("A call is still open at its end", about="self_times")
def includes_the_end(calls):
    """From 2 to 5 it takes 3 ticks: at the tick 5 it is over."""
    times = solved.self_times(calls)
    for name, *_ in calls:
        times[name] += 1
    return times


@believes("Only calls without calls inside have their own time", about="self_times")
def gives_leaves_alone(calls):
    """The time between the calls inside is also a call's own."""
    times = zeros(calls)
    for at, (name, _, start, end) in enumerate(calls):
        times[name] += 0 if any(other[3] > other[2] for other in inside(calls, at)) else end - start
    return times


@believes("A call's own time ends where the first call inside starts", about="self_times")
def stops_at_the_first_call(calls):
    """The time after the calls inside is also its own."""
    times = zeros(calls)
    for at, (name, _, start, end) in enumerate(calls):
        times[name] += min((other[2] for other in inside(calls, at) if other[3] > other[2]), default=end) - start
    return times


@believes("The list may be sorted in place", about="self_times")
def sorts_the_calls(calls):
    """It belongs to the caller: sorted(calls) makes a new list."""
    calls.sort(key=lambda call: (call[2], -call[3]))
    return solved.self_times(calls)


@believes("Without calls there is an error", about="self_times")
def refuses_no_calls(calls):
    """Without calls the result is {}."""
    if not calls:
        raise ValueError("no calls")
    return solved.self_times(calls)


own: dict[str, int] = {}


@believes("One dict is enough for all calls", about="self_times")
def fills_one_dict(calls):
    """The next call would change what the last one returned: make a new dict in each call."""
    times = solved.self_times(calls)
    own.clear()
    own.update(times)
    return own
