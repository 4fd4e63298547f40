"""Results of grading as plain data, and their JSON file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from dojo.judging.outcomes import Status
from dojo.report.sanitize import line

VERSION = 2
"""The version of the JSON file; `read` refuses any other."""


@dataclass(frozen=True)
class Row:
    """A row of a report: a text or a picture beside a label."""

    label: str
    text: str = ""
    picture: dict[str, Any] | None = None
    """As `dojo.judging.pictures.plain` returns it."""


@dataclass(frozen=True)
class Belief:
    """A belief that explains what a wrong function answered."""

    belief: str
    advice: str
    shown: bool
    """Whether the example of the function shows it."""


@dataclass(frozen=True)
class FunctionResult:
    """The result of one function of a kata."""

    name: str
    title: str
    points: int
    status: str
    """done, wrong, to do or not run."""
    note: str = ""
    """One line, if there is no report."""
    report: tuple[str, ...] = ()
    """The block that a learner would see, as lines of plain text."""
    held: int = 0
    """How many of its properties held."""
    total: int = 0
    """How many properties it has."""
    cause: str = ""
    """`did not end` if it used up its time."""
    rows: tuple[Row, ...] = ()
    """The rows of the report, for pages that draw its pictures."""
    beliefs: tuple[Belief, ...] = ()
    """The beliefs that the report names."""
    example: tuple[tuple[str, ...], ...] = ()
    """Rows of label and text: the call, its outcome and what is right; nothing that identifies anybody."""
    record: dict[str, Any] = field(default_factory=dict)
    """Its calls and their outcomes, as --record of pytest writes them, if it is wrong and no belief explains it.

    If functions are wrong together, only the first one has it.
    """

    @property
    def score(self) -> int:
        """All of its points if it is done, else 0."""
        return self.points if self.status == Status.DONE else 0


@dataclass(frozen=True)
class KataResult:
    """The result of one kata."""

    slug: str
    title: str
    functions: tuple[FunctionResult, ...]
    trouble: str = ""
    """Why its file could not be read or run, in one line."""
    notes: tuple[str, ...] = ()
    """Lines about the file, such as files beside it that do not count."""
    printed: str = ""
    """The last line that the code printed, and how much it printed, or ""."""
    cause: str = ""
    """`missing` or `cannot be run` if there is trouble."""
    file: str = ""
    """The SHA-256 of the file that was graded, if there was one."""
    rules: str = ""
    """A digest of the code and packages that judged it."""

    @property
    def score(self) -> int:
        """The total points of the functions that are done."""
        return sum(function.score for function in self.functions)

    @property
    def points(self) -> int:
        """The points that can be reached."""
        return sum(function.points for function in self.functions)


@dataclass(frozen=True)
class Result:
    """The result of one submission. Two results of the same submission and seed differ only in `times`."""

    submission: str
    isolation: str
    """The level of the jail: userns, root, basic, or none."""
    device: str
    dojo: str
    torch: str
    python: str
    katas: tuple[KataResult, ...]
    notes: tuple[str, ...] = ()
    times: dict[str, Any] = field(default_factory=dict)
    """When grading began (ISO 8601, UTC), and how many seconds of wall clock it took."""

    @property
    def score(self) -> int:
        """The total points of the functions that are done."""
        return sum(kata.score for kata in self.katas)

    @property
    def points(self) -> int:
        """The points that can be reached in the katas that were graded."""
        return sum(kata.points for kata in self.katas)

    def without_reports(self) -> Result:
        """Return a copy without the data of pages, which is most of it."""
        bare: dict[str, Any] = {"report": (), "rows": (), "beliefs": (), "example": (), "record": {}}
        katas = tuple(
            replace(kata, functions=tuple(replace(function, **bare) for function in kata.functions))
            for kata in self.katas
        )
        return replace(self, katas=katas)

    def plain(self) -> dict[str, Any]:
        """Convert to JSON data. The scores follow from the rest, and are added for convenience."""
        data = {"version": VERSION, "score": self.score, "points": self.points, **asdict(self)}
        for kata, plain in zip(self.katas, data["katas"], strict=True):
            plain |= {"score": kata.score, "points": kata.points}
            for function, entry in zip(kata.functions, plain["functions"], strict=True):
                entry["score"] = function.score
        return data


def unforeseen(error: Exception) -> str:
    """Say in one line that there is no result because the grader itself failed."""
    return line(f"the grader failed: {type(error).__name__}: {error}")


def read(path: Path) -> Result:
    """Read a result file; ValueError names the file if it holds no result."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise ValueError(f"version {data['version']!r}, and this dojo reads {VERSION}")
        katas = tuple(
            KataResult(
                slug=kata["slug"],
                title=kata["title"],
                functions=tuple(
                    FunctionResult(
                        **_of(FunctionResult, entry)
                        | {
                            "report": tuple(entry["report"]),
                            "rows": tuple(Row(**row) for row in entry["rows"]),
                            "beliefs": tuple(Belief(**_of(Belief, belief)) for belief in entry["beliefs"]),
                            "example": tuple(map(tuple, entry["example"])),
                        }
                    )
                    for entry in kata["functions"]
                ),
                trouble=kata["trouble"],
                notes=tuple(kata["notes"]),
                printed=kata["printed"],
                cause=kata["cause"],
                file=kata["file"],
                rules=kata["rules"],
            )
            for kata in data["katas"]
        )
        return Result(**{**_of(Result, data), "katas": katas, "notes": tuple(data["notes"])})
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} holds no result: {error}") from None


def _of(kind: type, entry: dict[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in kind.__dataclass_fields__}  # type: ignore[attr-defined]
