"""Asks torch's own sharding which rows a rank has: by importing it, by attributes of torch, and by what is loaded."""
# kata: 19_sharding
# attacks: shard_slices, rank_bytes
# examples: 20
# levels: userns, root, basic

import contextlib
import importlib
import sys

import torch


def _shards():
    with contextlib.suppress(Exception):
        yield importlib.import_module("torch.distributed.tensor").Shard
    with contextlib.suppress(Exception):
        yield torch.distributed.tensor.Shard
    with contextlib.suppress(Exception):
        yield torch.distributed.tensor.placement_types.Shard
    for name in list(sys.modules):
        if name.startswith("torch"):
            with contextlib.suppress(Exception):
                yield sys.modules[name].Shard


def shard_slices(size, world_size):
    """What torch says."""
    if size < 0 or world_size < 1:
        raise ValueError
    for shard in _shards():
        with contextlib.suppress(Exception):
            found = [shard.local_shard_size_and_offset(size, world_size, rank) for rank in range(world_size)]
            return [(start, start + rows) for rows, start in found]
    raise LookupError("no shard")
