"""Count the bytes of tensors that a thread has used and that are still alive, whatever holds them."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any, Self

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode, _pop_mode, _push_mode
from torch.utils._pytree import tree_leaves


class Living(TorchDispatchMode):
    """Counts the living storages of tensors that operations of this thread took or made inside the block.

    bytes: their size now. peak: their largest size so far. known: tensors whose storages do not count.
    """

    def __init__(self, known: Iterable[Tensor] = ()):
        super().__init__()
        self.bytes = 0
        self.peak = 0
        self._seen = {x.untyped_storage()._cdata for x in known}

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Keep torch from importing the compiler, which takes a second."""
        return False

    def __enter__(self) -> Self:
        """Begin, in this thread only: torch's own __enter__ sets flags of the whole process."""
        _push_mode(self)
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        _pop_mode()

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation, and note the storages of its operands and results."""
        made = function(*args, **(kwargs or {}))
        for x in tree_leaves((args, made)):
            if isinstance(x, Tensor):
                self._note(x)
        return made

    def knows(self, x: Tensor) -> bool:
        """Return whether an operation has used the tensor's storage, or it was known from the start."""
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
