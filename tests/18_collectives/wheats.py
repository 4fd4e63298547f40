"""Right answers to kata 18 in styles that the solution does not use."""

from dojo.judging.diagnose import answers


@answers("ring_seconds")
def ring_seconds_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("stuck_ranks")
def stuck_ranks_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("broadcast")
def broadcast_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("reduce_scatter")
def reduce_scatter_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("all_gather")
def all_gather_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("all_reduce")
def all_reduce_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("gradient_buckets")
def gradient_buckets_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("start_alike")
def start_alike_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can


@answers("average_gradients")
def average_gradients_in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
