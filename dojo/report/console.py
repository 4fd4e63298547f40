"""Rows of a label and a text, and a color for each status, for commands and reports."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dojo.judging.outcomes import Status
from dojo.judging.pictures import Picture
from dojo.report.terminal_pictures import drawn

LABEL = 16
"""Width of the label column, with the spaces on both sides."""
INDENT = 2

STYLES: dict[str, str] = {
    Status.DONE: "green",
    Status.WRONG: "bold red",
    Status.TO_DO: "yellow",
    Status.NOT_RUN: "dim",
    Status.NOT_JUDGED: "dim",
}
"""The style of each status."""
BELIEFS = ("looks like", "and like", "elsewhere")
"""The labels of a belief: one behind the failing call, a second one, and one that shows only in other calls."""
CALLS = ("you called", "you ran")
"""The labels of code. Further lines of a program have no label."""
OUTCOMES = ("it returned", "then", "it raised", "it was")
"""The labels of the outcome of a call."""
BESIDE = {**dict.fromkeys(OUTCOMES, "red"), **dict.fromkeys(BELIEFS, "bold")}
"""The style of the text beside a label."""


def screen() -> Console:
    """Return a console on the terminal, at most 100 columns wide."""
    console = Console(highlight=False, soft_wrap=False)
    console.width = min(console.width, 100)
    return console


def pairs(console: Console, rows: Sequence[Sequence[str | Text | Picture]]) -> None:
    """Print each label with its text or picture beside it. A label that is too long is wrapped."""
    grid = Table.grid(padding=(0, 1), pad_edge=False)
    grid.add_column(width=INDENT - 1)
    grid.add_column(width=LABEL - INDENT - 1)
    grid.add_column(overflow="fold")
    label = ""
    for name, content in rows:
        label = str(name) or label
        if label in CALLS and isinstance(content, str):
            content = _hanging(content, console.width - LABEL)
        text = Text(content, style=BESIDE.get(str(name), "")) if isinstance(content, str) else content
        grid.add_row(
            "",
            Text(str(name), style=STYLES.get(str(name), "")),
            text if isinstance(text, Text) else drawn(text, console.width - LABEL),
        )
    if rows:
        console.print(grid)


def _hanging(code: str, width: int) -> str:
    """Wrap a line of code to this width. Continuation lines are indented, as Python allows inside brackets."""
    indent = " " * (len(code) - len(code.lstrip()) + 4)
    return textwrap.fill(code, width, subsequent_indent=indent, break_on_hyphens=False, replace_whitespace=False)
