"""Wrong answers that people give to kata 18 about the sum that all ranks get."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _add_up(tensors, dtype):
    return torch.stack(tensors).sum(0, dtype=dtype)


@believes("One rank may add up all, and send the sum to the others", about="all_reduce")
def adds_up_at_one_rank(comm, x):
    """That rank sends too many bytes: cut x, and let each rank add up one part."""
    if comm.rank:
        comm.send(x, 0)
        return comm.recv(0)
    total = _add_up([x, *(comm.recv(other) for other in range(1, comm.size))], x.dtype)
    for other in range(1, comm.size):
        comm.send(total, other)
    return total


@believes("Every rank sends everything to all others, and adds it up", about="all_reduce")
def adds_from_its_own_on(comm, x):
    """Then each rank sends size - 1 times x, and adds in its own order, with different last bits.

    Cut x, and add up each part on one rank.
    """
    total = x.clone()
    for source in range(comm.size):
        if source == comm.rank:
            for other in range(comm.size):
                if other != source:
                    comm.send(x, other)
        else:
            total = total + comm.recv(source)
    return total


@believes("Every rank has a partner in each round", about="all_reduce")
def pairs_up(comm, x):
    """With 3 ranks one has none; and with 4 ranks or more, whole tensors in each round are too many bytes."""
    total, distance = x.clone(), 1
    while distance < comm.size:
        other = comm.rank ^ distance
        if other < comm.size:
            if comm.rank < other:
                comm.send(total, other)
            came = comm.recv(other)
            if comm.rank > other:
                comm.send(total, other)
            total = total + came
        distance *= 2
    return total


@believes("The sum is written into x", about="all_reduce")
def writes_into_x(comm, x):
    """torch.distributed does that; here x stays as it is, and the sum is returned."""
    return x.copy_(solved.all_reduce(comm, x))


@believes("Each rank only needs the part that it has added up", about="all_reduce")
def stops_half_way(comm, x):
    """Every rank needs all of the sum: all-gather the parts."""
    return solved.reduce_scatter(comm, x.reshape(-1))


@believes("Only rank 0 needs the sum", about="all_reduce")
def keeps_x_elsewhere(comm, x):
    """All ranks get it."""
    total = solved.all_reduce(comm, x)
    return x.clone() if comm.rank else total


@believes("Every tensor has a dimension 0", about="all_reduce")
def cuts_single_numbers(comm, x):
    """One of shape () has none: flatten x first, and reshape the sum."""
    return solved.all_gather(comm, solved.reduce_scatter(comm, x))


@believes("The result is flat", about="all_reduce")
def returns_it_flat(comm, x):
    """It has the shape of x."""
    return solved.all_reduce(comm, x).reshape(-1)


@believes("The sum of int32 is int64", about="all_reduce")
def widens_whole_numbers(comm, x):
    """It has x's dtype."""
    total = solved.all_reduce(comm, x)
    return total.long() if total.dtype == torch.int32 else total


@believes("The result is a mean", about="all_reduce")
def averages_over_ranks(comm, x):
    """It is a sum."""
    return solved.all_reduce(comm, x) / comm.size


@believes("The sum is float32", about="all_reduce")
def adds_up_in_float32(comm, x):
    """It has the dtype of x."""
    return solved.all_reduce(comm, x.float())
