"""A failing example as a picture, in plain data: storage cells, bars of storages, or a sum term by term."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Cells:
    """Rows of storage cells.

    rows: for each a name, places in the storage, and what stands in the cells there: the same mark in each, or where it
    is "" the number that the place has in the row: 0 for the first one.
    """

    rows: Sequence[tuple[str, Sequence[int], str]]
    note: str


@dataclass(frozen=True)
class Extents:
    """One bar for each tensor, below the one of the storage that it lies in.

    storages: for each, its bytes, and its tensors: their names, and the ranges of bytes (first, end) that they show.
    """

    storages: Sequence[tuple[int, Sequence[tuple[str, Sequence[tuple[int, int]]]]]]


@dataclass(frozen=True)
class Terms:
    """A sum term by term.

    terms: for each its name, the learner's number as text, "" where it is not known, and torch's. total: the same of
    what they come to. note: what there is to say below.
    """

    terms: Sequence[tuple[str, str, str]]
    total: tuple[str, str, str]
    note: str


Picture = Cells | Extents | Terms
KINDS = {kind.__name__: kind for kind in (Cells, Extents, Terms)}


def plain(picture: Picture) -> dict[str, Any]:
    """As a dict of sequences, numbers and strings, which can go to another process."""
    return {"kind": type(picture).__name__, **asdict(picture)}


def restored(told: Mapping[str, Any]) -> Picture:
    """The picture that a plain dict tells of."""
    return KINDS[told["kind"]](**{name: value for name, value in told.items() if name != "kind"})
