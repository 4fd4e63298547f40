"""Rows of label and text, and a colour for each verdict, for commands and reports."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dojo.judging.pictures import Picture
from dojo.report.terminal_pictures import drawn

LABEL = 16
"""Width of the column of labels."""

STYLES = {"done": "green", "wrong": "bold red", "to do": "yellow", "not run": "dim", "not judged": "dim"}
"""The style of each verdict."""
BESIDE = {"it returned": "red", "then": "red", "it raised": "red", "looks like": "bold"}
"""The style of the text beside a label."""


def screen() -> Console:
    """Return a console on the terminal, at most 100 columns wide."""
    console = Console(highlight=False, soft_wrap=False)
    console.width = min(console.width, 100)
    return console


def pairs(console: Console, rows: Sequence[Sequence[str | Text | Picture]]) -> None:
    """Print each label with its text or picture beside it."""
    grid = Table.grid(padding=(0, 1), pad_edge=False)
    grid.add_column(width=LABEL - 1, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, content in rows:
        text = Text(content, style=BESIDE.get(str(name), "")) if isinstance(content, str) else content
        grid.add_row(
            Text(f"  {name}", style=STYLES.get(str(name), "")),
            text if isinstance(text, Text) else drawn(text, console.width - LABEL),
        )
    if rows:
        console.print(grid)
