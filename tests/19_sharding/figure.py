"""The figure of lesson 19: bytes of each rank by stage, and what a step sends."""

from __future__ import annotations

from typing import Any

import torch
from torch.distributed.tensor import Shard

from dojo.figures import BLUE, GREEN, ORANGE
from dojo.judging.diagnose import solution

from ..shared.groups import Group, in_group
from . import described, truth
from .described import Adam, Mlp
from .strategies_numbers import Held

SIZE = 4
DIMS = (8, 13, 13, 8)
"""Of 13 rows the ranks have 4, 4, 4 and 1."""
EVEN = (8, 16, 16, 8)
"""Without padding."""
STAGES = (0, 1, 2, 3)
KINDS = (("parameters", BLUE), ("gradients", ORANGE), ("states", GREEN))


def measure() -> dict[str, Any]:
    """KB of each rank by stage, by kind; and elements that a rank sends in a step of the solutions."""
    case = Mlp(SIZE, DIMS, 1, 1, 0.5)
    held = {stage: truth.rank_bytes(Held(list(case.shapes), SIZE, stage, None)) for stage in STAGES}
    rows = [Shard.local_shard_size_and_offset(13, SIZE, rank)[0] for rank in range(SIZE)]
    return {
        "rows of 13": rows,
        "bytes": [[list(each) for each in held[stage]] for stage in STAGES],
        "sent": _sent(case._replace(dims=EVEN)),
    }


def _sent(case: Mlp) -> list[int]:
    """By a ring: (size - 1) pieces for a reduce_scatter or an all_gather, and twice as many for an all_reduce."""
    solved: Any = solution("19_sharding")
    tensors = described.mlp(case)
    shards = described.sharded(tensors.weights, SIZE)
    adam = Adam(SIZE, list(case.shapes), [[True] * len(case.shapes)], 1, {})

    def reduces(group: Group) -> None:
        for grad in adam.grads(group.rank)[0]:
            assert grad is not None
            group.all_reduce(grad)

    def shards_states(group: Group) -> None:
        params = adam.params
        optimizer = solved.ShardedAdam(params, group)
        for p, grad in zip(params, adam.grads(group.rank)[0], strict=True):
            p.grad = grad
        optimizer.step()

    def shards_all(group: Group) -> None:
        rank = group.rank
        given = shards[rank], tensors.xs[rank], tensors.targets[rank]
        solved.fully_sharded_step(group, list(case.shapes), *given, case.lr)

    return [_by_a_ring(in_group(SIZE, work).calls) for work in (reduces, shards_states, shards_all)]


def _by_a_ring(calls: list[tuple[str, tuple[int, ...]]]) -> int:
    sent = 0
    for call, shape in calls:
        numel = torch.Size(shape).numel()
        sent += 2 * (SIZE - 1) * -(-numel // SIZE) if call == "all_reduce" else (SIZE - 1) * numel
    return sent


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw a bar for each rank at each stage, and beside them what is sent."""
    figure.set_figheight(2.6)
    left, right = figure.subplots(1, 2, width_ratios=(3, 1.3))
    for stage, ranks in enumerate(numbers["bytes"]):
        for rank, kinds in enumerate(ranks):
            bottom = 0.0
            for (name, colour), nbytes in zip(KINDS, kinds, strict=True):
                label = name if stage == rank == 0 else None
                left.bar(stage + (rank - 1.5) / 5, nbytes / 1e3, 0.17, bottom=bottom, color=colour, label=label)
                bottom += nbytes / 1e3
    left.set_title("kB of ranks 0 to 3, by stage")
    left.set_xticks(STAGES, [f"stage {stage}" for stage in STAGES])
    left.legend(fontsize=8)
    right.bar(range(3), numbers["sent"], 0.6, color=BLUE)
    right.set_title("elements that a rank sends")
    right.set_xticks(range(3), ["DDP", "ZeRO-1", "ZeRO-3"])
