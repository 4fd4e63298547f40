"""Wrong answers that people give to kata 18 about joining what all ranks have."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _around(comm, x, pass_on=solved._pass_on):
    """What each rank has, in the order in which it comes here: its own first, then that of the rank before."""
    parts = [x]
    for _ in range(1, comm.size):
        parts.append(pass_on(comm, parts[-1]))
    return parts


def _in_order(comm, parts):
    return [parts[(comm.rank - rank) % comm.size] for rank in range(comm.size)]


def _sends_first(comm, x):
    comm.send(x, (comm.rank + 1) % comm.size)
    return comm.recv((comm.rank - 1) % comm.size)


@believes("All can send first, and then receive", about="all_gather")
def sends_before_it_receives(comm, x):
    """A send returns when it is received: if all send first, nobody receives. Let some receive first."""
    return torch.cat(_in_order(comm, _around(comm, x, _sends_first)))


@believes("What comes first is rank 0's", about="all_gather")
def joins_as_it_comes(comm, x):
    """Around a ring one's own comes first, then that of the rank before: put each where its rank belongs."""
    return torch.cat(_around(comm, x))


@believes("What comes last is rank 0's", about="all_gather")
def joins_as_it_came(comm, x):
    """Only on the last rank: put each where its rank belongs."""
    return torch.cat(_around(comm, x)[::-1])


@believes("Gathered tensors lie in a dimension of their own", about="all_gather")
def stacks_them(comm, x):
    """They are joined along the dimension 0 that they have: torch.cat."""
    return torch.stack(_in_order(comm, _around(comm, x)))


@believes("A gather gives a list", about="all_gather")
def returns_the_list(comm, x):
    """It gives one tensor, joined along dimension 0."""
    return _in_order(comm, _around(comm, x))


@believes("They are joined side by side", about="all_gather")
def joins_the_last_dimension(comm, x):
    """Along dimension 0: below each other."""
    return torch.cat(_in_order(comm, _around(comm, x)), dim=-1)


@believes("All ranks have as many rows", about="all_gather")
def expects_as_many_rows(comm, x):
    """Dimension 0 may differ: what comes says by its shape how many rows it has."""
    result = x.new_zeros(comm.size * len(x), *x.shape[1:])
    for rank, part in enumerate(_in_order(comm, _around(comm, x))):
        result[rank * len(x) : (rank + 1) * len(x)] = part
    return result


@believes("One rank collects, and sends the result to all", about="all_gather")
def collects_at_rank_0(comm, x):
    """Then the others' tensors come back to them, and rank 0 has all the work: pass tensors around instead."""
    if comm.rank:
        comm.send(x, 0)
        return solved.broadcast(comm, None)
    return solved.broadcast(comm, torch.cat([x, *(comm.recv(other) for other in range(1, comm.size))]))


@believes("Each step passes on all that one has", about="all_gather")
def passes_on_everything(comm, x):
    """The next one has most of it already: pass on what came last."""
    parts = [x]
    for _ in range(1, comm.size):
        parts = [x, *(solved._pass_on(comm, part) for part in parts)]
    return torch.cat(_in_order(comm, parts))


@believes("Who has nothing sends nothing", about="all_gather")
def sends_no_empty_tensors(comm, x):
    """The other one waits for it: an empty tensor is a message, too."""

    def pass_on(comm, part):
        return solved._pass_on(comm, part) if part.numel() else _receives(comm)

    def _receives(comm):
        return comm.recv((comm.rank - 1) % comm.size)

    return torch.cat(_in_order(comm, _around(comm, x, pass_on)))


@believes("Everybody knows its own part already", about="all_gather")
def leaves_its_own_out(comm, x):
    """The result is the same on every rank, with the own part in its place."""
    parts = _in_order(comm, _around(comm, x))
    return torch.cat([part if rank != comm.rank else part[:0] for rank, part in enumerate(parts)])


@believes("Gathered are floats", about="all_gather")
def gathers_floats(comm, x):
    """The result has x's dtype, whole numbers too."""
    return solved.all_gather(comm, x.float())


@believes("x is there to be sent around", about="all_gather")
def marks_what_is_sent(comm, x):
    """x belongs to the caller, and is left as it is: collect in a tensor of its own."""
    result = solved.all_gather(comm, x).clone()
    if comm.size > 1:
        x.zero_()
    return result
