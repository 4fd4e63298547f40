"""What the properties of kata 19 take for granted of torch: a new torch breaks a test, and no verdict."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.fsdp._flat_param import FlatParamHandle
from torch.testing._internal.distributed.fake_pg import FakeStore

from ..shared.groups import Group, in_group
from . import truth
from .strategies_numbers import Flat


@pytest.fixture(autouse=True)
def no_group() -> Iterator[None]:
    """Leave no process group behind."""
    yield
    if dist.is_initialized():
        dist.destroy_process_group()


def _local(rank: int, world_size: int, weight: Tensor) -> Tensor:
    """What fully_shard leaves of a weight on one rank."""
    dist.init_process_group("fake", rank=rank, world_size=world_size, store=FakeStore())
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
    layer.weight = nn.Parameter(weight.clone())
    fully_shard(layer, mesh=init_device_mesh("cpu", (world_size,)))
    sharded: Any = layer.weight
    local: Tensor = sharded.to_local().detach().clone()
    dist.destroy_process_group()
    return local


@pytest.mark.parametrize(("rows", "world_size"), [(9, 7), (10, 4), (3, 4), (8, 4), (1, 2), (5, 1)])
def test_shards_are_those_of_fully_shard(rows: int, world_size: int):
    """The rows of each rank, and none where a slice is empty."""
    weight = torch.arange(2.0 * rows).reshape(rows, 2)
    for rank, (start, stop) in enumerate(truth.shard_slices(rows, world_size)):
        assert torch.equal(_local(rank, world_size, weight), weight[start:stop])


def test_an_empty_slice_lies_at_the_end():
    """Not where its chunk would begin, and not at 0."""
    assert truth.shard_slices(9, 7)[5:] == [(9, 9), (9, 9)]


def test_fully_shard_refuses_a_number():
    """So a parameter without dimensions is refused at every stage."""
    dist.init_process_group("fake", rank=0, world_size=2, store=FakeStore())
    module = nn.Module()
    module.scale = nn.Parameter(torch.tensor(1.0))
    with pytest.raises(ValueError, match="scalar"):
        fully_shard(module, mesh=init_device_mesh("cpu", (2,)))


def test_flat_shards_are_those_of_FlatParamHandle():
    """The elements of each rank, and how many of them are padding; torch fails where there is no element at all."""
    numbers = random.Random(1)
    for _ in range(50):
        numels = [numbers.randint(0, 9) for _ in range(numbers.randint(1, 4))] + [1]
        world_size = numbers.randint(1, 8)
        flat = torch.cat([torch.arange(n) + 100 * index for index, n in enumerate(numels)])
        for rank in range(world_size):
            shard, padding = FlatParamHandle._get_shard(flat, rank, world_size)
            parts, ours = truth.flat_shard(Flat(numels, rank, world_size))
            assert ours == padding
            assert truth.flat_shard_of_rows(Flat(numels, rank, world_size)) == (parts, ours)
            kept = shard[: len(shard) - padding].tolist()
            wanted = [100 * index + place for index, (a, b) in enumerate(parts) for place in range(a, b)]
            assert kept == wanted


def test_gradients_are_of_the_thread_that_asks():
    """A collective inside of a backward waits for the backward of other ranks."""

    def work(group: Group) -> Tensor | None:
        x = torch.ones(2, requires_grad=True)
        y = x * 1.0
        y.register_hook(group.all_reduce)
        (group.rank * y).sum().backward()
        return x.grad

    assert [grad.tolist() for grad in in_group(3, work).results] == [[3.0, 3.0]] * 3


def test_the_numbers_of_the_lesson():
    """ZeRO's table, GPT-3, and what 8 GPUs of 80 GB hold."""
    from dojo.judging.diagnose import solution

    solved = solution("19_sharding")
    tables = [solved.rank_bytes([(7_500_000_000,)], 64, stage)[0] for stage in range(4)]
    assert [round(sum(table) / 1e9, 1) for table in tables] == [120.0, 31.4, 16.6, 1.9]
    assert [175e9 * 4, 175e9 * 12, -(-2100 // 80)] == [700e9, 2100e9, 27]
    held = [solved.largest_sharded_model(8, 80 * 10**9, stage) for stage in range(4)]
    assert [round(numel / 1e9, 1) for numel in held] == [5.0, 8.9, 14.5, 40.0]
    assert [solved.comm_elements(10**6, 64, stage) / solved.comm_elements(10**6, 64, 0) for stage in (1, 2, 3)] == [
        1.0,
        1.0,
        1.5,
    ]
