"""Right answers to kata 18 about tensors of all ranks."""

import functools
import math

import torch

from dojo.judging.diagnose import answers

# broadcast


@answers("broadcast")
def by_the_lowest_bit(comm, x, root=0):
    place, step = (comm.rank - root) % comm.size, 8
    if place:
        step = place & -place
        x = comm.recv((comm.rank - step) % comm.size)
    while step := step // 2:
        if place + step < comm.size:
            comm.send(x, (comm.rank + step) % comm.size)
    return x


@answers("broadcast")
def by_halves_of_a_list(comm, x, root=0):
    def spread(ranks):
        nonlocal x
        if len(ranks) < 2:
            return
        half = -(-len(ranks) // 2)
        if comm.rank == ranks[0]:
            comm.send(x, ranks[half])
        if comm.rank == ranks[half]:
            x = comm.recv(ranks[0])
        spread(ranks[:half] if comm.rank in ranks[:half] else ranks[half:])

    spread([root, *(rank for rank in range(comm.size) if rank != root)])
    return x.clone()


@answers("broadcast")
def by_a_plan_of_rounds(comm, x, root=0):
    have, waiting, plan = [root], [rank for rank in range(comm.size) if rank != root], []
    while waiting:
        pairs = list(zip(have, waiting, strict=False))
        plan += pairs
        have += [to for _, to in pairs]
        waiting = waiting[len(pairs) :]
    for source, to in plan:
        if comm.rank == source:
            comm.send(x, to)
        if comm.rank == to:
            x = comm.recv(source)
    return x


# reduce_scatter


def _turn(comm, x, to, source):
    """In each circle of ranks that are as far apart, one receives first."""
    if comm.rank < math.gcd(comm.size, (to - comm.rank) % comm.size):
        came = comm.recv(source)
        comm.send(x, to)
        return came
    comm.send(x, to)
    return comm.recv(source)


@answers("reduce_scatter")
def by_pairs_at_every_distance(comm, x):
    parts, found = torch.tensor_split(x, comm.size), []
    for distance in range(1, comm.size):
        to, source = (comm.rank + distance) % comm.size, (comm.rank - distance) % comm.size
        found.append(_turn(comm, parts[to], to, source))
    return torch.stack([parts[comm.rank], *found]).sum(0, dtype=x.dtype)


@answers("reduce_scatter")
def by_a_fold(comm, x):
    def own(rank):
        return torch.tensor_split(x, comm.size)[rank % comm.size]

    def step(grown, distance):
        return _turn(comm, grown, (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size) + own(comm.rank - distance)

    return functools.reduce(step, range(2, comm.size + 1), own(comm.rank - 1))


class _Ring:
    """The other way around: from the next one to the one before."""

    def __init__(self, comm):
        self.comm = comm
        self.before, self.after = (comm.rank - 1) % comm.size, (comm.rank + 1) % comm.size

    def pass_back(self, x):
        if self.comm.rank == self.comm.size - 1:
            came = self.comm.recv(self.after)
            self.comm.send(x, self.before)
        else:
            self.comm.send(x, self.before)
            came = self.comm.recv(self.after)
        return came


@answers("reduce_scatter")
def by_a_ring_backward(comm, x):
    ring, parts = _Ring(comm), [part.clone() for part in torch.tensor_split(x, comm.size)]
    place = (comm.rank + 1) % comm.size
    for _ in range(comm.size - 1):
        came, place = ring.pass_back(parts[place]), (place + 1) % comm.size
        parts[place] += came
    return parts[comm.rank].contiguous()


@answers("reduce_scatter")
def by_who_sends_to_whom(comm, x):
    parts = [part.clone() for part in x.tensor_split(comm.size)]
    for source in range(comm.size):
        for to in range(comm.size):
            if source == to:
                continue
            if comm.rank == source:
                comm.send(x.tensor_split(comm.size)[to], to)
            if comm.rank == to:
                parts[to] += comm.recv(source)
    return parts[comm.rank]


# all_gather


@answers("all_gather")
def by_pairs_of_all(comm, x):
    found = {comm.rank: x}
    for distance in range(1, comm.size):
        to, source = (comm.rank + distance) % comm.size, (comm.rank - distance) % comm.size
        found[source] = _turn(comm, x, to, source)
    return torch.cat([found[rank] for rank in sorted(found)], dim=0)


@answers("all_gather")
def by_a_broadcast_of_each(comm, x):
    every = [by_a_plan_of_rounds(comm, x if rank == comm.rank else None, rank) for rank in range(comm.size)]
    result = x.new_empty(sum(map(len, every)), *x.shape[1:])
    place = 0
    for part in every:
        result[place : place + len(part)].copy_(part)
        place += len(part)
    return result


@answers("all_gather")
def by_rank_0_and_only_what_is_missing(comm, x):
    if comm.rank:
        comm.send(x, 0)
        return torch.cat([comm.recv(0), x, comm.recv(0)])
    every = [x, *map(comm.recv, range(1, comm.size))]
    for rank in range(1, comm.size):
        comm.send(torch.cat(every[:rank]), rank)
        comm.send(torch.cat([x[:0], *every[rank + 1 :]]), rank)
    return torch.cat(every)


@answers("all_gather")
def by_a_ring_of_its_own(comm, x):
    ring, came, found = _Ring(comm), x.clone(), [x]
    for _ in range(comm.size - 1):
        came = ring.pass_back(came)
        found.append(came)
    rows = [row for rank in range(comm.size) for row in found[(rank - comm.rank) % comm.size]]
    return torch.stack(rows) if rows else x.clone()


# all_reduce


@answers("all_reduce")
def by_rows(comm, x):
    if x.ndim == 0:
        return by_rows(comm, x[None])[0]
    return by_pairs_of_all(comm, by_pairs_at_every_distance(comm, x))


@answers("all_reduce")
def by_numbers_one_at_a_time(comm, x):
    flat = x.clone().flatten()
    mine = by_who_sends_to_whom(comm, flat)
    return by_pairs_of_all(comm, mine).view(x.shape)


@answers("all_reduce")
def by_two_rings_backward(comm, x):
    shape, dtype = x.shape, x.dtype
    total = by_a_ring_of_its_own(comm, by_a_ring_backward(comm, torch.atleast_1d(x).flatten()))
    return total.to(dtype).reshape(shape)
