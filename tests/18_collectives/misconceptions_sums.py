"""Wrong answers that people give to kata 18 about the sum that all ranks get."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _add_up(tensors, dtype):
    return torch.stack(tensors).sum(0, dtype=dtype)


@believes("One rank adds up, and sends the sum to all", about="all_reduce")
def adds_up_at_one_rank(comm, x):
    """It sends more than all the others, and they wait: cut x, and let each rank add up a part."""
    if comm.rank:
        comm.send(x, 0)
        return comm.recv(0)
    total = _add_up([x, *(comm.recv(other) for other in range(1, comm.size))], x.dtype)
    for other in range(1, comm.size):
        comm.send(total, other)
    return total


@believes("Everybody sends everything to everybody, and adds it up", about="all_reduce")
def adds_from_its_own_on(comm, x):
    """Each rank then sends size - 1 times x: cut it, and add up each part on one rank. In an order of its own each of
    them has other last bits, too.
    """
    flat = x.reshape(-1)
    every = solved.all_gather(comm, flat[None])
    total = flat.clone()
    for distance in range(1, comm.size):
        total = total + every[(comm.rank - distance) % comm.size]
    return total.reshape(x.shape)


def _partners(comm, x):
    """Pairs at distance 1, 2, 4: each time both add up what they have."""
    distance = 1
    while distance < comm.size:
        other = comm.rank ^ distance
        if comm.rank < other:
            comm.send(x, other)
        came = comm.recv(other)
        if comm.rank > other:
            comm.send(x, other)
        x, distance = x + came, 2 * distance
    return x


@believes("Every rank has a partner", about="all_reduce")
def pairs_up(comm, x):
    """With 3 ranks one has none; and from 4 ranks on, whole tensors in each round are more than parts."""
    return _partners(comm, x.clone())


@believes("An all-reduce works in place", about="all_reduce")
def writes_into_x(comm, x):
    """That of torch.distributed does; this one returns the sum, and leaves x as it is."""
    return x.copy_(solved.all_reduce(comm, x))


@believes("Each rank keeps the part that it has added up", about="all_reduce")
def stops_half_way(comm, x):
    """The other ranks need it too: gather the parts."""
    return solved.reduce_scatter(comm, x.reshape(-1))


@believes("Only rank 0 needs the sum", about="all_reduce")
def keeps_x_elsewhere(comm, x):
    """All of them get it: all_reduce, and not reduce."""
    total = solved.all_reduce(comm, x)
    return x.clone() if comm.rank else total


@believes("Every tensor has a first dimension to cut", about="all_reduce")
def cuts_single_numbers(comm, x):
    """One of shape () has none: flatten x first, and give the sum its shape again."""
    return solved.all_gather(comm, solved.reduce_scatter(comm, x))


@believes("The sum is a row of numbers", about="all_reduce")
def returns_it_flat(comm, x):
    """It has the shape of x."""
    return solved.all_reduce(comm, x).reshape(-1)


@believes("A sum of int32 is an int64", about="all_reduce")
def widens_whole_numbers(comm, x):
    """It has x's dtype."""
    total = solved.all_reduce(comm, x)
    return total.long() if total.dtype == torch.int32 else total


@believes("An all-reduce averages", about="all_reduce")
def averages_over_ranks(comm, x):
    """It adds up; whoever wants the mean divides."""
    return solved.all_reduce(comm, x) / comm.size


@believes("Sums are made of floats", about="all_reduce")
def adds_up_in_float32(comm, x):
    """A float64 stays one, and a whole number is no float."""
    return solved.all_reduce(comm, x.float())
