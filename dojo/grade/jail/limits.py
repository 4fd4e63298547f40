"""Resource limits of a jail, with defaults that pyproject.toml overrides."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from dojo.catalog import ROOT


@dataclass(frozen=True)
class Limits:
    """What one jail may use."""

    memory: int = 2 * 2**30
    """Bytes of memory of all its processes together, and of the address space of each."""
    seconds: float = 60
    """Of CPU and of wall clock, for one function."""
    processes: int = 64
    """At one time."""
    files: int = 64 * 2**20
    """Bytes of files, of each one and of all together."""
    output: int = 2**20
    """Bytes that are read of stdout and of stderr; the rest is dropped."""


def settings(path: Path = ROOT / "pyproject.toml") -> Limits:
    """Read the limits of [tool.dojo.limits]; those left out keep their defaults."""
    table = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("dojo", {}).get("limits", {})
    kinds = {field.name: (int, float) if field.name == "seconds" else (int,) for field in fields(Limits)}
    for name, value in table.items():
        if name not in kinds:
            raise ValueError(f"[tool.dojo.limits] in {path} knows {', '.join(kinds)}; got {name}")
        if type(value) not in kinds[name] or not 0 < value < float("inf"):
            number = "number" if name == "seconds" else "whole number"
            raise ValueError(f"[tool.dojo.limits] {name} in {path} should be a {number} above 0; got {value!r}")
    return Limits(**table)
