"""What torch says of memory: bytes of storages and models, measured."""

from __future__ import annotations

import gc
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from ..shared import described as made


def fresh_bytes(code: str, device: str) -> int:
    """Bytes of the storage of a fresh contiguous tensor like the one described."""
    x = made.tensor(code, device)
    return torch.empty_like(x, memory_format=torch.contiguous_format).untyped_storage().nbytes()


def cuda_growth(make: Callable[[], Tensor]) -> int:
    """What torch.cuda.memory_allocated grows by while a tensor is made and kept."""
    gc.disable()  # it might free what an earlier example left behind
    try:
        before = torch.cuda.memory_allocated()
        kept = make()
        grown = torch.cuda.memory_allocated() - before
        del kept
        return grown
    finally:
        gc.enable()


def storage_bytes(bases: list[str], views: str, device: str) -> int:
    """Bytes of the storages of the bases that some view is made of; each base has its own storage."""
    names = [base.partition(" = ")[0] for base in bases]
    used = [name for name in names if any(view.startswith(name) for view in views.split(", "))]
    return sum(x.untyped_storage().nbytes() for x in made.tensors(bases, ", ".join(used), device))


def model_bytes(lines: list[str]) -> int:
    """Bytes of memory that the parameters and buffers of the model occupy on the CPU, each byte once, by address."""
    addresses: set[int] = set()
    for module in made.model(lines).modules():
        for x in (*module._parameters.values(), *module._buffers.values()):
            if x is not None:
                places = torch.arange(len(x.untyped_storage())).as_strided(x.shape, x.stride(), x.storage_offset())
                first = x.untyped_storage().data_ptr()
                for place in set(places.flatten().tolist()):
                    begin = first + place * x.element_size()
                    addresses.update(range(begin, begin + x.element_size()))
    return len(addresses)


def distinct_bytes(lines: list[str], parts: list[str], device: str) -> int:
    """Bytes of the storages of these parts of a model, which are known to be distinct."""
    names = {"model": made.model(lines, device)}
    return sum(eval(part, names).untyped_storage().nbytes() for part in parts)


def watched(lines: list[str], expressions: list[str]) -> dict[str, object]:
    """The values of these expressions after the lines have run, without any call of the learner's."""
    return made.execute(lines, expressions, {})


def packed_bytes(numel: int, bits: int) -> int:
    """Bytes of NumPy's packing of numel values of `bits` bits."""
    return int(np.packbits(np.zeros(numel * bits, dtype=np.uint8)).nbytes)
