"""A gap: one thing that a kata still lacks, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dojo.catalog import ROOT

MARK = "WRITE:"
"""Stands in a skeleton where something has to be written, and says what."""


@dataclass(frozen=True)
class Gap:
    """What a kata lacks, in words, in a file and perhaps a line of it. blocks: the gates cannot be asked before."""

    path: Path
    text: str
    line: int = 0
    blocks: bool = False

    @property
    def place(self) -> str:
        """The path, as it is typed in the clone."""
        return self.path.relative_to(ROOT).as_posix()

    def __str__(self) -> str:
        return f"{self.place}{f':{self.line}' if self.line else ''}: {self.text}"


def unwritten(path: Path, *, blocks: bool = False) -> Iterator[Gap]:
    """A file that is missing, or each place in it where a skeleton says what to write."""
    if not path.is_file():
        yield Gap(path, "the file is missing", blocks=blocks)
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        _, mark, rest = line.partition(MARK)
        if mark:
            what = re.split(r'["\]]', rest)[0].strip()
            yield Gap(path, f"write {what}", number, blocks)
