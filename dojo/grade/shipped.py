"""The modules that a jail is given: the worker, and the scenarios, with all that they import of this project."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from dojo.catalog import ROOT

WORKER = "dojo.grade.worker"
OURS = ("dojo", "tests")


def modules(*, torch: bool) -> dict[str, str]:
    """The sources by their dotted names; the scenarios only where there is torch. Truth and solutions never are."""
    found: dict[str, str] = {}
    waiting = [WORKER, "dojo.grade.confine", *(imported() if torch else ())]
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if name not in found and path is not None:
            found[name] = path.read_text(encoding="utf-8")
            waiting += _imported(found[name])
    return found


def scenarios() -> list[str]:
    """The modules whose functions run in the jail."""
    return [f"tests.{path.stem}" for path in sorted((ROOT / "tests").glob("scenarios*.py"))]


def imported() -> list[str]:
    """What a jail with torch imports at its start, so that the processes which it forks need not.

    torch imports torch._dynamo itself, with the first step of an optimizer.
    """
    return [*scenarios(), "dojo.grade.apart", "safetensors.torch", "torch._dynamo"]


def _path(name: str) -> Path | None:
    """The file of a module of this project; None for a package, and for what is none."""
    path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
    return path if path.is_file() else None


def _imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (entry.name for entry in node.names if entry.name.startswith(OURS))
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith(OURS):
            yield node.module
            yield from (f"{node.module}.{entry.name}" for entry in node.names)
