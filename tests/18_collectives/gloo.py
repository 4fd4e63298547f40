"""What torch.distributed makes of tensors, by gloo. Run in a process of its own, which forks one for each rank."""

from __future__ import annotations

import os
import sys

import torch
import torch.distributed as dist

from .strategies_tensors import Tensors

RANKS = 3
CASE = Tensors(((6, 2),) * RANKS, "float64", 5)


def work(rank: int, folder: str) -> None:
    """Write what this rank gets of each collective."""
    store = dist.FileStore(f"{folder}/store", RANKS)  # type: ignore[attr-defined]
    dist.init_process_group("gloo", store=store, rank=rank, world_size=RANKS)
    x = CASE.xs[rank]
    spread, total, part = x.clone(), x.clone(), torch.empty(2, 2, dtype=x.dtype)
    every = [torch.empty_like(x) for _ in range(RANKS)]
    dist.broadcast(spread, 1)
    dist.reduce_scatter_tensor(part, x.clone())
    dist.all_gather(every, x)
    dist.all_reduce(total)
    torch.save([spread, part, torch.cat(every), total], f"{folder}/{rank}.pt")
    dist.destroy_process_group()


def main(folder: str) -> None:
    """Fork before there is a thread, and wait for all."""
    children = []
    for rank in range(RANKS):
        child = os.fork()
        if child == 0:
            work(rank, folder)
            os._exit(0)
        children.append(child)
    statuses = [os.waitpid(child, 0)[1] for child in children]
    sys.exit(any(statuses))


if __name__ == "__main__":
    main(sys.argv[1])
