"""Wrong answers to kata 11 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("11_optimizers")


@answers("running_average")
def running_average_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.running_average(n)


@answers("SGD")
def SGD_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.SGD(n)


@answers("RMSProp")
def RMSProp_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.RMSProp(n)


@answers("Adam")
def Adam_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.Adam(n)


@answers("AdamW")
def AdamW_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.AdamW(n)


@answers("decay_groups")
def decay_groups_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.decay_groups(n)


@answers("state_bytes")
def state_bytes_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.state_bytes(n)


@answers("orthogonalize")
def orthogonalize_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.orthogonalize(n)
