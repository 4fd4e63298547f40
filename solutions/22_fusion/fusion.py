"""Kata 22, solved: touch memory once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

Program = list[tuple[str, list[str]]]


def eager_bytes(program: Program, numel: int, itemsize: int) -> int:
    """Count the operands and the result of each operation."""
    _made(program)
    return sum(len(set(inputs)) + 1 for _, inputs in program) * numel * itemsize


def _made(program: Program) -> set[str]:
    """Return the names that a program makes; raise ValueError if it is invalid."""
    used: set[str] = set()
    for name, inputs in program:
        used.update(inputs)
        if not inputs or name in used:
            raise ValueError(f"{name} is made of nothing, or was there before")
        used.add(name)
    return {name for name, _ in program}


def fused_bytes(program: Program, outputs: list[str], numel: int, itemsize: int) -> int:
    """Collect what is needed, from the last operation to the first."""
    made = _made(program)
    if not made.issuperset(outputs):
        raise ValueError("an output that no operation makes")
    needed = set(outputs)
    for name, inputs in reversed(program):
        if name in needed:
            needed.update(inputs)
    return (len(needed - made) + len(set(outputs))) * numel * itemsize


def fuse(ops: list[tuple[str, list[int]]]) -> list[list[int]]:
    """Run every "other" that can run, then all pointwise operations that can, in one kernel: each waits if it may.

    So an operation is in the latest phase of those that it needs, or one later if an "other" needs a pointwise one.
    """
    phases: list[int] = []
    for number, (kind, needs) in enumerate(ops):
        if kind not in ("pointwise", "other") or not all(0 <= need < number for need in needs):
            raise ValueError(f"operation {number}: {kind} {needs}")
        waits = [phases[need] + (kind == "other" and ops[need][0] == "pointwise") for need in needs]
        phases.append(max(waits, default=0))
    kernels = []
    for phase in sorted(set(phases)):
        here = [number for number in range(len(ops)) if phases[number] == phase]
        kernels += [[number] for number in here if ops[number][0] == "other"]
        kernels += [shared] if (shared := [number for number in here if ops[number][0] == "pointwise"]) else []
    return kernels


def tiled_matmul_bytes(m: int, k: int, n: int, block_m: int, block_n: int, itemsize: int) -> int:
    """Read the first matrix for each column of tiles, and the second one for each row of tiles."""
    if min(block_m, block_n) < 1:
        raise ValueError(f"tiles of ({block_m}, {block_n})")
    return (-(-n // block_n) * m * k + -(-m // block_m) * k * n + m * n) * itemsize


def online_logsumexp(blocks: Iterable[Tensor]) -> Tensor:
    """Keep the largest element so far, and the sum of exponentials relative to it."""
    top, total = torch.tensor(-math.inf), torch.tensor(0.0)
    for block in blocks:
        block = block[block > -math.inf].double()
        if block.numel():
            highest = block.max().maximum(top)
            total = total * (top - highest).exp() + (block - highest).exp().sum()
            top = highest
    return top + total.log()


def add_kernel(tl: Any, x: Any, y: Any, out: Any, n: int, block: int) -> None:
    """Add one block, as far as there are numbers."""
    places = tl.program_id(0) * block + tl.arange(0, block)
    inside = places < n
    tl.store(out + places, tl.load(x + places, inside) + tl.load(y + places, inside), inside)


def matmul_kernel(tl: Any, a: Any, b: Any, c: Any, m: int, k: int, n: int, block: int) -> None:
    """Compute a tile in blocks of k. Beyond k, both sides are 0, since 0 times undefined is undefined."""
    steps = tl.arange(0, block)
    rows, columns = (tl.program_id(0) * block + steps)[:, None], (tl.program_id(1) * block + steps)[None, :]
    tile = tl.zeros((block, block))
    for start in range(0, k, block):
        inner = start + steps
        left = tl.load(a + rows * k + inner, (rows < m) & (inner < k), 0)
        inner = inner[:, None]
        tile += tl.dot(left, tl.load(b + inner * n + columns, (inner < k) & (columns < n), 0))
    tl.store(c + rows * n + columns, tile, (rows < m) & (columns < n))


def flash_attention(q: Tensor, k: Tensor, v: Tensor, block: int, causal: bool = False) -> Tensor:
    """Run an online softmax over the blocks of keys for each block of queries."""
    if block < 1:
        raise ValueError(f"blocks of {block}")
    result = q.new_empty(*q.shape[:-1], v.shape[-1])
    queries, keys = (torch.arange(x.shape[-2], device=q.device) for x in (q, k))
    for rows in queries.split(block):
        part = q[..., rows, :] / math.sqrt(q.shape[-1])
        top, total, weighted = -math.inf, 0.0, 0.0
        for columns in keys.split(block):
            if causal and columns[0] > rows[-1]:
                break
            scores = part @ k[..., columns, :].mT
            if causal:
                scores = scores.masked_fill(columns > rows[:, None], -math.inf)
            highest = scores.amax(-1, keepdim=True).clamp(min=top)
            weights, shrink = (scores - highest).exp(), (top - highest).exp()
            total = total * shrink + weights.sum(-1, keepdim=True)
            weighted = weighted * shrink + weights @ v[..., columns, :]
            top = highest
        result[..., rows, :] = weighted / total
    return result


def clip_norm(x: Tensor, limit: float) -> Tensor:
    """Count a norm below the limit as the limit."""
    # The wrapper that a mutation test puts around a mutant breaks the graph.
    return x * (limit / x.norm().clamp(min=limit))  # pragma: no mutate
