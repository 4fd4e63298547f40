"""Kata 18, solved: collectives by messages, and what they cost."""

from typing import Any

import torch
from torch import Tensor, nn

Comm = Any


def ring_seconds(nbytes: float, world: int, bandwidth: float, latency: float = 0.0) -> float:
    """Count world - 1 steps until each part is summed somewhere, and as many until it is everywhere."""
    if world < 1 or bandwidth <= 0:
        raise ValueError(f"{world} ranks, {bandwidth} bytes per second")
    return 2 * (world - 1) * (latency + nbytes / world / bandwidth)


def stuck_ranks(programs: list[list[tuple[str, int]]]) -> list[int]:
    """Move on two ranks that wait for each other, as long as there are any."""
    at = [0] * len(programs)

    def wants(rank: int) -> tuple[str, int] | None:
        return programs[rank][at[rank]] if at[rank] < len(programs[rank]) else None

    def meeting() -> tuple[int, int] | None:
        for rank in range(len(programs)):
            what = wants(rank)
            if what and what[0] == "send" and wants(what[1]) == ("recv", rank):
                return rank, what[1]
        return None

    while pair := meeting():
        for rank in pair:
            at[rank] += 1
    return [rank for rank in range(len(programs)) if wants(rank)]


def broadcast(comm: Comm, x: Tensor | None, root: int = 0) -> Tensor:
    """Send x on from every rank that has it: in each round twice as many, counted from root."""
    place, have = (comm.rank - root) % comm.size, 1
    while have < comm.size:
        if place < have and place + have < comm.size:
            comm.send(x, (comm.rank + have) % comm.size)
        elif have <= place < 2 * have:
            x = comm.recv((comm.rank - have) % comm.size)
        have *= 2
    assert x is not None
    return x


def reduce_scatter(comm: Comm, x: Tensor) -> Tensor:
    """Pass each part once around the ring, and add each rank's own to it."""
    parts = list(torch.tensor_split(x, comm.size))
    for step in range(1, comm.size):
        come = (comm.rank - step - 1) % comm.size
        parts[come] = parts[come] + _pass_on(comm, parts[(comm.rank - step) % comm.size])
    return parts[comm.rank]


def all_gather(comm: Comm, x: Tensor) -> Tensor:
    """Pass each rank's part once around the ring."""
    parts = [x] * comm.size
    for step in range(1, comm.size):
        parts[(comm.rank - step) % comm.size] = _pass_on(comm, parts[(comm.rank - step + 1) % comm.size])
    return torch.cat(parts)


def all_reduce(comm: Comm, x: Tensor) -> Tensor:
    """Sum each part in one place, and pass it on from there to all."""
    return all_gather(comm, reduce_scatter(comm, x.reshape(-1))).reshape(x.shape)


def gradient_buckets(sizes: list[int], cap: int) -> list[list[int]]:
    """Start from the last one, and open a new bucket when the one before is full."""
    buckets: list[list[int]] = []
    room = 0
    for index in reversed(range(len(sizes))):
        if room <= 0:
            buckets.append([])
            room = cap
        buckets[-1].append(index)
        room -= sizes[index]
    return buckets


@torch.no_grad()
def start_alike(comm: Comm, model: nn.Module) -> None:
    """Copy tensor by tensor, into the memory that each has."""
    for tensor in (*model.parameters(), *model.buffers()):
        tensor.copy_(broadcast(comm, None if comm.rank else tensor))


@torch.no_grad()
def average_gradients(comm: Comm, model: nn.Module, samples: int) -> None:
    """Weight each gradient by its samples; the same message says whether there is one."""
    for parameter in model.parameters():
        if not parameter.requires_grad:
            continue
        mine = parameter.grad if samples else None
        total = torch.zeros(parameter.numel() + 2, dtype=parameter.dtype)
        total[0] = samples
        if mine is not None:
            total[1] = 1
            total[2:] = samples * mine.flatten()
        total = all_reduce(comm, total)
        parameter.grad = (total[2:] / total[0]).reshape(parameter.shape) if total[1] else None


def _pass_on(comm: Comm, x: Tensor) -> Tensor:
    """Send to the next rank, and receive from the one before; if all sent first, all would wait."""
    following, before = (comm.rank + 1) % comm.size, (comm.rank - 1) % comm.size
    if comm.rank % 2 == 0:
        comm.send(x, following)
        return comm.recv(before)  # type: ignore[no-any-return]
    come = comm.recv(before)
    comm.send(x, following)
    return come  # type: ignore[no-any-return]
