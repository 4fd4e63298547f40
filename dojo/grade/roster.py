"""A course's roster: its students, the ids that the course platform knows them by, and the names of submissions."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dojo.report.sanitize import cell, line

FOLDER = "folder"
"""The heading of the column with the names of submissions."""
SEPARATORS = ",;\t"


class RosterError(Exception):
    """A roster that cannot be used; the message is one line that says why."""


@dataclass(frozen=True)
class Student:
    """A line of the roster."""

    number: int
    """The number of the line."""
    folder: str
    cells: dict[str, str]
    """The cells of the columns that the gradebook has, by heading."""


def read(path: Path, ids: Sequence[str], others: Sequence[str]) -> list[Student]:
    """Read the students of a roster; RosterError says what is wrong with it.

    ids: headings of columns, at least one of which must identify each student. others: headings of further columns.
    Differences in case, spaces and punctuation are ignored.
    """
    try:
        return list(_students(_rows(path), ids, others))
    except (OSError, RosterError, csv.Error) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise RosterError(line(f"--roster {path}: {said}")) from None


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the number and the cells of each line that is not blank."""
    text = _text(path.read_bytes())
    heading = text.lstrip().partition("\n")[0]
    separator = max(SEPARATORS, key=heading.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    return [(reader.line_num, [one.strip() for one in row]) for row in reader if any(map(str.strip, row))]


def _text(data: bytes) -> str:
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise RosterError(f"line {number} is not UTF-8; save the file as CSV in UTF-8") from None


def _students(rows: Sequence[tuple[int, list[str]]], ids: Sequence[str], others: Sequence[str]) -> Iterator[Student]:
    if not rows:
        raise RosterError("is empty")
    (_, headings), *lines = rows
    places = _places(headings, (FOLDER, *ids, *others))
    there = f"it has {', '.join(map(repr, headings))}"
    if FOLDER not in places:
        raise RosterError(f"has no column {FOLDER!r}, the name of each student's submission; {there}")
    if not set(ids) & set(places):
        raise RosterError(f"has none of the columns {', '.join(map(repr, ids))}, which say who a student is; {there}")
    seen: dict[tuple[str, str], int] = {}
    for number, cells in lines:
        if len(cells) > len(headings):
            raise RosterError(f"line {number} has {len(cells)} cells, and the headings are {len(headings)}")
        known = {name: cells[place] for name, place in places.items() if place < len(cells)}
        folder = known.pop(FOLDER, "")
        mine = {name: known[name] for name in ids if known.get(name)}
        if not mine and not folder:
            continue  # a line of an exported gradebook that is not a student, such as Points Possible
        if not mine:
            missing = " or ".join(name for name in ids if name in places)
            raise RosterError(f"line {number}, {folder!r}, has no {missing}")
        for name, text in mine.items():
            if cell(text) != text:
                raise RosterError(f"line {number}: {name} {text!r} is a formula to spreadsheets, or hides characters")
            if (first := seen.setdefault((name, text.casefold()), number)) != number:
                raise RosterError(f"line {number} has the {name} {text!r} of line {first}")
        yield Student(number, folder, known)
    if not seen:
        raise RosterError("lists no students")


def _places(headings: Sequence[str], wanted: Sequence[str]) -> dict[str, int]:
    """Return the index of each wanted heading that is there; RosterError if one is there twice."""
    found: dict[str, int] = {}
    folded = {_folded(name): name for name in wanted}
    for place, heading in enumerate(headings):
        name = folded.get(_folded(heading))
        if name in found:
            raise RosterError(f"has two columns {name!r}")
        if name is not None:
            found[name] = place
    return found


def _folded(heading: str) -> str:
    return "".join(filter(str.isalnum, heading.casefold()))
