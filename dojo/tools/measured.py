"""The measured figures of a kata: the file measured.toml, with one section for each command that measures."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import tokenize
import tomllib
from pathlib import Path
from typing import Any

from dojo.catalog import ROOT, Kata
from dojo.files import write_whole
from dojo.progress import dependencies

Section = dict[str, Any]

COMMANDS = {
    "power": "python -m benchmarks.power --write {0}",
    "verdict": "python -m benchmarks.verdict --write {0}",
    "watch": "python -m benchmarks.watch --write {0}",
    "nightly": "python -m tests.strength.nightly --seeds 1 {0}",
    "mutants": "pip install -e '.[test,mutants]' && python -m tests.strength.mutants {0}",
}
"""The command that writes each section; {0} is the number of the kata."""


def path_of(kata: Kata) -> Path:
    """Return the path of the file with the figures of a kata."""
    return kata.judge / "measured.toml"


def read(kata: Kata) -> dict[str, Section]:
    """Return all sections of the file, or {} if there is no file yet."""
    path = path_of(kata)
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write(kata: Kata, name: str, section: Section) -> None:
    """Replace one section, and keep the others. Its values must be numbers or strings, or dictionaries of these."""
    found = read(kata) | {name: section}
    parts = [
        "\n".join([f"[{name}]", *(f"{key} = {_written(value)}" for key, value in found[name].items())])
        for name in sorted(found)
    ]
    write_whole(path_of(kata), "\n\n".join(parts) + "\n")


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {json.dumps(one)}' for key, one in value.items())}}}"
    return json.dumps(value)


def total(parts: Section, key: str) -> int:
    """Add up one figure of a section that has a dictionary for each function, such as [mutants]."""
    return sum(part[key] for part in parts.values())


def files(kata: Kata) -> list[Path]:
    """Return the solution, the properties, and what they import from tests/, except pictures, which decide nothing."""
    made = [path for path in dependencies(kata.slug) if path.is_relative_to(ROOT / "tests")]
    return [kata.source(ROOT / "solutions"), *made]


def digest(kata: Kata) -> str:
    """Return a digest of the code in these files, which ignores docstrings and comments."""
    parts = (code(path.read_text(encoding="utf-8")) for path in files(kata))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def code(text: str) -> str:
    """Return the lines of a module without docstrings, comments and blank lines."""
    return "\n".join(line for line in code_lines(text) if line)


def code_lines(text: str) -> list[str]:
    """Return each line of a module without docstrings, comments and space at its end; "" where nothing is left."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            told = node.body[0]
            for row in range(told.lineno, (told.end_lineno or told.lineno) + 1):
                lines[row - 1] = ""
    return [line.rstrip() for line in lines]
