"""Wrong answers that people give to kata 18, each with the belief behind it."""

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="ring_seconds")
def ring_seconds_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.ring_seconds(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="stuck_ranks")
def stuck_ranks_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.stuck_ranks(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="broadcast")
def broadcast_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.broadcast(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="reduce_scatter")
def reduce_scatter_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.reduce_scatter(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="all_gather")
def all_gather_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.all_gather(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="all_reduce")
def all_reduce_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.all_reduce(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="gradient_buckets")
def gradient_buckets_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.gradient_buckets(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="start_alike")
def start_alike_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.start_alike(n) + 1


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="average_gradients")
def average_gradients_and_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.average_gradients(n) + 1
