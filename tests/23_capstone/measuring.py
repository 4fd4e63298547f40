"""FLOPs by what they are spent on, bytes that autograd has saved, and which blocks ran."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterable, Iterator
from typing import Any, Self

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.utils._python_dispatch import TorchDispatchMode, _pop_mode, _push_mode
from torch.utils.flop_counter import flop_registry

from .gpt import WATCHES, Block


class Flops(TorchDispatchMode):
    """Counts as torch's FlopCounterMode does, and tells apart what FLOPs are spent on.

    parts: of a model's forward pass, of a backward pass, of what runs forward again in one, and of all else. elsewhere:
    how often a part of a model ran in another thread, where nothing is counted.
    """

    def __init__(self) -> None:
        super().__init__()
        self.parts = dict.fromkeys(("forward", "backward", "recomputed", "other"), 0)
        self.elsewhere = 0
        self._inside = 0
        self._thread = threading.get_ident()

    def enter(self, part: Any, x: Tensor) -> None:
        """A part of a model begins."""
        self._inside += 1
        self.elsewhere += threading.get_ident() != self._thread

    def leave(self) -> None:
        """It has ended."""
        self._inside -= 1

    def __enter__(self) -> Any:
        WATCHES.append(self)
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        WATCHES.remove(self)
        super().__exit__(*error)

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Import no compiler, which takes a second."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation; where torch has a count for it, add that."""
        kwargs = kwargs or {}
        count = flop_registry.get(func._overloadpacket)
        if count is None and _is_composite(func):  # in inference mode a linear layer comes as a whole
            with self.apart():
                return func.decompose(*args, **kwargs)
        result = func(*args, **kwargs)
        if count is not None:
            back = torch._C._current_graph_task_id() != -1
            where = ("recomputed" if back else "forward") if self._inside else ("backward" if back else "other")
            self.parts[where] += int(count(*args, **kwargs, out_val=result))
        return result

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """Inside, count the operations that one is made of."""
        _push_mode(self)
        try:
            yield
        finally:
            _pop_mode()


@functools.cache
def _is_composite(func: Any) -> bool:
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), "CompositeImplicitAutograd"))


class Saved:
    """Inside `looking`, what autograd has saved: each storage once, but for those of some tensors.

    now: the bytes at this moment. peak: the most that they were.
    """

    def __init__(self, without: Iterable[Tensor]) -> None:
        self.now = self.peak = 0
        self._without = {tensor.untyped_storage()._cdata for tensor in without}
        self._users: dict[int, int] = {}

    @contextlib.contextmanager
    def looking(self) -> Iterator[None]:
        """Look at what is saved, and at when it is gone."""
        with saved_tensors_hooks(lambda tensor: _Kept(tensor, self), lambda kept: kept.tensor):
            yield

    def change(self, storage: Any, by: int) -> None:
        """Note that one more, or one less, saved tensor lies on this storage."""
        key, before = storage._cdata, self._users.get(storage._cdata, 0)
        if key in self._without:
            return
        self._users[key] = before + by
        if before == 0 or before + by == 0:
            self.now += by * storage.nbytes()
            self.peak = max(self.peak, self.now)


class _Kept:
    """Holds a saved tensor for as long as the graph holds this; detached, or a result would hold its own graph."""

    def __init__(self, tensor: Tensor, saved: Saved) -> None:
        self.tensor, self._saved = tensor.detach(), saved
        saved.change(tensor.untyped_storage(), 1)

    def __del__(self) -> None:
        self._saved.change(self.tensor.untyped_storage(), -1)


class Noted:
    """Notes what tokens are embedded, and which block runs on how many sequences, while it looks."""

    def __init__(self) -> None:
        self.embedded: list[Tensor] = []
        self.ran: list[tuple[int, int]] = []

    def enter(self, part: Any, x: Tensor) -> None:
        """A part of a model begins."""
        if isinstance(part, Block):
            self.ran.append((part.index, len(x)))
        elif not x.is_floating_point():
            self.embedded.append(x.detach().clone())

    def leave(self) -> None:
        """It has ended."""

    def __enter__(self) -> Self:
        WATCHES.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        WATCHES.remove(self)
