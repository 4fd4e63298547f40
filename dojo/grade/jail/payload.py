"""The modules that a jail is given: the worker, and the scenarios, with all that they import of this project."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from dojo.catalog import ROOT, Kata

WORKER = "dojo.grade.inside.worker"
OURS = ("dojo", "tests")


def modules(imports: Sequence[str] = ()) -> dict[str, str]:
    """The sources of the worker and of these modules, by dotted names. Truth and solutions never are among them."""
    found: dict[str, str] = {}
    waiting = [WORKER, "dojo.grade.inside.confine", *imports]
    while waiting:
        name = waiting.pop()
        path = _path(name)
        if name not in found and path is not None:
            found[name] = path.read_text(encoding="utf-8")
            waiting += _imported(name, found[name])
    return found


def scenarios(katas: Sequence[Kata]) -> list[str]:
    """The modules of these katas whose functions run in the jail."""
    return [kata.part(path.stem) for kata in katas for path in sorted(kata.judge.glob("scenarios*.py"))]


def imports(katas: Sequence[Kata]) -> list[str]:
    """Return what a jail with torch imports at its start, so that the processes which it forks need not.

    torch imports torch._dynamo itself, with the first step of an optimizer.
    """
    apart = ["dojo.grade.inside.isolated_module"] if any(kata.apart for kata in katas) else []
    return [*scenarios(katas), *apart, "safetensors.torch", "torch._dynamo"]


def _path(name: str) -> Path | None:
    """The file of a module of this project; None for a package, and for what is none."""
    path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
    return path if name.startswith(OURS) and path.is_file() else None


def _imported(importer: str, source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (entry.name for entry in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ".".join(importer.split(".")[: -node.level]) if node.level else ""
            module = ".".join(filter(None, (package, node.module)))
            yield module
            yield from (f"{module}.{entry.name}" for entry in node.names)
