"""Which calls of a trace lie inside which, for the wrong answers about them."""

from typing import Any


def zeros(calls):
    """Return a time of 0 for each name."""
    return dict.fromkeys((name for name, *_ in calls), 0)


def one_thread_each(calls):
    """Leave out calls that another thread, which comes first, has with the same name, start and end."""
    first: Any = {}
    for name, thread, start, end in calls:
        first.setdefault((name, start, end), thread)
    return [call for call in calls if first[call[0], call[2], call[3]] == call[1]]


def outer_first(calls):
    """Sort calls by start, with the longer one first if two start together."""
    return sorted(calls, key=lambda call: (call[2], -call[3]))


def inside(calls, at):
    """Return the calls that are inside this one, and not around it."""
    _, thread, start, end = calls[at]
    return [
        call
        for other, call in enumerate(calls)
        if other != at
        and call[1] == thread
        and start <= call[2]
        and call[3] <= end
        and ((call[2], call[3]) != (start, end) or other > at)
    ]
