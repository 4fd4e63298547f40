"""Plain data as JSON that keeps its types, and back. Reading is strict: the JSON may come from untrusted code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from dojo.seam.data import DEPTH, Error, Foreign

LARGE = 2**63
"""Integers beyond this are written in hexadecimal, since Python limits decimals to 4,300 digits."""
DIGITS = 2**18
"""The most hexadecimal digits that an integer may have when it is read."""
KEYS = 1000
"""The most entries that a dict may have when it is read: keys can be chosen so that each is compared with all."""
HEXADECIMAL = re.compile(r"-?0x[0-9a-f]+", re.ASCII)
NOT_FINITE = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}

Tensors = Callable[[Any], Any]
"""Converts a tensor to JSON, or this JSON back to a tensor."""


def encode(value: object, tensor: Tensors | None = None) -> Any:
    """Return plain data as JSON: a type that JSON lacks becomes a dict of one entry, named after the type.

    `tensor` converts tensors; by default, their elements are written out.
    """
    match value:
        case None | bool() | str():
            return value
        case float():
            return value if value - value == 0 else {"float": str(value)}
        case int():
            return value if -LARGE < value < LARGE else {"int": hex(value)}
        case list():
            return [encode(item, tensor) for item in value]
        case tuple():
            return {"tuple": [encode(item, tensor) for item in value]}
        case dict():
            return {"dict": [[encode(key, tensor), encode(item, tensor)] for key, item in value.items()]}
        case Foreign():
            return {"foreign": value.type_name}
        case Error():
            return {"error": value.name}
    from dojo.seam import tensors  # imports torch, which is loaded if there is such a value

    assert tensors.is_data(value), f"{type(value)} is not plain data"
    if tensor is not None and not tensors.is_dtype(value):
        return {"tensor": tensor(value)}
    return {kind: _elements(inside, encode) for kind, inside in tensors.encode(value).items()}  # type: ignore[arg-type]


def decode(told: Any, tensor: Tensors | None = None, depth: int = DEPTH) -> Any:
    """Return what was encoded; raise ValueError for anything else."""
    if isinstance(told, list | dict) and depth < 0:
        raise ValueError("nested too deep")
    if isinstance(told, list):
        return [decode(item, tensor, depth - 1) for item in told]
    if not isinstance(told, dict):
        return told
    if len(told) != 1:
        raise ValueError(f"a value has one type, not {len(told)}")
    ((kind, inside),) = told.items()
    match kind, inside:
        case "int", str() if len(inside) <= DIGITS and HEXADECIMAL.fullmatch(inside):
            return int(inside, 16)
        case "float", str() if inside in NOT_FINITE:
            return NOT_FINITE[inside]
        case "tuple", list():
            return tuple(decode(item, tensor, depth - 1) for item in inside)
        case "dict", list() if len(inside) <= KEYS:
            return _dict([_pair(entry, tensor, depth - 1) for entry in inside])
        case "foreign", str():
            return Foreign(inside)
        case "error", str():
            return Error(inside, (), "")
        case ("dtype", str()) | ("tensor", list()):
            from dojo.seam import tensors  # imports torch

            if tensor is not None and kind == "tensor":
                return tensor(inside)
            return tensors.decode(kind, _elements(inside, decode))
    raise ValueError(f"{str(kind)[:40]!r} is not a kind of value, or its contents are invalid")


def _elements(inside: Any, each: Callable[[Any], Any]) -> Any:
    """Encode or decode each element in the JSON of a tensor: JSON has no number for some of them."""
    match inside:
        case [dtype, shape, list() as elements]:
            return [dtype, shape, [each(element) for element in elements]]
    return inside


def _pair(entry: Any, tensor: Tensors | None, depth: int) -> tuple[Any, Any]:
    if not isinstance(entry, list) or len(entry) != 2:
        raise ValueError("an entry of a dict is a list of two")
    key, value = (decode(item, tensor, depth) for item in entry)
    return key, value


def _dict(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    try:
        made = dict(pairs)
    except TypeError as error:
        raise ValueError(str(error)) from None
    if len(made) != len(pairs):
        raise ValueError("a dict has the same key twice")
    return made


def strict_json(data: bytes) -> Any:
    """Read standard JSON: no NaN, no duplicate key, no number that Python cannot hold. Raise ValueError otherwise."""
    try:
        return json.loads(data.decode(), object_pairs_hook=_once, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return _dict(pairs)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if value - value != 0:
        raise ValueError(f"{text[:40]} is too large for a float")
    return value
