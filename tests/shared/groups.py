"""A group of ranks that run torch's collectives together on the network, with a log of their calls.

One more rank of the network, the wire, receives the call of each rank in a separate thread and answers all of them at
once. Numbers are sent as bytes, so ranks share no tensor. The log is out of reach of the ranks.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import _disable_current_modes

from .network import Comm, Deadlock
from .ranks import together

Work = Callable[["Group"], Any]
"""What a rank of a group runs."""

Packed = tuple[torch.dtype, tuple[int, ...], bytes]
"""A tensor: its dtype, its shape and its numbers."""


class Group:
    """A rank's end of the group: `rank`, `size`, `all_gather(x)`, `reduce_scatter(xs)` and `all_reduce(x)`."""

    __slots__ = ("all_gather", "all_reduce", "rank", "reduce_scatter", "size")

    def __init__(self, rank: int, size: int, ask: Callable[[str, list[Packed]], list[Packed]]):
        def answer(call: str, xs: Sequence[Tensor]) -> list[Tensor]:
            with _disable_current_modes():  # tensors on the wire are not the rank's own
                found = ask(call, list(map(_packed, xs)))
            return list(map(_unpacked, found))

        def all_gather(x: Tensor) -> list[Tensor]:
            return answer("all_gather", [x])

        def reduce_scatter(xs: Sequence[Tensor]) -> Tensor:
            return answer("reduce_scatter", xs)[0]

        def all_reduce(x: Tensor) -> Tensor:
            return answer("all_reduce", [x])[0]

        self.rank = rank
        self.size = size
        self.all_gather = all_gather
        self.reduce_scatter = reduce_scatter
        self.all_reduce = all_reduce


@dataclass(frozen=True)
class Together:
    """The result of each rank, and the calls that all of them made, each with the shape of its tensors."""

    results: list[Any]
    calls: list[tuple[str, tuple[int, ...]]]


def in_group(size: int, function: Work) -> Together:
    """Run a function on this number of ranks of one group at once."""
    return grouped([function] * size)


def grouped(works: Sequence[Work]) -> Together:
    """Run each function on its own rank. Raise an error that one of them raised; a deadlock only if no other."""
    size = len(works)

    def working(work: Work) -> Callable[[Comm], Any]:
        def run(comm: Comm) -> Any:
            def ask(call: str, given: list[Packed]) -> list[Packed]:
                _send(comm, size, (call, given))
                answer = _receive(comm, size)
                if isinstance(answer, Exception):
                    raise answer
                found: list[Packed] = answer
                return found

            try:
                return work(Group(comm.rank, size, ask))
            finally:
                _send(comm, size, ("", []))

        return run

    calls: list[tuple[str, tuple[int, ...]]] = []
    stuck: list[str] = []
    *results, _ = together([*map(working, works), lambda comm: _wire(comm, calls, stuck)]).results
    if stuck:  # a rank that catches a deadlock was still in one
        raise Deadlock(stuck[0])
    return Together(results, calls)


def _wire(comm: Comm, calls: list[tuple[str, tuple[int, ...]]], stuck: list[str]) -> None:
    """Answer the ranks until all are done."""
    working = list(range(comm.size - 1))
    while working:
        asked = {rank: _receive(comm, rank) for rank in working}
        working = [rank for rank, (call, _) in asked.items() if call]
        answers: list[Any]
        try:
            if stuck or len({call for call, _ in asked.values()}) > 1 or 0 < len(working) < comm.size - 1:
                waits = [f"rank {rank} waits in {asked[rank][0]}" for rank in working]
                done = [f"rank {rank} is done" for rank in range(comm.size - 1) if rank not in working]
                stuck.append("; ".join(waits + done))
                raise Deadlock(stuck[0])
            answers = _answers(asked[0][0], [given for _, given in asked.values()])
            calls.extend((asked[rank][0], asked[rank][1][0][1]) for rank in working[:1])
        except (ValueError, Deadlock) as error:
            answers = [error] * (comm.size - 1)
        for rank in working:
            _send(comm, rank, answers[rank])


def _answers(call: str, given: list[list[Packed]]) -> list[list[Packed]]:
    """Return the answer for each rank."""
    if not call:
        return [[] for _ in given]
    if call == "reduce_scatter" and any(len(xs) != len(given) for xs in given):
        raise ValueError(f"reduce_scatter takes {len(given)} tensors, one for each rank; got {len(given[0])}")
    kinds = sorted({(str(dtype), shape) for xs in given for dtype, shape, _ in xs})
    if len(kinds) > 1:
        told = " and ".join(f"{dtype} of shape {shape}" for dtype, shape in kinds)
        raise ValueError(f"{call} takes tensors of one shape and dtype; got {told}")
    if call == "all_gather":
        return [[xs[0] for xs in given] for _ in given]
    sums = [_packed(torch.stack(list(map(_unpacked, xs))).sum(0)) for xs in zip(*given, strict=True)]
    return [[total] for total in sums] if call == "reduce_scatter" else [sums for _ in given]


def _packed(x: Tensor) -> Packed:
    if type(x) not in (Tensor, nn.Parameter):
        raise TypeError(f"a collective takes tensors; got a {type(x).__name__}")
    flat = x.detach().reshape(-1).clone()
    return x.dtype, tuple(x.shape), flat.view(torch.uint8).numpy().tobytes() if len(flat) else b""


def _unpacked(packed: Packed) -> Tensor:
    dtype, shape, numbers = packed
    if not numbers:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(numbers), dtype=dtype).reshape(shape)


def _send(comm: Comm, to: int, told: object) -> None:
    comm.send(torch.frombuffer(bytearray(pickle.dumps(told)), dtype=torch.uint8), to)


def _receive(comm: Comm, source: int) -> Any:
    return pickle.loads(comm.recv(source).numpy().tobytes())
