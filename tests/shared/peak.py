"""Measure the peak memory of the storages that torch makes during a block."""

from __future__ import annotations

import weakref
from typing import Any

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

__all__ = ["peaking"]


class Peak(TorchDispatchMode):
    """Counts storages that operators make inside the block, until they are freed: `bytes` now, `most` at the peak."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0
        self.most = 0
        self._known: dict[int, Any] = {}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Keep torch from importing the compiler, which takes a second."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operator, and count the storages that it makes."""
        given = {id(storage) for storage in _storages((args, kwargs))}
        out = func(*args, **(kwargs or {}))
        for storage in _storages(out):
            if id(storage) not in given and id(storage) not in self._known:
                self._count(storage)
        self.most = max(self.most, self.bytes)
        return out

    def _count(self, storage: Any) -> None:
        """Count a storage by its Python object, which lives as long as the storage."""
        key, nbytes = id(storage), storage.nbytes()

        def gone(_: object) -> None:
            del self._known[key]
            self.bytes -= nbytes

        self._known[key] = weakref.ref(storage, gone)
        self.bytes += nbytes


def _storages(value: Any) -> list[Any]:
    return [one.untyped_storage() for one in tree_iter(value) if isinstance(one, Tensor)]


def peaking() -> Peak:
    """Count living storages inside a block: `with peaking() as seen:`."""
    return Peak()
