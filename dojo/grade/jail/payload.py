"""The modules that are shipped into a jail: the worker, the scenarios, and what they import of this project."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from dojo.catalog import ROOT, Kata

WORKER = "dojo.grade.inside.worker"
OURS = ("dojo", "tests")
LATE = ("safetensors.torch", "dojo.seam.tensors", "numpy.random", "torch.utils.serialization.config")
"""What torch and the seam import only at the first call that needs it, in each process again."""


def modules(imports: Sequence[str] = ()) -> dict[str, str]:
    """Return the sources of the worker, of these modules and of all they import, but never of truth or solutions."""
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
    """List the modules of these katas whose functions run in the jail."""
    return [kata.part(path.stem) for kata in katas for path in sorted(kata.judge.glob("scenarios*.py"))]


def imports(katas: Sequence[Kata], *, torch: bool) -> list[str]:
    """List what a jail imports before it forks, so that its children need not.

    torch: whether the jail is for those of these katas that allow torch, or for those that forbid it.
    """
    mine = [kata for kata in katas if ("torch" not in kata.forbidden) == torch]
    named = dict.fromkeys(name for kata in mine for name in kata.imports)
    return [*scenarios(mine), *(LATE if torch else ()), *named]


def _path(name: str) -> Path | None:
    """Return the file of a module of this project; None for packages and other modules."""
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
