"""Wrong answers to kata 18 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("18_collectives")


@answers("ring_seconds")
def ring_seconds_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.ring_seconds(n)


@answers("stuck_ranks")
def stuck_ranks_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.stuck_ranks(n)


@answers("broadcast")
def broadcast_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.broadcast(n)


@answers("reduce_scatter")
def reduce_scatter_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.reduce_scatter(n)


@answers("all_gather")
def all_gather_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.all_gather(n)


@answers("all_reduce")
def all_reduce_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.all_reduce(n)


@answers("gradient_buckets")
def gradient_buckets_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.gradient_buckets(n)


@answers("start_alike")
def start_alike_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.start_alike(n)


@answers("average_gradients")
def average_gradients_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.average_gradients(n)
