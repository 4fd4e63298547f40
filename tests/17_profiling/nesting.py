"""Which calls of a trace lie inside which, for the wrong answers about them."""


def zeros(calls):
    """Return a time of 0 for each name."""
    return dict.fromkeys((name for name, *_ in calls), 0)


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
