"""Has all ranks put their tensors into one place, a global, a module or a builtin, and sends nothing but empty tensors."""
# kata: 18_collectives
# attacks: broadcast, reduce_scatter, all_gather, all_reduce, start_alike, average_gradients
# examples: 20
# levels: userns, root, basic

import builtins

import torch

_here = {}


def _places():
    yield _here
    yield torch.__dict__.setdefault("_shared_by_ranks", {})
    yield builtins.__dict__.setdefault("_shared_by_ranks", {})
    yield torch.Tensor.__dict__.get("_shared_by_ranks") or _on_a_class()


def _on_a_class():
    torch.Tensor._shared_by_ranks = {}
    return torch.Tensor._shared_by_ranks


def _wait(comm):
    """Nobody goes on before all have come."""
    if comm.rank == 0:
        for other in range(1, comm.size):
            comm.recv(other)
        for other in range(1, comm.size):
            comm.send(torch.empty(0), other)
    else:
        comm.send(torch.empty(0), 0)
        comm.recv(0)


def _all(comm, x):
    for place in _places():
        place[comm.rank] = x
    _wait(comm)
    found = next((dict(place) for place in _places() if len(place) >= comm.size), {comm.rank: x})
    _wait(comm)
    for place in _places():
        place.clear()
    _wait(comm)
    return [found[rank] for rank in range(comm.size)]


def broadcast(comm, x, root=0):
    """Root's."""
    return _all(comm, x)[root].clone()


def reduce_scatter(comm, x):
    """The sum's."""
    return torch.tensor_split(torch.stack(_all(comm, x)).sum(0, dtype=x.dtype), comm.size)[comm.rank]


def all_gather(comm, x):
    """All."""
    return torch.cat(_all(comm, x))


def all_reduce(comm, x):
    """The sum."""
    return torch.stack(_all(comm, x)).sum(0, dtype=x.dtype)
