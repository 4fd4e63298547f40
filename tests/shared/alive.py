"""Measure what is in memory: the storages that torch made during a block, and large Python objects."""

from __future__ import annotations

import tracemalloc
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

LARGE = 1024
"""Pieces of fewer bytes come and go with every call, and in other numbers each time."""


class Alive(TorchDispatchMode):
    """Tracks each storage that an operation makes inside the block, whatever holds it later, until it is freed.

    A memory-mapped file is on disk and does not count. python: bytes of large Python objects that were made inside and
    still exist at the end, such as numpy arrays, bytes and lists of numbers.
    """

    def __init__(self) -> None:
        super().__init__()
        self.refs: dict[int, Any] = {}
        self.python = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Keep torch from importing the compiler, which takes a second."""
        return False

    def __enter__(self) -> Any:
        tracemalloc.start()
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        self.refs = {key: ref for key, ref in self.refs.items() if ref() is not None}
        self.python = sum(trace.size for trace in tracemalloc.take_snapshot().traces if trace.size >= LARGE)
        tracemalloc.stop()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation, and remember the storages of its results that were not among its inputs."""
        # Before the operation, because torch.load gives an existing tensor the storage that it has read.
        given = {tensor.untyped_storage()._cdata for tensor in _tensors((args, kwargs))}
        result = func(*args, **(kwargs or {}))
        if func is not torch.ops.aten.from_file.default:
            for storage in [tensor.untyped_storage() for tensor in _tensors(result)]:
                if storage._cdata not in given:
                    self.refs[storage._cdata] = weakref.ref(storage)
        return result

    def bytes(self, without: Iterable[Tensor] = ()) -> int:
        """Return the bytes of the storages that still exist, except those of the tensors `without`."""
        left_out = {tensor.untyped_storage()._cdata for tensor in without}
        there = [ref() for key, ref in self.refs.items() if key not in left_out]
        return sum(storage.nbytes() for storage in there if storage is not None)


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))
