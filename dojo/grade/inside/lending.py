"""In the jail: look at the arguments of a call from a process that runs none of the learner's code.

A scenario that is declared with `returns_arguments=True` returns the tensors of its call as the call has left them.
Code that changes them could lie about it, so the host runs the scenario, and both processes share its tensors' memory.
"""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Callable, Sequence
from mmap import mmap
from typing import Any, NamedTuple

from dojo.grade.inside.wire import BadFrame
from dojo.seam.data import plain
from dojo.seam.seam import Broken

SIZE = 2**20
"""Bytes of all the arguments of one call."""
ALIGNED = 64


class Layout(NamedTuple):
    """The layout of a lent tensor: dtype, elements of its storage, shape, strides, offset."""

    dtype: Any
    elements: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int


def shared() -> mmap:
    """Map memory to share with forked processes. It has a file, since a jail refuses shared memory without one."""
    with tempfile.TemporaryFile() as file:
        os.posix_fallocate(file.fileno(), 0, SIZE)  # now, since a missing page would end this process later
        return mmap(file.fileno(), SIZE)


def placed(memory: mmap, arguments: Sequence[Any]) -> list[Any]:
    """Return the arguments with a tensor for each layout, one after the other in the memory."""
    import torch  # which not every jail has

    made: list[Any] = []
    place = 0
    for argument in arguments:
        if not isinstance(argument, Layout):
            made.append(argument)
            continue
        dtype, count, shape, strides, offset = argument
        if place + count * dtype.itemsize > SIZE:
            raise Broken(f"a scenario that returns its arguments can lend {SIZE} bytes of tensors, and these are more")
        whole = torch.frombuffer(memory, dtype=dtype, count=count, offset=place) if count else torch.empty(0).to(dtype)
        made.append(whole.as_strided(shape, strides, offset))
        place += -(-count * dtype.itemsize // ALIGNED) * ALIGNED
    return made


def borrowed(memory: mmap, name: str) -> Callable[[Any, Sequence[Any]], Any]:
    """Return, in the learner's process, the scenario that calls a function with lent tensors and with plain data.

    The scenario returns None for each tensor that is still a view of the same memory, else what it has become.
    """

    def call(module: Any, arguments: Sequence[Any]) -> Any:
        given = placed(memory, arguments)
        lent = [value for value, told in zip(given, arguments, strict=True) if isinstance(told, Layout)]
        before = list(map(_view, lent))
        getattr(module, name)(*given)
        return [None if _view(tensor) == view else tensor for tensor, view in zip(lent, before, strict=True)]

    return call


def _view(tensor: Any) -> tuple[Any, ...]:
    return type(tensor), tensor.data_ptr(), tensor.dtype, tensor.shape, tensor.stride()


class Lender:
    """In the host: a stand-in for the learner's module in a scenario.

    ask: makes the learner's process call a function of this name with plain data and with tensors of these layouts, and
    returns what that process says has become of the tensors. An error that it raises ends the scenario.
    """

    def __init__(self, memory: mmap, ask: Callable[[str, list[Any]], Any]):
        self._memory = memory
        self._ask = ask
        self._became: dict[int, Any] = {}

    def __getattr__(self, name: str) -> Callable[..., None]:
        return functools.partial(self._call, name)

    def _call(self, name: str, *arguments: Any) -> None:
        import torch

        told_of = [_layout(value) if isinstance(value, torch.Tensor) else value for value in arguments]
        tensors = [value for value in arguments if isinstance(value, torch.Tensor)]
        lent = placed(self._memory, [value for value in told_of if isinstance(value, Layout)])
        for mine, theirs in zip(tensors, lent, strict=True):
            _whole(theirs).copy_(_whole(mine))
        told = self._ask(name, told_of)
        if type(told) is not list or len(told) != len(tensors):
            raise BadFrame("it does not say what has become of each tensor")
        for mine, theirs, left in zip(tensors, lent, told, strict=True):
            if not _bytes(mine).equal(_bytes(theirs)):
                _whole(mine).copy_(_whole(theirs))  # whatever the answer says about it
            elif left is not None:
                self._became[id(mine)] = left

    def left(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return as plain data the arguments that a scenario returns."""
        return tuple(self._became.get(id(tensor), plain(tensor)) for tensor in arguments)


def _layout(x: Any) -> Layout:
    count = x.untyped_storage().nbytes() // x.itemsize
    return Layout(x.dtype, count, tuple(x.shape), x.stride(), x.storage_offset())


def _bytes(tensor: Any) -> Any:
    import torch

    return _whole(tensor).view(torch.uint8)


def _whole(tensor: Any) -> Any:
    """Return all of its storage as one flat tensor: several elements of a tensor may be in one place."""
    count = tensor.untyped_storage().nbytes() // tensor.itemsize
    return tensor.as_strided((count,), (1,), 0)
