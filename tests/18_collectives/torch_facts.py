"""What the properties of kata 18 take for granted of torch: a new torch breaks a test, and no verdict."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch import Tensor
from torch.nn import functional as F

from dojo.catalog import ROOT
from dojo.judging.diagnose import solution

from ..shared.ranks import on_ranks
from . import gloo, scenarios, truth


@pytest.mark.skipif(not dist.is_available() or not dist.is_gloo_available(), reason="torch has no gloo here")
def test_collectives_are_those_of_torch_distributed(tmp_path: Path):
    """By gloo and a file, in a process for each rank; and those of the truth, and of the solution on the network."""
    subprocess.run([sys.executable, "-m", gloo.__name__, str(tmp_path)], check=True, timeout=120, cwd=ROOT)
    found = zip(*(torch.load(tmp_path / f"{rank}.pt") for rank in range(gloo.RANKS)), strict=True)
    solved: Any = solution("18_collectives")
    for function, results in zip(("broadcast", "reduce_scatter", "all_gather", "all_reduce"), found, strict=True):
        root = 1 if function == "broadcast" else None
        seen = scenarios.collective(solved, function, gloo.CASE.xs, root)["ranks.results"]
        for wanted, right, ours in zip(results, truth.collective(function, gloo.CASE.xs, root), seen, strict=True):
            assert torch.equal(wanted, right)
            assert torch.equal(wanted, ours)


@pytest.mark.parametrize(
    ("sizes", "cap", "buckets"),
    [
        ([4, 8, 8, 4], 12, [[3, 2], [1, 0]]),
        ([4, 4, 20], 12, [[2], [1, 0]]),
        ([0, 12, 0], 12, [[2, 1], [0]]),
    ],
)
def test_a_bucket_is_closed_once_it_is_full(sizes, cap, buckets):
    """With cap bytes or more; one of no bytes opens a bucket as well."""
    assert truth.gradient_buckets(sizes, cap) == buckets


def test_a_ring_takes_two_rounds_less_two_steps():
    """Counted on a list: until each rank has the numbers of all in each part."""
    assert [truth.ring_steps(world) for world in (1, 2, 3, 8)] == [0, 2, 4, 14]


def test_the_loss_of_no_samples_is_nan_and_its_gradients_are_0():
    """So a rank without samples may hold either."""
    x = torch.ones(1, requires_grad=True)
    loss = F.mse_loss(x.expand(0, 1), torch.empty(0, 1))
    loss.backward()
    assert loss.isnan()
    assert torch.equal(torch.as_tensor(x.grad), torch.zeros(1))


def test_backward_runs_in_the_thread_of_its_rank():
    """And gradients are recorded in it."""

    def work(comm: Any) -> Tensor | None:
        x = torch.ones(1, requires_grad=True)
        (comm.rank * x).sum().backward()
        return x.grad

    assert [grad.item() for grad in on_ranks(4, work).results] == [0.0, 1.0, 2.0, 3.0]
