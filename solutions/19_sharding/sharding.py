"""Kata 19, solved: which slice each rank holds, what that saves, and what it sends."""

import itertools
import math
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

Group = Any
Shape = tuple[int, ...]


def shard_slices(size: int, world_size: int) -> list[tuple[int, int]]:
    """Cut chunks of one length, as long as rows are left."""
    if size < 0 or world_size < 1:
        raise ValueError(f"{size} rows on {world_size} ranks")
    chunk = _ceil(size, world_size)
    return list(itertools.pairwise(min(rank * chunk, size) for rank in range(world_size + 1)))


def flat_shard(numels: list[int], rank: int, world_size: int) -> tuple[list[tuple[int, int]], int]:
    """Intersect this rank's interval with that of each parameter."""
    if min(numels, default=0) < 0 or not 0 <= rank < world_size:
        raise ValueError(f"rank {rank} of {world_size}, {numels} elements")
    length, begin, parts = _ceil(sum(numels), world_size), 0, []
    for numel in numels:
        start = max(rank * length - begin, 0)
        stop = min(rank * length + length - begin, numel)
        parts.append((start, stop) if start < stop else (0, 0))
        begin += numel
    return parts, length - sum(stop - start for start, stop in parts)


def rank_bytes(
    shapes: list[Shape], world_size: int, stage: int, param_bytes: int = 2, grad_bytes: int = 2, state_bytes: int = 12
) -> list[tuple[int, int, int]]:
    """Count each rank's rows of each parameter, or all of them."""
    cuts = _sharded(stage)
    if () in shapes:
        raise ValueError("a parameter without dimensions is not sharded")
    whole = sum(map(math.prod, shapes))
    slices = [shard_slices(shape[0], world_size) for shape in shapes]
    held = []
    for rank in range(world_size):
        rows = [stop - start for start, stop in (each[rank] for each in slices)]
        part = sum(count * math.prod(shape[1:]) for count, shape in zip(rows, shapes, strict=True))
        params, grads, states = (part if cut else whole for cut in cuts)
        held.append((param_bytes * params, grad_bytes * grads, state_bytes * states))
    return held


def largest_sharded_model(
    num_gpus: int, bytes_per_gpu: int, stage: int, param_bytes: int = 4, grad_bytes: int = 4, state_bytes: int = 8
) -> int:
    """Count rounds of one more element on each rank, then what still fits beside one more on the fullest rank."""
    widths = param_bytes, grad_bytes, state_bytes
    part = sum(width for width, cut in zip(widths, _sharded(stage), strict=True) if cut)
    whole = sum(widths) - part
    if num_gpus < 1 or min(widths) < 0 or not any(widths):
        raise ValueError(f"{num_gpus} GPUs, {widths} bytes")
    rounds, left = divmod(bytes_per_gpu, num_gpus * whole + part)
    return rounds * num_gpus + (max(left - part, 0) // whole if whole else 0)


def comm_elements(numel: int, world_size: int, stage: int) -> int:
    """Count two collectives, or three if parameters are gathered twice."""
    collectives = 3 if all(_sharded(stage)) else 2
    return collectives * (world_size - 1) * _ceil(numel, world_size)


class ShardedAdam:
    """Two averages and a count of steps for a piece of each parameter."""

    def __init__(
        self,
        params: list[Tensor],
        group: Group,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ) -> None:
        self.params, self.group = list(params), group
        self.lr, self.betas, self.eps = lr, betas, eps
        self.steps = [0] * len(self.params)
        self.averages = [torch.zeros(2, _ceil(p.numel(), group.size), dtype=p.dtype) for p in self.params]

    @torch.no_grad()
    def step(self) -> None:
        """Reduce-scatter the gradient, update this rank's piece, and gather all pieces."""
        for index, (p, (mean, square)) in enumerate(zip(self.params, self.averages, strict=True)):
            if p.grad is None:
                continue
            grad = self.group.reduce_scatter(self._pieces(p.grad)) / self.group.size
            self.steps[index] += 1
            for average, value, beta in zip((mean, square), (grad, grad.square()), self.betas, strict=True):
                average.mul_(beta).add_((1 - beta) * value)
            unbiased, root = (
                average / (1 - beta ** self.steps[index])
                for average, beta in zip((mean, square), self.betas, strict=True)
            )
            own = self._pieces(p)[self.group.rank] - self.lr * unbiased / (root.sqrt() + self.eps)
            p.copy_(torch.cat(self.group.all_gather(own))[: p.numel()].reshape(p.shape))

    def _pieces(self, x: Tensor) -> list[Tensor]:
        """Cut x into one piece for each rank, all of one length."""
        size = self.group.size
        return list(F.pad(x.flatten(), (0, -x.numel() % size)).reshape(size, -1))


@torch.no_grad()
def fully_sharded_step(
    group: Group, shapes: list[Shape], shards: list[Tensor], x: Tensor, target: Tensor, lr: float
) -> list[Tensor]:
    """Gather each weight where it is used, forward and backward, and keep this rank's rows of its gradient."""

    def gathered(layer: int) -> Tensor:
        rows = _ceil(shapes[layer][0], group.size)
        return torch.cat(group.all_gather(_pad(shards[layer], rows)))[: shapes[layer][0]]

    inputs = [x]
    for layer in range(len(shapes)):
        h = inputs[-1] @ gathered(layer).T
        inputs.append(h.relu() if layer < len(shapes) - 1 else h)
    y = inputs.pop()
    grad = 2 * (y - target) / (y.numel() * group.size)
    new = list(shards)
    for layer in reversed(range(len(shapes))):
        rows = _ceil(shapes[layer][0], group.size)
        pieces = _pad(grad.T @ inputs[layer], rows * group.size).split(rows)
        new[layer] = shards[layer] - lr * group.reduce_scatter(list(pieces))[: len(shards[layer])]
        grad = grad @ gathered(layer) * (inputs[layer] > 0)
    return new


def tensor_parallel_mlp(group: Group, x: Tensor, w1: Tensor, b1: Tensor, w2: Tensor, b2: Tensor) -> Tensor:
    """Each rank has its rows of the first layer and the same columns of the second: one sum each way."""
    hidden = F.gelu(_Copy.apply(x, group) @ w1.T + b1)
    return _Sum.apply(hidden @ w2.T, group) + b2


class _Copy(torch.autograd.Function):
    """The same x on every rank: its gradient is the sum of the ranks' gradients."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, group: Group) -> Tensor:
        """Pass x on."""
        ctx.group = group
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:  # type: ignore[override]
        """Add up the gradients of all ranks."""
        return ctx.group.all_reduce(grad), None


class _Sum(torch.autograd.Function):
    """The sum of all ranks' parts: each part has the gradient of the sum."""

    @staticmethod
    def forward(ctx: Any, part: Tensor, group: Group) -> Tensor:
        """Add up the parts."""
        return group.all_reduce(part)  # type: ignore[no-any-return]

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:  # type: ignore[override]
        """Pass it on."""
        return grad, None


def _sharded(stage: int) -> tuple[bool, bool, bool]:
    """Return whether parameters, gradients and states are sharded."""
    if stage not in range(4):
        raise ValueError(f"there is no stage {stage}")
    return stage > 2, stage > 1, stage > 0


def _ceil(size: int, parts: int) -> int:
    return -(-size // parts)


def _pad(x: Tensor, rows: int) -> Tensor:
    """Pad x to this many rows, with zeros at the end."""
    return F.pad(x, (0, 0, 0, rows - len(x)))
