"""Who holds what, and who sends what: what torch's own rules, real tensors and one process say."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.distributed.tensor import Shard
from torch.nn import functional as F

from . import described
from .described import Adam, Mlp, Parallel
from .strategies_models import USUAL, Fit
from .strategies_numbers import Flat, Held, Sent

MIXED = (2, 2, 12)


def shard_slices(size: int, world_size: int) -> list[tuple[int, int]]:
    """As fully_shard places rows."""
    found = []
    for rank in range(world_size):
        rows, start = Shard.local_shard_size_and_offset(size, world_size, rank)
        found.append((start, start + rows))
    return found


def flat_shard(case: Flat) -> tuple[list[tuple[int, int]], int]:
    """On a flat tensor of ids, one for each element; where there are too many for that, as torch places rows."""
    if case.by > 1:
        return flat_shard_of_rows(case)
    owners = [(index, place) for index, numel in enumerate(case.numels) for place in range(numel)]
    flat = F.pad(torch.arange(len(owners)), (0, -len(owners) % case.world_size), value=-1)
    shard: list[int] = flat.reshape(case.world_size, -1)[case.rank].tolist()
    parts = []
    for index in range(len(case.numels)):
        places = [owners[number][1] for number in shard if number >= 0 and owners[number][0] == index]
        parts.append((min(places), max(places) + 1) if places else (0, 0))
    return parts, shard.count(-1)


def flat_shard_of_rows(case: Flat) -> tuple[list[tuple[int, int]], int]:
    """As fully_shard places the rows of one parameter; Python's own slices say what lies in each."""
    total = sum(case.numels)
    fullest, _ = Shard.local_shard_size_and_offset(total, case.world_size, 0)
    held, start = Shard.local_shard_size_and_offset(total, case.world_size, case.rank)
    parts, begin = [], 0
    for numel in case.numels:
        part = range(numel)[max(start - begin, 0) : max(start + held - begin, 0)]
        parts.append((part.start, part.stop) if part else (0, 0))
        begin += numel
    return parts, fullest - held


def _widths(given: tuple[int, ...] | None, usual: tuple[int, int, int]) -> tuple[int, ...]:
    return (*(given or ()), *usual[len(given or ()) :])


def rank_bytes(case: Held) -> list[tuple[int, ...]]:
    """Elements of real tensors: whole ones, and the chunks of them."""
    tensors = [torch.empty(shape, dtype=torch.int8, device="meta") for shape in case.shapes]
    found = []
    for rank in range(case.world_size):
        local = 0
        for x in tensors:
            rows, start = Shard.local_shard_size_and_offset(len(x), case.world_size, rank)
            local += x[start : start + rows].numel()
        whole = sum(x.numel() for x in tensors)
        counts = [local if case.stage >= stage else whole for stage in (3, 2, 1)]
        found.append(tuple(count * width for count, width in zip(counts, _widths(case.widths, MIXED), strict=True)))
    return found


def largest_sharded_model(case: Fit) -> int:
    """By trying: so many fit the fullest rank, and one more does not."""

    def fits(numel: int) -> bool:
        fullest, _ = Shard.local_shard_size_and_offset(numel, case.num_gpus, 0)
        counts = [fullest if case.stage >= stage else numel for stage in (3, 2, 1)]
        widths = _widths(case.widths, USUAL)
        return sum(count * width for count, width in zip(counts, widths, strict=True)) <= case.bytes_per_gpu

    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def comm_elements(case: Sent) -> int:
    """A ring of real pieces, of which rank 0 passes on one in each step until all have all."""
    flat = torch.empty(case.numel, dtype=torch.bool, device="meta")
    pieces = F.pad(flat, (0, -case.numel % case.world_size)).reshape(case.world_size, -1)
    collectives = 3 if case.stage == 3 else 2
    return sum(pieces[-step].numel() for _ in range(collectives) for step in range(1, case.world_size))


def adam(case: Adam) -> list[Tensor]:
    """torch's Adam on the mean gradient of all ranks."""
    params = [p.detach().clone().requires_grad_() for p in case.params]
    groups = described.optimizers(params, case.settings, case.apart)
    optimizer = torch.optim.Adam([{"params": some, **settings} for some, settings in groups])
    every = [case.grads(rank) for rank in range(case.size)]
    for step in range(len(case.steps)):
        for index, p in enumerate(params):
            own = [grads[step][index] for grads in every]
            given = [grad for grad in own if grad is not None]
            p.grad = torch.stack(given).mean(0) if given else None
        optimizer.step()
    return [p.detach() for p in params]


def sharded_step(case: Mlp) -> list[list[Tensor]]:
    """One step of the whole, of which each rank has its rows."""
    return _stepped(described.mlp(case), case.lr)


def deep_step(tensors: described.Tensors) -> list[list[Tensor]]:
    """One step of the deep one."""
    return _stepped(tensors, 0.5)


def _stepped(tensors: described.Tensors, lr: float) -> list[list[Tensor]]:
    """Autograd on the whole batch, with whole weights."""
    weights = [w.clone().requires_grad_() for w in tensors.weights]
    y = described.forward(weights, torch.cat(tensors.xs))
    F.mse_loss(y, torch.cat(tensors.targets)).backward()
    with torch.no_grad():
        new = [w - lr * torch.as_tensor(w.grad) for w in weights]
    return described.sharded(new, len(tensors.xs))


def parallel(case: Parallel) -> list[list[Tensor]]:
    """The unsplit MLP: the output, and the gradients that each rank should have."""
    x, w1, b1, w2, b2 = (t.clone().requires_grad_() for t in case.tensors)
    y = F.linear(F.gelu(F.linear(x, w1, b1)), w2, b2)
    if case.again:
        y = y + F.linear(F.gelu(F.linear(2 * x, w1, b1)), w2, b2)
    y.backward(case.grad)
    if case.elsewhere:
        (case.elsewhere * x.sum()).backward()
    grads = [torch.as_tensor(t.grad) for t in (x, w1, b1, w2, b2)]
    return [[y.detach(), *own] for own in described.parts(grads, case.size)]
