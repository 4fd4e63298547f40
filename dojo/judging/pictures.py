"""A failing example as a picture, in plain data: storage cells, bars of storages or budgets, or terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Span = tuple[int, int]
"""A range of bytes: the first, and the one after the last."""

GAP = 3
"""A longer run of untouched cells is shortened to one."""


@dataclass(frozen=True)
class Cells:
    """Rows of storage cells.

    rows: for each a name, places in the storage, and the mark that is shown in each of these cells. If the mark is "",
    each cell shows the number of its place in the row, from 0.
    """

    rows: Sequence[tuple[str, Sequence[int], str]]
    note: str

    def contents(self) -> list[dict[int, str]]:
        """Return what the cells of each row show, by place."""
        return [dict.fromkeys(places, mark) if mark else _numbered(places) for _, places, mark in self.rows]

    def columns(self) -> list[int | None]:
        """Return the places from the first to the last, with None for a long untouched run."""
        touched = sorted({0}.union(*(places for _, places, _ in self.rows)))
        found: list[int | None] = []
        for place, after in zip(touched, [*touched[1:], None], strict=True):
            found.append(place)
            if after is not None:
                found += range(place + 1, after) if after - place - 1 <= GAP else [None]
        return found

    def widest(self) -> int:
        """Return the width of the widest cell in characters, including its place above it; at least 2."""
        inside = (len(text) for row in self.contents() for text in row.values())
        return max(2, *inside, *(len(str(place)) for place in self.columns() if place is not None))


def _numbered(places: Sequence[int]) -> dict[int, str]:
    """Return the numbers of the elements in each cell; if there are many, the first and the last."""
    elements: dict[int, list[int]] = {}
    for element, place in enumerate(places):
        elements.setdefault(place, []).append(element)
    return {
        place: " ".join(map(str, here)) if len(here) < 4 else f"{here[0]}…{here[-1]}"
        for place, here in elements.items()
    }


@dataclass(frozen=True)
class Extents:
    """One bar for each tensor, below the bar of its storage.

    storages: for each, its bytes, and its tensors: their names, and the ranges of bytes (first, end) that they show.
    """

    storages: Sequence[tuple[int, Sequence[tuple[str, Sequence[Span]]]]]

    def bars(self) -> list[tuple[str, Sequence[Span], int, str]]:
        """Return each storage's bar, then its tensors': a name, the bytes that it shows, of how many, and a note."""
        found: list[tuple[str, Sequence[Span], int, str]] = []
        for number, (size, tensors) in enumerate(self.storages, 1):
            found.append((f"storage {number}", [(0, size)], size, _bytes(size)))
            found += [(f"  {name}", spans, size, "") for name, spans in tensors]
        return found

    def largest(self) -> int:
        """Return the bytes of the largest storage."""
        return max([size for size, _ in self.storages] or [0])

    def total(self) -> str:
        """Return the bytes of all storages together, as text."""
        return _bytes(sum(size for size, _ in self.storages))


def _bytes(number: int) -> str:
    return f"{number:,} byte{'s' * (number != 1)}"


SCALE = 10_000
"""The length of a budget's longer bar: the limit or the amount spent, whichever is larger."""


@dataclass(frozen=True)
class Spent:
    """Two bars for each budget, the amount spent and the limit; below them one for each part, end to end.

    budgets: for each its name, its limit, and the amounts spent, by name. A single part has no bar of its own.
    """

    budgets: Sequence[tuple[str, int, Sequence[tuple[str, int]]]]

    def bars(self) -> list[tuple[str, Sequence[Span], int, str]]:
        """Return each budget's bars: a name, the share of the longer one that it shows, of how much, and a note."""
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
        """Return the length of the longest bar, which is the same in all budgets."""
        return SCALE

    def total(self) -> str:
        """Return no text: budgets have no common total."""
        return ""


@dataclass(frozen=True)
class Terms:
    """A sum, or another result, term by term.

    terms: for each its name, the learner's number as text ("" if unknown), and torch's. total: the same for the result.
    note: the line below. title: the line above.
    """

    terms: Sequence[tuple[str, str, str]]
    total: tuple[str, str, str]
    note: str
    title: str = "term by term"


Picture = Cells | Extents | Spent | Terms
KINDS = {kind.__name__: kind for kind in (Cells, Extents, Spent, Terms)}


def plain(picture: Picture) -> dict[str, Any]:
    """Return a picture as a dict of sequences, numbers and strings, which can go to another process."""
    return {"kind": type(picture).__name__, **asdict(picture)}


def restored(told: Mapping[str, Any]) -> Picture:
    """Return the picture that a plain dict describes."""
    return KINDS[told["kind"]](**{name: value for name, value in told.items() if name != "kind"})
