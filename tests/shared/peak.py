"""The most that is in memory at a moment of what torch makes while somebody looks."""

from __future__ import annotations

import weakref
from typing import Any

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

__all__ = ["peaking"]


class Peak(TorchDispatchMode):
    """Inside, storages that operators make are counted until they are gone: `bytes` now, `most` at a moment."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes = 0
        self.most = 0
        self._known: dict[int, Any] = {}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Import no compiler, which takes a second."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operator, and count what it makes."""
        given = {id(storage) for storage in _storages((args, kwargs))}
        out = func(*args, **(kwargs or {}))
        for storage in _storages(out):
            if id(storage) not in given and id(storage) not in self._known:
                self._count(storage)
        self.most = max(self.most, self.bytes)
        return out

    def _count(self, storage: Any) -> None:
        """By the object that Python has of it, which lives as long as the storage does."""
        key, nbytes = id(storage), storage.nbytes()

        def gone(_: object) -> None:
            del self._known[key]
            self.bytes -= nbytes

        self._known[key] = weakref.ref(storage, gone)
        self.bytes += nbytes


def _storages(value: Any) -> list[Any]:
    return [one.untyped_storage() for one in tree_iter(value) if isinstance(one, Tensor)]


def peaking() -> Peak:
    """Count what is alive inside: `with peaking() as seen:`."""
    return Peak()
