"""What code in a jail may use: the defaults, and what pyproject.toml says instead."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from dojo.catalog import ROOT


@dataclass(frozen=True)
class Limits:
    """What one jail may use.

    memory: bytes, of all its processes together, and of the address space of each. seconds: of CPU and of wall
    clock, for one function. processes: at one time. files: bytes of files, of one and of all. output: bytes of
    stdout and of stderr that are kept.
    """

    memory: int = 2 * 2**30
    seconds: float = 60
    processes: int = 64
    files: int = 64 * 2**20
    output: int = 2**20


def settings(path: Path = ROOT / "pyproject.toml") -> Limits:
    """The limits of [tool.dojo.limits], and the default of each that is not there."""
    table = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("dojo", {}).get("limits", {})
    kinds = {field.name: (int, float) if field.name == "seconds" else (int,) for field in fields(Limits)}
    for name, value in table.items():
        if name not in kinds:
            raise ValueError(f"[tool.dojo.limits] in {path} knows {', '.join(kinds)}; got {name}")
        if type(value) not in kinds[name] or not 0 < value < float("inf"):
            number = "number" if name == "seconds" else "whole number"
            raise ValueError(f"[tool.dojo.limits] {name} in {path} should be a {number} above 0; got {value!r}")
    return Limits(**table)
