"""The gradebook of a course as a CSV that Canvas or Moodle imports, and what does not fit the roster."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dojo.catalog import Kata, katas
from dojo.grade.formats.phrases import why
from dojo.grade.intake.submission import PACKED
from dojo.grade.queue import Graded
from dojo.grade.roster import Student
from dojo.report.sanitize import cell, line

ABSENT = "nothing was handed in"
POINTS = "Points Possible"
"""A text in the name column by which Canvas recognizes the line of maximum points."""


@dataclass(frozen=True)
class Platform:
    """The columns by which a course platform's import identifies students, and its other columns."""

    ids: tuple[str, ...]
    others: tuple[str, ...]


PLATFORMS = {
    "canvas": Platform(("ID", "SIS User ID", "SIS Login ID"), ("Student", "Section")),
    "moodle": Platform(("ID number", "Email address", "Username"), ("First name", "Last name", "Surname")),
}
"""The choices of `--gradebook`."""


def gradebook(
    platform: str, students: Sequence[Student], every: Sequence[Graded], graded: Sequence[Kata]
) -> tuple[str, list[str]]:
    """Return the CSV with a line for each student, and lines about what does not fit."""
    outcomes = _outcomes(students, every)
    table = {"canvas": _canvas, "moodle": _moodle}[platform](students, outcomes, graded)
    page = io.StringIO()
    csv.writer(page, lineterminator="\n").writerows([map(cell, row) for row in table])
    return page.getvalue(), [*map(line, _told(students, outcomes, every, PLATFORMS[platform].ids))]


def _outcomes(students: Sequence[Student], every: Sequence[Graded]) -> list[Graded | None]:
    """Return each student's outcome: by the exact name in the roster, or else the only one whose stem is the same."""
    exact = {one.name: one for one in every}
    alike = defaultdict[str, list[Graded]](list)
    for one in every:
        alike[_stem(one.name)].append(one)
    found = []
    for student in students:
        same = alike[_stem(student.folder)]
        found.append(exact.get(student.folder) or (same[0] if len(same) == 1 else None))
    return found


def _stem(name: str) -> str:
    """Return a name without the suffix of an archive, in one of Unicode's normal forms."""
    return PACKED.sub("", unicodedata.normalize("NFC", name))


def _canvas(
    students: Sequence[Student], outcomes: Sequence[Graded | None], graded: Sequence[Kata]
) -> Iterator[list[str]]:
    """Yield the columns up to Section in the order that Canvas demands, and one assignment."""
    columns = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    yield [*columns, _title(graded)]
    yield [f"    {POINTS}", *[""] * (len(columns) - 1), str(_points(graded))]
    for student, one in zip(students, outcomes, strict=True):
        cells = dict(student.cells)
        if POINTS in cells.get("Student", ""):
            cells["Student"] = ""  # the ids say who it is
        yield [*(cells.get(name, "") for name in columns), _score(one)]


def _moodle(
    students: Sequence[Student], outcomes: Sequence[Graded | None], graded: Sequence[Kata]
) -> Iterator[list[str]]:
    """Yield the columns of the roster, and the grade as points and as a percentage: Moodle takes no more than 100."""
    platform = PLATFORMS["moodle"]
    columns = [name for name in (*platform.others, *platform.ids) if any(name in one.cells for one in students)]
    yield [*columns, f"{_title(graded)} (points)", f"{_title(graded)} (percent)", "Feedback"]
    for student, one in zip(students, outcomes, strict=True):
        score = _score(one)
        percent = f"{100 * int(score) / _points(graded):.2f}" if score else ""
        yield [*(student.cells.get(name, "") for name in columns), score, percent, _why(one)]


def _title(graded: Sequence[Kata]) -> str:
    """Return the assignment's name: `torch-dojo`, and the numbers of the katas unless they are all graded."""
    numbers = [kata.number for kata in graded] if len(graded) < len(katas()) else []
    return " ".join(["torch-dojo", *numbers])


def _points(graded: Sequence[Kata]) -> int:
    return sum(function.points for kata in graded for function in kata.functions.values())


def _score(one: Graded | None) -> str:
    """Return the score: empty if the submission could not be graded, 0 if there is no submission."""
    if one is None:
        return "0"
    return str(one.result.score) if one.result else ""


def _why(one: Graded | None) -> str:
    if one is None:
        return ABSENT
    return why(one.result) if one.result else one.trouble


def _told(
    students: Sequence[Student], outcomes: Sequence[Graded | None], every: Sequence[Graded], ids: Sequence[str]
) -> Iterator[str]:
    shared = defaultdict[str, list[Student]](list)
    for student, one in zip(students, outcomes, strict=True):
        who = next(f"{name} {student.cells[name]}" for name in ids if student.cells.get(name))
        if one is None:
            called = f"there is no {student.folder}" if student.folder else "no folder is named"
            yield f"missing  {who}: {called}; 0 points"
        elif one.result is None:
            yield f"no grade  {who}: {one.trouble}; left empty"
        if one is not None:
            shared[one.name].append(student)
    for name, group in shared.items():
        if len(group) > 1:
            yield f"shared  {name}: by lines {', '.join(str(student.number) for student in group)} of the roster"
    for one in every:
        if one.name not in shared:
            score = f"{one.result.score} of {one.result.points} points" if one.result else one.trouble
            yield f"not in the roster  {one.name}: {score}"
