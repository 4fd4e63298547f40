"""A gap: one thing that a kata still lacks, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dojo.catalog import ROOT

MARK = "WRITE:"
"""Marks a place in a skeleton where something has to be written. The text after it says what."""


@dataclass(frozen=True)
class Gap:
    """What a kata lacks, in a file and perhaps on a line of it. blocks: the gates cannot run before it is filled."""

    path: Path
    text: str
    line: int = 0
    blocks: bool = False

    @property
    def place(self) -> str:
        """The path relative to the clone."""
        return self.path.relative_to(ROOT).as_posix()

    def __str__(self) -> str:
        return f"{self.place}{f':{self.line}' if self.line else ''}: {self.text}"


def unwritten(path: Path, *, blocks: bool = False) -> Iterator[Gap]:
    """Find out whether a file is missing, or else each place where its skeleton is not filled in."""
    if not path.is_file():
        yield Gap(path, "the file is missing", blocks=blocks)
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        _, mark, rest = line.partition(MARK)
        if mark:
            what = re.split(r'["\]]', rest)[0].strip()
            yield Gap(path, f"write {what}", number, blocks)
