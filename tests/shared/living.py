"""Bytes of tensors that a thread has made and that still live, whoever holds them."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any, Self

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode, _pop_mode, _push_mode
from torch.utils._pytree import tree_leaves


class Living(TorchDispatchMode):
    """Inside, `bytes` is what the storages of all tensors hold that operations of this thread took or made, now.

    peak: the most that it was. known: tensors whose storages do not count.
    """

    def __init__(self, known: Iterable[Tensor] = ()):
        super().__init__()
        self.bytes = 0
        self.peak = 0
        self._seen = {x.untyped_storage()._cdata for x in known}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Import no compiler, which takes a second."""
        return False

    def __enter__(self) -> Self:
        """Begin in this thread alone: torch's own way in sets flags of the whole process."""
        _push_mode(self)
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        _pop_mode()

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Note the storages of the operands and of the results."""
        made = function(*args, **(kwargs or {}))
        for x in tree_leaves((args, made)):
            if isinstance(x, Tensor):
                self._note(x)
        return made

    def knows(self, x: Tensor) -> bool:
        """Whether an operation has had it, or it was known from the beginning."""
        return x.untyped_storage()._cdata in self._seen

    def _note(self, x: Tensor) -> None:
        storage = x.untyped_storage()
        key, nbytes = storage._cdata, storage.nbytes()
        if key in self._seen:
            return
        self._seen.add(key)
        self.bytes += nbytes
        self.peak = max(self.peak, self.bytes)
        weakref.finalize(storage, self._gone, key, nbytes).atexit = False

    def _gone(self, key: int, nbytes: int) -> None:
        self._seen.discard(key)
        self.bytes -= nbytes
