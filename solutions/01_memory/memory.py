"""Kata 01, solved: count the bytes."""

from itertools import chain

import torch
from torch import nn


def get_memory_usage(x: torch.Tensor) -> int:
    """Count every element of the shape, shared or not."""
    return x.numel() * x.element_size()


def get_storage_usage(*tensors: torch.Tensor) -> int:
    """Tell storages apart by identity: the data pointer of every meta or empty tensor is 0."""
    storages = {storage._cdata: storage for storage in (x.untyped_storage() for x in tensors)}
    return sum(storage.nbytes() for storage in storages.values())


def get_model_memory(model: nn.Module) -> int:
    """Count the storages behind all parameters and buffers."""
    return get_storage_usage(*chain(model.parameters(), model.buffers()))


def packed_bytes(numel: int, bits: int) -> int:
    """Round the bits up to whole bytes."""
    if numel < 0 or bits < 1:
        raise ValueError(f"numel must be 0 or more and bits 1 or more, not {numel} and {bits}")
    return (numel * bits + 7) // 8


def cuda_allocation(nbytes: int) -> int:
    """Round the bytes up to a multiple of 512."""
    if nbytes < 0:
        raise ValueError(f"a request of {nbytes} bytes")
    return -(-nbytes // 512) * 512
