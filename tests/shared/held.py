"""Bytes of numbers that can be reached from a learner's object, and that Living has not seen in an operation."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from torch import Tensor

from .groups import Group
from .living import Living

ENDS = (ModuleType, CodeType, Group, str, int)
"""What leads to nothing that a learner holds."""


def held_bytes(living: Living, holder: Any, params: list[Tensor], file: Any = None) -> int:
    """Return the bytes that can be reached: of arrays, bytes, floats at 8 each, and tensors that Living has not seen.

    The search starts at holder, an object, and the attributes of its class; at attributes and hooks of params; and at
    the globals of file, a learner's module.
    """
    seen: dict[int, Any] = {}
    starts = [holder, dict(vars(type(holder))), [vars(p) for p in params], [p._backward_hooks for p in params]]
    left = [*starts, *([dict(vars(file))] if type(file) is ModuleType else [])]
    while left:
        thing = left.pop()
        if id(thing) not in seen and not isinstance(thing, ENDS):
            seen[id(thing)] = thing
            left.extend(_led_to(thing))

    arrays = {
        id(array): array.nbytes
        for array in map(_owner, seen.values())
        if _is_array(array) and not isinstance(array.base, Tensor)
    }
    tensors = {
        thing.untyped_storage()._cdata: thing.untyped_storage().nbytes()
        for thing in seen.values()
        if isinstance(thing, Tensor) and not living.knows(thing)
    }
    floats = sum(8 for thing in seen.values() if type(thing) is float)
    raw = sum(len(thing) for thing in seen.values() if isinstance(thing, bytes | bytearray))
    return int(floats + raw + sum(arrays.values()) + sum(tensors.values()))


def _is_array(thing: Any) -> bool:
    return isinstance(thing, getattr(sys.modules.get("numpy"), "ndarray", ()))


def _owner(thing: Any) -> Any:
    """Return the array that owns the memory of this one."""
    while _is_array(thing) and _is_array(thing.base):
        thing = thing.base
    return thing


def _led_to(thing: Any) -> Iterator[Any]:
    if isinstance(thing, FunctionType):  # not its globals, which are a module's, nor its defaults, which are settings
        yield thing.__closure__ or ()
        yield vars(thing)
    elif isinstance(thing, Tensor):
        yield vars(thing)
    elif _is_array(thing):
        yield _owner(thing).base
        yield thing.tolist() if thing.dtype == object else ()
    elif not isinstance(thing, type):
        yield from (one for one in gc.get_referents(thing) if not isinstance(one, type))
