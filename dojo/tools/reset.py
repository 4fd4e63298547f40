"""`dojo reset`: restore the stub, and keep the old file beside it."""

from __future__ import annotations

import ast
from datetime import datetime
from pathlib import Path

from dojo.catalog import ROOT, Kata
from dojo.seam.learner_file import compile_source, nearby
from dojo.tools import CommandError
from dojo.tools.pieces import definition, span


def reset(kata: Kata, name: str | None) -> str:
    """Replace a kata's file, or one function in it, by the stub. Return what was done."""
    path, stub = kata.source(ROOT / "katas"), kata.judge / "stub.py"
    if not stub.exists():
        raise CommandError(f"the stub of {kata.slug} is missing, expected at {nearby(stub)}")
    original = stub.read_bytes()
    old = path.read_bytes() if path.exists() else None
    if name is None:
        new, what = original, nearby(path)
    elif old is None:
        raise CommandError(f"{nearby(path)} is missing: run dojo reset {kata.number} to restore it")
    else:
        new, what = _with_stub(old, original, kata.function(name).name, kata, path), f"{name} in {nearby(path)}"
    if new == old:
        return f"{what} is the stub already"
    path.parent.mkdir(parents=True, exist_ok=True)
    backup = f"\n  the old file  {nearby(_keep(path, old))}" if old is not None else ""
    path.write_bytes(new)
    return f"{what} is the stub again{backup}"


def _with_stub(old: bytes, original: bytes, name: str, kata: Kata, path: Path) -> bytes:
    """Return the learner's file with one function replaced by its stub. Every other byte stays the same."""
    trouble = compile_source(path, old).trouble
    if trouble is not None:
        raise CommandError(f"{trouble}: fix that first, or run dojo reset {kata.number} to restore the whole file")
    node = definition(ast.parse(old), name)
    stub_node = definition(ast.parse(original), name)
    assert stub_node is not None
    newline = b"\r\n" if b"\r\n" in old else b"\n"
    stub = [line + newline for line in original.splitlines()[span(stub_node)]]
    lines = old.splitlines(keepends=True)
    if node is None:
        lines += [newline, newline, *stub]
    else:
        lines[span(node)] = stub
    return b"".join(lines)


def _keep(path: Path, old: bytes) -> Path:
    """Save the old file beside the new one, under a free name that cannot be imported."""
    now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    for again in ("", *(f"-{number}" for number in range(2, 100))):
        backup = path.with_name(f"{path.name}.{now}{again}.bak")
        try:
            with backup.open("xb") as file:
                file.write(old)
            return backup
        except FileExistsError:
            continue
    raise CommandError(f"too many old files beside {nearby(path)}: delete some")
