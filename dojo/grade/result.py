"""What a grade is: a result as plain data, and the JSON file that holds it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

VERSION = 1
"""Of the JSON file. A reader of another version refuses it."""


@dataclass(frozen=True)
class FunctionResult:
    """One function of a kata.

    status: done, wrong, to do or not run. note: one line where there is no report. report: the block that a learner
    would see, as lines of plain text without colour. held, total: how many of its properties held, of how many.
    """

    name: str
    title: str
    points: int
    status: str
    note: str = ""
    report: tuple[str, ...] = ()
    held: int = 0
    total: int = 0

    @property
    def score(self) -> int:
        """All of its points where it is done, and none otherwise."""
        return self.points if self.status == "done" else 0


@dataclass(frozen=True)
class KataResult:
    """One kata: its functions, and the one line of trouble where its file could not be read or run.

    notes: lines about the file, such as files beside it that do not count. printed: the last line that the code
    printed, and how much there was, or "".
    """

    slug: str
    title: str
    functions: tuple[FunctionResult, ...]
    trouble: str = ""
    notes: tuple[str, ...] = ()
    printed: str = ""

    @property
    def score(self) -> int:
        """The points of the functions that are done."""
        return sum(function.score for function in self.functions)

    @property
    def points(self) -> int:
        """The points that there are."""
        return sum(function.points for function in self.functions)


@dataclass(frozen=True)
class Result:
    """The grade of one submission. Two results of the same submission and seed differ in `times` alone.

    isolation: the level that held: userns, root, basic, or none. times: when it began (ISO 8601, UTC) and how many
    seconds of wall clock it took.
    """

    submission: str
    isolation: str
    device: str
    dojo: str
    torch: str
    python: str
    katas: tuple[KataResult, ...]
    notes: tuple[str, ...] = ()
    times: dict[str, Any] = field(default_factory=dict)

    @property
    def score(self) -> int:
        """The points of the functions that are done."""
        return sum(kata.score for kata in self.katas)

    @property
    def points(self) -> int:
        """The points that there are in the katas that were graded."""
        return sum(kata.points for kata in self.katas)

    def plain(self) -> dict[str, Any]:
        """As JSON, with the scores, which follow from the rest, for programs that read it."""
        told = {"version": VERSION, "score": self.score, "points": self.points, **asdict(self)}
        for kata, plain in zip(self.katas, told["katas"], strict=True):
            plain |= {"score": kata.score, "points": kata.points}
            for function, entry in zip(kata.functions, plain["functions"], strict=True):
                entry["score"] = function.score
        return told


def read(path: Path) -> Result:
    """The result that a file holds; ValueError names the file where it holds none."""
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["version"] != VERSION:
            raise ValueError(f"version {told['version']!r}, and this dojo reads {VERSION}")
        katas = tuple(
            KataResult(
                slug=kata["slug"],
                title=kata["title"],
                functions=tuple(
                    FunctionResult(**{**_of(FunctionResult, entry), "report": tuple(entry["report"])})
                    for entry in kata["functions"]
                ),
                trouble=kata["trouble"],
                notes=tuple(kata["notes"]),
                printed=kata["printed"],
            )
            for kata in told["katas"]
        )
        return Result(**{**_of(Result, told), "katas": katas, "notes": tuple(told["notes"])})
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} holds no result: {error}") from None


def _of(kind: type, entry: dict[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in kind.__dataclass_fields__}  # type: ignore[attr-defined]
