"""Wrong answers that nobody foresaw, as lines of JSON: the calls and their outcomes, and nothing more."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from dojo.seam.json_codec import encode
from dojo.seam.seam import Call, sample


def told(calls: Iterable[Call]) -> list[dict[str, Any]]:
    """Return calls as JSON. An error is only its name, because its message may hold anything."""
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
        for call in sample(calls)
    ]


def record(kata: str, functions: Sequence[str], calls: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a record as plain data: the functions that answer together, their calls and the outcomes."""
    return {"kata": kata, "functions": list(functions), "calls": calls}


def write(path: Path, kata: str, functions: Sequence[str], calls: list[dict[str, Any]]) -> None:
    """Append one record to a file."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record(kata, functions, calls)) + "\n")
