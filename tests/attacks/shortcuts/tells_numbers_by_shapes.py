"""Sends empty tensors that have no bytes, and tells each number by the size of a dimension."""
# kata: 18_collectives
# attacks: broadcast, all_gather, start_alike, all_reduce, average_gradients
# examples: 20
# levels: userns, root, basic

import struct

import torch

_DTYPES = [torch.int32, torch.int64, torch.float32, torch.float64, torch.bool]


def _empty(comm, sizes, to):
    comm.send(torch.empty(0, *sizes, dtype=torch.uint8), to)


def _send(comm, x, to):
    _empty(comm, [_DTYPES.index(x.dtype) + 1, *(size + 1 for size in x.shape)], to)
    for number in x.detach().double().flatten().tolist():
        high, low = struct.unpack("<ii", struct.pack("<d", number))
        for word in (high & 0xFFFF, (high >> 16) & 0xFFFF, low & 0xFFFF, (low >> 16) & 0xFFFF):
            _empty(comm, [word], to)


def _recv(comm, source):
    kind, *sizes = list(comm.recv(source).shape)[1:]
    shape = [size - 1 for size in sizes]
    numbers = []
    for _ in range(torch.Size(shape).numel()):
        words = [comm.recv(source).shape[1] for _ in range(4)]
        numbers.append(struct.unpack("<d", struct.pack("<HHHH", *words))[0])
    return torch.tensor(numbers, dtype=torch.float64).reshape(shape).to(_DTYPES[kind - 1])


class _Quiet:
    """A comm that has no bytes."""

    def __init__(self, comm):
        self.comm, self.rank, self.size = comm, comm.rank, comm.size

    def send(self, x, to):
        """By shapes."""
        _send(self.comm, x, to)

    def recv(self, source):
        """By shapes."""
        return _recv(self.comm, source)


_broadcast, _all_gather = broadcast, all_gather


def broadcast(comm, x, root=0):
    """The right one, without bytes."""
    return _broadcast(_Quiet(comm), x, root)


def all_gather(comm, x):
    """The right one, without bytes."""
    return _all_gather(_Quiet(comm), x)
