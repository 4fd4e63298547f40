"""What a run on all ranks gives: by counting, by the network, and by torch in one process."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor

from ..shared.described import Lines
from ..shared.network import Comm, Deadlock, run
from . import scenarios
from .strategies_models import Average

Programs = tuple[tuple[tuple[str, int], ...], ...]


@functools.cache
def ring_steps(world: int) -> int:
    """Steps of a ring until each rank has the numbers of all in each part, counted on a list."""
    has = [[{rank} for _ in range(world)] for rank in range(world)]
    steps = 0
    while any(len(part) < world for parts in has for part in parts):
        passed = [(rank, (rank - steps) % world) for rank in range(world)]
        moved = [(((rank + 1) % world), part, set(has[rank][part])) for rank, part in passed]
        for rank, part, ranks in moved:
            has[rank][part] |= ranks
        steps += 1
    return steps


def ring_seconds(nbytes: float, world: int, bandwidth: float, latency: float) -> float:
    """Add up one step after another."""
    return sum((latency + nbytes / world / bandwidth for _ in range(ring_steps(world))), start=0.0)


@functools.cache
def stuck_ranks(programs: Programs) -> list[int]:
    """Return the ranks to which the network reports a deadlock, when threads run these programs."""

    def work(comm: Comm) -> None:
        for what, peer in programs[comm.rank]:
            if what == "send":
                comm.send(torch.zeros(0), peer)
            else:
                comm.recv(peer)

    errors = run([work] * len(programs)).errors
    assert all(error is None or isinstance(error, Deadlock) for error in errors)
    return [rank for rank, error in enumerate(errors) if error is not None]


def collective(function: str, xs: Sequence[Tensor], root: int | None) -> list[Tensor]:
    """What each rank should get, by torch in one process."""
    if function == "broadcast":
        return [xs[root or 0]] * len(xs)
    if function == "all_gather":
        return [torch.cat(list(xs))] * len(xs)
    total = torch.stack(list(xs)).sum(0, dtype=xs[0].dtype)
    return [total] * len(xs) if function == "all_reduce" else list(torch.tensor_split(total, len(xs)))


def nbytes(x: Tensor) -> int:
    """Bytes of its numbers."""
    return x.numel() * x.element_size()


def largest_part(x: Tensor, size: int) -> int:
    """Bytes of the largest part; of a single number, its own."""
    return nbytes(x) if x.ndim == 0 else max(map(nbytes, torch.tensor_split(x, size)))


def gradient_buckets(sizes: Sequence[int], cap: int) -> list[list[int]]:
    """As DistributedDataParallel's own function has it, for parameters in reverse."""
    if not sizes:
        return []
    reverse = [torch.empty(size, dtype=torch.uint8, device="meta") for size in reversed(sizes)]
    buckets, _ = dist._compute_bucket_assignment_by_size(reverse, [cap])  # type: ignore[attr-defined]
    return [[len(sizes) - 1 - place for place in bucket] for bucket in buckets]


def start_alike(lines: Lines, again: bool) -> tuple[dict[str, Tensor], int]:
    """The parameters and buffers of rank 0 by name, and the bytes of all of them."""
    model = scenarios.made(0, lines)
    if again:
        scenarios.move(0, model)
    return scenarios.told(scenarios.tensors(model)), sum(map(nbytes, (*model.parameters(), *model.buffers())))


class Averaged(NamedTuple):
    """The model after one backward of all samples at once, and what each rank had before.

    unsaid: the names of parameters of which only ranks without samples have a gradient. least: the bytes of gradients
    that others have, for each rank.
    """

    grads: dict[str, Tensor | None]
    parameters: dict[str, Tensor]
    frozen: list[dict[str, Tensor | None]]
    unsaid: set[str]
    least: list[int]


def average_gradients(case: Average) -> Averaged:
    """One backward of all samples in one process."""
    model = scenarios.made(0, case.at_once)
    grads = scenarios.told({name: p.grad for name, p in model.named_parameters()})
    models = [scenarios.made(rank, case.lines) for rank in range(len(case.samples))]
    frozen = [{name: p.grad for name, p in one.named_parameters() if not p.requires_grad} for one in models]
    held = [{name: p for name, p in one.named_parameters() if p.grad is not None and p.requires_grad} for one in models]
    unsaid = {name for one in held for name in one if grads[name] is None}
    least = []
    for rank in range(len(models)):
        others = [one for other, one in enumerate(held) if other != rank and case.samples[other]]
        least.append(sum(map(nbytes, {name: p for one in others for name, p in one.items()}.values())))
    return Averaged(grads, scenarios.told(dict(model.named_parameters())), frozen, unsaid, least)
