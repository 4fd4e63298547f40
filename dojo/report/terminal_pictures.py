"""Pictures for the terminal, readable without color."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from dojo.judging.pictures import Cells, Extents, Picture, Span, Spent, Terms

WRONG = "red"
LINES = 3
"""Most lines of cells that are drawn; the rest is left out."""
BAR = 28
"""Columns of the longest bar."""
NAMES = 22
"""Columns for the names beside the bars; longer names are cut."""
MOST = 12
"""Most bars that are drawn."""


def label(picture: Picture) -> str:
    """Return the label of a picture's row."""
    match picture:
        case Cells():
            return "in storage"
        case Extents():
            return "in memory"
        case Spent():
            return "spent"
        case Terms():
            return picture.title


def drawn(picture: Picture, width: int) -> RenderableType:
    """Draw the picture, at most `width` columns wide."""
    match picture:
        case Cells():
            return _cells(picture, width)
        case Extents() | Spent():
            return _extents(picture)
        case Terms():
            return _terms(picture)


def _cells(picture: Cells, width: int) -> RenderableType:
    contents, columns = picture.contents(), picture.columns()
    wide = picture.widest()
    named = max(len("place"), *(len(name) for name, _, _ in picture.rows)) + 1
    fits = max(1, (width - named - 1) // (wide + 1))
    lines: list[Text] = []
    for begin in range(0, min(len(columns), LINES * fits), fits):
        part = columns[begin : begin + fits]
        heads = ("…" if place is None else str(place) for place in part)
        lines.append(Text("place".ljust(named) + " " + " ".join(head.rjust(wide) for head in heads), style="dim"))
        for (name, _, _), row in zip(picture.rows, contents, strict=True):
            line = Text(name.ljust(named) + "│")
            for place in part:
                text = "…" if place is None else row.get(place, "")
                differs = name == "yours" and place is not None and text != contents[-1].get(place, "")
                line.append(text.rjust(wide), style=WRONG if differs else "")
                line.append("│")
            lines.append(line)
    if len(columns) > LINES * fits:
        lines.append(Text(f"… and {len(columns) - LINES * fits} places more"))
    return Group(*lines, Text(picture.note))


def _extents(picture: Extents | Spent) -> RenderableType:
    table = _grid("left", "left", "right")
    bars, most = picture.bars(), picture.largest()
    for name, spans, size, amount in bars[:MOST]:
        table.add_row(name if len(name) <= NAMES else name[: NAMES - 1] + "…", _bar(spans, size, most), amount)
    if len(bars) > MOST:
        table.add_row("…", f"and {len(bars) - MOST} more bars", "")
    if picture.total():
        table.add_row("in all", "", picture.total())
    return table


def _bar(spans: Sequence[Span], size: int, most: int) -> str:
    """Draw one bar. A full column contains a byte of a span; a dot contains none."""
    if not size:
        return ""
    columns = max(1, round(BAR * size / most))

    def shows(column: int) -> bool:
        first, end = column * size // columns, max((column + 1) * size // columns, column * size // columns + 1)
        return any(begin < end and first < stop for begin, stop in spans)

    return "".join("█" if shows(column) else "·" for column in range(columns))


def _terms(picture: Terms) -> RenderableType:
    table = _grid("left", "right", "right", "left")
    table.add_row("", "yours", "torch's", "")
    for name, yours, truth in [*picture.terms, picture.total]:
        table.add_row(name, *_beside(yours, truth))
    return Group(table, Text(picture.note)) if picture.note else table


def _beside(yours: str, truth: str) -> Iterator[Text]:
    differs = yours not in ("", truth)
    yield Text(yours, style=WRONG if differs else "")
    yield Text(truth)
    yield Text("≠" if differs else "")


def _grid(*justified: Literal["left", "right"]) -> Table:
    table = Table.grid(padding=(0, 2), pad_edge=False)
    for place, justify in enumerate(justified):
        table.add_column(justify=justify, no_wrap=place > 0, overflow="fold")
    return table
