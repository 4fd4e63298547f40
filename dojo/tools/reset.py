"""`dojo reset`: the stub as it was, with the old file kept beside it."""

from __future__ import annotations

import ast
from datetime import datetime
from pathlib import Path

from dojo.catalog import ROOT, Kata
from dojo.seam.learner_file import compile_source, nearby
from dojo.tools import CommandError
from dojo.tools.pieces import definition, span


def reset(kata: Kata, name: str | None) -> str:
    """Put the stub of a kata, or of one function, in the place of what was written; say what was done."""
    path, stub = kata.source(ROOT / "katas"), kata.judge / "stub.py"
    if not stub.exists():
        raise CommandError(f"the stub of {kata.slug} is missing, expected at {nearby(stub)}")
    given = stub.read_bytes()
    old = path.read_bytes() if path.exists() else None
    if name is None:
        new, what = given, nearby(path)
    elif old is None:
        raise CommandError(f"{nearby(path)} is missing: run dojo reset {kata.number} to restore it")
    else:
        new, what = _with_stub(old, given, kata.function(name).name, kata, path), f"{name} in {nearby(path)}"
    if new == old:
        return f"{what} is the stub already"
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = f"\n  the old file  {nearby(_keep(path, old))}" if old is not None else ""
    path.write_bytes(new)
    return f"{what} is the stub again{kept}"


def _with_stub(old: bytes, given: bytes, name: str, kata: Kata, path: Path) -> bytes:
    """The learner's file with one function as it is given, and byte for byte the same elsewhere."""
    trouble = compile_source(path, old).trouble
    if trouble is not None:
        raise CommandError(f"{trouble}: fix that first, or run dojo reset {kata.number} to restore the whole file")
    node = definition(ast.parse(old), name)
    stub_node = definition(ast.parse(given), name)
    assert stub_node is not None
    newline = b"\r\n" if b"\r\n" in old else b"\n"
    stub = [line + newline for line in given.splitlines()[span(stub_node)]]
    lines = old.splitlines(keepends=True)
    if node is None:
        lines += [newline, newline, *stub]
    else:
        lines[span(node)] = stub
    return b"".join(lines)


def _keep(path: Path, old: bytes) -> Path:
    """Write the old file beside the stub, under a name that nobody imports and that is not taken."""
    now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    for again in ("", *(f"-{number}" for number in range(2, 100))):
        kept = path.with_name(f"{path.name}.{now}{again}.bak")
        try:
            with kept.open("xb") as file:
                file.write(old)
            return kept
        except FileExistsError:
            continue
    raise CommandError(f"too many old files beside {nearby(path)}: delete some")
