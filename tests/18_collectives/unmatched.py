"""Wrong answers to kata 18 that no belief in misconceptions.py explains."""

import torch

from dojo.judging.diagnose import answers, solution

solved = solution("18_collectives")


@answers("ring_seconds")
def waits_a_second_more(nbytes, world, bandwidth, latency=0.0):
    """Wait a second until all ranks are there."""
    return solved.ring_seconds(nbytes, world, bandwidth, latency) + 1.0


@answers("stuck_ranks")
def leaves_the_lowest_out(programs):
    """Leave out the lowest rank."""
    return solved.stuck_ranks(programs)[1:]


@answers("broadcast")
def adds_the_rank(comm, x, root=0):
    """Add the number of this rank to the result."""
    return solved.broadcast(comm, x, root) + comm.rank


@answers("reduce_scatter")
def turns_the_part_around(comm, x):
    """Reverse the rows of the part."""
    return solved.reduce_scatter(comm, x).flip(0)


@answers("all_gather")
def begins_with_odd_ranks(comm, x):
    """Join the odd ranks first, and then the even ones."""
    every = [solved.broadcast(comm, x if rank == comm.rank else None, rank) for rank in range(comm.size)]
    return torch.cat(every[1::2] + every[::2])


@answers("all_reduce")
def counts_rank_0_twice(comm, x):
    """Count the x of rank 0 twice."""
    return solved.all_reduce(comm, x if comm.rank else 2 * x)


@answers("gradient_buckets")
def takes_two_at_least(sizes, cap):
    """Join the first two buckets."""
    buckets = solved.gradient_buckets(sizes, cap)
    return [[*buckets[0], *buckets[1]], *buckets[2:]] if len(buckets) > 1 else buckets


@answers("start_alike")
def turns_the_sign(comm, model):
    """Change the sign on all ranks but the first."""
    solved.start_alike(comm, model)
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(-1 if comm.rank else 1)


@answers("average_gradients")
def counts_a_sample_of_nobody(comm, model, samples):
    """Divide by one sample more than there are."""
    total = int(solved.all_reduce(comm, torch.tensor(samples)))
    solved.average_gradients(comm, model, samples)
    for p in model.parameters():
        if p.grad is not None and p.requires_grad:
            p.grad *= total / (total + 1)
