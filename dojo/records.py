"""Wrong answers that nobody foresaw, as lines of JSON: what was asked and what came, and nothing more."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from dojo.data import Error, Foreign
from dojo.kata import Call

MOST = 100
"""How many calls of a property are kept."""
LARGE = 2**63
"""Integers beyond this are written in hexadecimal: Python writes no decimals of more than 4,300 digits."""


def told(calls: Iterable[Call]) -> list[dict[str, Any]]:
    """Calls as JSON. An error is its name alone: its message may hold anything."""
    different = {call.written + "\n".join(call.setup): call for call in calls}
    return [
        {
            "function": call.function,
            "call": call.written,
            "where": list(call.setup),
            "came": encode(call.outcome),
            "scenario": f"{call.scenario.__module__}:{call.scenario.__qualname__}" if call.scenario else None,
            "args": encode(list(call.args)),
            "named": encode(call.named),
        }
        for call in list(different.values())[:: 1 + len(different) // MOST]
    ]


def write(path: Path, kata: str, functions: Sequence[str], calls: list[dict[str, Any]]) -> None:
    """Add one record to a file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"kata": kata, "functions": list(functions), "calls": calls}) + "\n")


def encode(value: object) -> Any:
    """Plain data as JSON that keeps its types."""
    match value:
        case None | bool() | float() | str():
            return value
        case int():
            return value if -LARGE < value < LARGE else {"int": hex(value)}
        case list():
            return [encode(item) for item in value]
        case tuple():
            return {"tuple": [encode(item) for item in value]}
        case dict():
            return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
        case Foreign():
            return {"foreign": value.type_name}
        case Error():
            return {"error": value.name}
    from dojo import tensors  # imports torch, which a value of torch's has done already

    assert tensors.is_data(value), f"{type(value)} is no plain data"
    return tensors.encode(value)  # type: ignore[arg-type]


def decode(told: Any) -> Any:
    """What was encoded."""
    if isinstance(told, list):
        return [decode(item) for item in told]
    if not isinstance(told, dict):
        return told
    ((kind, inside),) = told.items()
    match kind:
        case "int":
            return int(inside, 16)
        case "tuple":
            return tuple(decode(item) for item in inside)
        case "dict":
            return {decode(key): decode(item) for key, item in inside}
        case "foreign":
            return Foreign(inside)
        case "error":
            return Error(inside, (), "")
        case "dtype" | "tensor":
            from dojo import tensors  # imports torch

            return tensors.decode(kind, inside)
    raise ValueError(f"{kind!r} is no kind of value")
