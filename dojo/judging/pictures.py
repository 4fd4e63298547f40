"""A failing example as a picture, in plain data: storage cells, bars of storages or of budgets, or terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Span = tuple[int, int]
"""A range of bytes: the first, and the end behind the last."""

GAP = 3
"""A longer run of cells that nothing touches is shortened to one."""


@dataclass(frozen=True)
class Cells:
    """Rows of storage cells.

    rows: for each a name, places in the storage, and what stands in the cells there: the same mark in each, or where it
    is "" the number that the place has in the row: 0 for the first one.
    """

    rows: Sequence[tuple[str, Sequence[int], str]]
    note: str

    def contents(self) -> list[dict[int, str]]:
        """What stands in the cells of each row, by place."""
        return [dict.fromkeys(places, mark) if mark else _numbered(places) for _, places, mark in self.rows]

    def columns(self) -> list[int | None]:
        """The places from the first to the last, None for a long run of them that nothing touches."""
        touched = sorted({0}.union(*(places for _, places, _ in self.rows)))
        found: list[int | None] = []
        for place, after in zip(touched, [*touched[1:], None], strict=True):
            found.append(place)
            if after is not None:
                found += range(place + 1, after) if after - place - 1 <= GAP else [None]
        return found

    def widest(self) -> int:
        """Characters of the widest cell, its place above it included; never fewer than two."""
        inside = (len(text) for row in self.contents() for text in row.values())
        return max(2, *inside, *(len(str(place)) for place in self.columns() if place is not None))


def _numbered(places: Sequence[int]) -> dict[int, str]:
    """In each cell the number of the element that lies there; of many, the first and the last."""
    elements: dict[int, list[int]] = {}
    for element, place in enumerate(places):
        elements.setdefault(place, []).append(element)
    return {
        place: " ".join(map(str, here)) if len(here) < 4 else f"{here[0]}…{here[-1]}"
        for place, here in elements.items()
    }


@dataclass(frozen=True)
class Extents:
    """One bar for each tensor, below the one of the storage that it lies in.

    storages: for each, its bytes, and its tensors: their names, and the ranges of bytes (first, end) that they show.
    """

    storages: Sequence[tuple[int, Sequence[tuple[str, Sequence[Span]]]]]

    def bars(self) -> list[tuple[str, Sequence[Span], int, str]]:
        """Each storage's bar, then its tensors': a name, the bytes that it shows, of how many, and a note."""
        found: list[tuple[str, Sequence[Span], int, str]] = []
        for number, (size, tensors) in enumerate(self.storages, 1):
            found.append((f"storage {number}", [(0, size)], size, f"{size:,} bytes"))
            found += [(f"  {name}", spans, size, "") for name, spans in tensors]
        return found

    def largest(self) -> int:
        """Bytes of the largest storage."""
        return max([size for size, _ in self.storages] or [0])

    def total(self) -> str:
        """What all storages come to."""
        return f"{sum(size for size, _ in self.storages):,} bytes"


SCALE = 10_000
"""How long the longer bar of a budget is: the limit, or what was spent."""


@dataclass(frozen=True)
class Spent:
    """Two bars for each budget, of what was spent and of the limit; below them one for each part, behind the last.

    budgets: for each its name, its limit, and what was spent of it, by names; a single part has no bar of its own.
    """

    budgets: Sequence[tuple[str, int, Sequence[tuple[str, int]]]]

    def bars(self) -> list[tuple[str, Sequence[Span], int, str]]:
        """Each budget's bars: a name, the share of the longer one that it shows, of how much, and a note."""
        found: list[tuple[str, Sequence[Span], int, str]] = []
        for name, limit, parts in self.budgets:
            total = sum(amount for _, amount in parts)
            most = max(limit, total, 1)
            rows = [(name, 0, total), ("  limit", 0, limit)]
            begin = 0
            for part, amount in parts if len(parts) > 1 else ():
                rows.append((f"  {part}", begin, amount))
                begin += amount
            for row, first, amount in rows:
                span = SCALE * first // most, SCALE * (first + amount) // most
                found.append((row, [span], SCALE, f"{amount:,}"))
        return found

    def largest(self) -> int:
        """All bars are of one length."""
        return SCALE

    def total(self) -> str:
        """Budgets have none in common."""
        return ""


@dataclass(frozen=True)
class Terms:
    """A sum, or another result, term by term.

    terms: for each its name, the learner's number as text, "" where it is not known, and torch's. total: the same of
    what they come to. note: what there is to say below. title: what stands before it all.
    """

    terms: Sequence[tuple[str, str, str]]
    total: tuple[str, str, str]
    note: str
    title: str = "term by term"


Picture = Cells | Extents | Spent | Terms
KINDS = {kind.__name__: kind for kind in (Cells, Extents, Spent, Terms)}


def plain(picture: Picture) -> dict[str, Any]:
    """As a dict of sequences, numbers and strings, which can go to another process."""
    return {"kind": type(picture).__name__, **asdict(picture)}


def restored(told: Mapping[str, Any]) -> Picture:
    """The picture that a plain dict tells of."""
    return KINDS[told["kind"]](**{name: value for name, value in told.items() if name != "kind"})
