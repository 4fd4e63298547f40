"""Rows of label and text, and a colour for each verdict, for commands and reports."""

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
"""Width of the column of labels, with the spaces on both sides of it."""
INDENT = 2

STYLES: dict[str, str] = {
    Status.DONE: "green",
    Status.WRONG: "bold red",
    Status.TO_DO: "yellow",
    Status.NOT_RUN: "dim",
    Status.NOT_JUDGED: "dim",
}
"""The style of each verdict."""
BELIEFS = ("looks like", "and like", "elsewhere")
"""The labels of a belief: of the failing call, of a second one, and of one that shows in other calls alone."""
CALLS = ("you called", "you ran")
"""The labels of code. The lines of a program that follow have none."""
OUTCOMES = ("it returned", "then", "it raised", "it was")
"""The labels of what came of a call."""
BESIDE = {**dict.fromkeys(OUTCOMES, "red"), **dict.fromkeys(BELIEFS, "bold")}
"""The style of the text beside a label."""


def screen() -> Console:
    """Return a console on the terminal, at most 100 columns wide."""
    console = Console(highlight=False, soft_wrap=False)
    console.width = min(console.width, 100)
    return console


def pairs(console: Console, rows: Sequence[Sequence[str | Text | Picture]]) -> None:
    """Print each label with its text or picture beside it; a label that is too long goes on in the next line."""
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
    """A line of code in lines of this width: what goes on is indented, as Python allows it within brackets."""
    indent = " " * (len(code) - len(code.lstrip()) + 4)
    return textwrap.fill(code, width, subsequent_indent=indent, break_on_hyphens=False, replace_whitespace=False)
