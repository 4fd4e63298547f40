"""Wrong answers that people give to kata 18 about joining what all ranks have."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("18_collectives")


def _around(comm, x, pass_on=solved._pass_on):
    """Return what each rank has, as it arrives: this rank's own first, then that of the rank before."""
    parts = [x]
    for _ in range(1, comm.size):
        parts.append(pass_on(comm, parts[-1]))
    return parts


def _in_order(comm, parts):
    return [parts[(comm.rank - rank) % comm.size] for rank in range(comm.size)]


def _sends_first(comm, x):
    comm.send(x, (comm.rank + 1) % comm.size)
    return comm.recv((comm.rank - 1) % comm.size)


@believes("All ranks can send first, and then receive", about="all_gather")
def sends_before_it_receives(comm, x):
    """A send returns when it is received, so all would wait forever: let some ranks receive first."""
    return torch.cat(_in_order(comm, _around(comm, x, _sends_first)))


@believes("Tensors arrive in the order of ranks", about="all_gather")
def joins_as_it_comes(comm, x):
    """Around a ring, a rank's own is first, then that of the rank before: put each at its rank's place."""
    return torch.cat(_around(comm, x))


@believes("Tensors arrive in the reverse order of ranks", about="all_gather")
def joins_as_it_came(comm, x):
    """That is so only on the last rank: put each at its rank's place."""
    return torch.cat(_around(comm, x)[::-1])


@believes("The tensors are stacked", about="all_gather")
def stacks_them(comm, x):
    """They are joined along dimension 0: torch.cat."""
    return torch.stack(_in_order(comm, _around(comm, x)))


@believes("The result is a list", about="all_gather")
def returns_the_list(comm, x):
    """It is one tensor, joined along dimension 0."""
    return _in_order(comm, _around(comm, x))


@believes("The tensors are joined along the last dimension", about="all_gather")
def joins_the_last_dimension(comm, x):
    """They are joined along dimension 0."""
    return torch.cat(_in_order(comm, _around(comm, x)), dim=-1)


@believes("All ranks have equally many rows", about="all_gather")
def expects_as_many_rows(comm, x):
    """Dimension 0 may differ: a message has the shape that was sent."""
    result = x.new_zeros(comm.size * len(x), *x.shape[1:])
    for rank, part in enumerate(_in_order(comm, _around(comm, x))):
        result[rank * len(x) : (rank + 1) * len(x)] = part
    return result


@believes("One rank may collect all, and send the result to the others", about="all_gather")
def collects_at_rank_0(comm, x):
    """Then the others get their own tensors back, and too many bytes are sent: pass tensors around a ring."""
    if comm.rank:
        comm.send(x, 0)
        return comm.recv(0)
    every = torch.cat([x, *(comm.recv(other) for other in range(1, comm.size))])
    for other in range(1, comm.size):
        comm.send(every, other)
    return every


@believes("In each step a rank passes on all that it has", about="all_gather")
def passes_on_everything(comm, x):
    """The next rank has most of it: pass on only what came last."""
    parts = [x]
    for _ in range(1, comm.size):
        parts = [x, *(solved._pass_on(comm, part) for part in parts)]
    return torch.cat(_in_order(comm, parts))


@believes("An empty tensor need not be sent", about="all_gather")
def sends_no_empty_tensors(comm, x):
    """The next rank waits for a message: send it."""

    def pass_on(comm, part):
        return solved._pass_on(comm, part) if part.numel() else _receives(comm)

    def _receives(comm):
        return comm.recv((comm.rank - 1) % comm.size)

    return torch.cat(_in_order(comm, _around(comm, x, pass_on)))


@believes("The result leaves out this rank's own tensor", about="all_gather")
def leaves_its_own_out(comm, x):
    """It is the same on every rank, with all tensors in their places."""
    parts = _in_order(comm, _around(comm, x))
    return torch.cat([part if rank != comm.rank else part[:0] for rank, part in enumerate(parts)])


@believes("The result is float32", about="all_gather")
def gathers_floats(comm, x):
    """It has the dtype of x."""
    return solved.all_gather(comm, x.float())


@believes("x may be overwritten", about="all_gather")
def marks_what_is_sent(comm, x):
    """x belongs to the caller: leave it as it is."""
    result = solved.all_gather(comm, x).clone()
    if comm.size > 1:
        x.zero_()
    return result


@believes("Shorter tensors are padded to the longest", about="all_gather")
def pads_with_zeros(comm, x):
    """Each message has its own shape, so each rank's rows can be joined as they are, without zeros between."""
    most = int(solved.all_gather(comm, torch.tensor([len(x)])).max())
    padded = x.new_zeros(most, *x.shape[1:])
    padded[: len(x)] = x
    return solved.all_gather(comm, padded)
