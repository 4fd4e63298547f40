"""What commands and reports print alike: rows of label and text, and a colour for each verdict."""

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
"""How a verdict is shown."""
BESIDE = {"it returned": "red", "then": "red", "it raised": "red", "looks like": "bold"}
"""How the text beside a label is shown."""


def screen() -> Console:
    """The terminal, in lines that can be read; 80 columns where there is none."""
    console = Console(highlight=False, soft_wrap=False)
    console.width = min(console.width, 100)
    return console


def pairs(console: Console, rows: Sequence[Sequence[str | Text | Picture]]) -> None:
    """Print each label with its text or picture beside it."""
    grid = Table.grid(padding=(0, 1), pad_edge=False)
    grid.add_column(width=LABEL - 1, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, told in rows:
        text = Text(told, style=BESIDE.get(str(name), "")) if isinstance(told, str) else told
        grid.add_row(
            Text(f"  {name}", style=STYLES.get(str(name), "")),
            text if isinstance(text, Text) else drawn(text, console.width - LABEL),
        )
    if rows:
        console.print(grid)
