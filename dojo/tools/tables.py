"""`dojo tables`: write the tables of README.md and GRADING.md from the katas' folders, each between two comments."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dojo.catalog import ROOT, ROUTES, Kata, katas
from dojo.tools import CommandError, measured

END = "<!-- end -->"


@dataclass(frozen=True)
class Region:
    """A generated part of a document, between two comments: the name of the document, and that of the part."""

    document: str
    name: str

    @property
    def begin(self) -> str:
        """The comment above it."""
        return f"<!-- dojo tables: {self.name} -->"

    def body(self) -> list[str]:
        """Return its lines, without the comments."""
        raise NotImplementedError

    def is_current(self, kata: Kata, lines: list[str]) -> bool:
        """Return whether these lines are up to date for this kata."""
        return lines == self.body()

    def text(self) -> str:
        """Return its text, with the comments."""
        return "\n".join([self.begin, *self.body(), END])


@dataclass(frozen=True)
class Table(Region):
    """A table: its columns, the rows of a kata, and the last rows, which are about all katas.

    The first `words` columns hold words, the others numbers.
    """

    columns: tuple[str, ...]
    rows: Callable[[Kata], list[list[str]]]
    words: int = 1
    last: Callable[[], list[list[str]]] = list

    def lines(self, kata: Kata) -> list[str]:
        """Return the lines of one kata."""
        return [_line(row) for row in self.rows(kata)]

    def is_current(self, kata: Kata, lines: list[str]) -> bool:
        """Return whether these lines hold exactly the rows of this kata, and end with those about all katas."""
        mine = [line for line in lines if line.startswith((f"| {kata.number}_", f"| [{kata.number} · "))]
        last = [*map(_line, self.last())]
        return mine == self.lines(kata) and lines[len(lines) - len(last) :] == last

    def body(self) -> list[str]:
        """Return the whole table."""
        head = [_line(self.columns), _line(["---"] * self.words + ["---:"] * (len(self.columns) - self.words))]
        return [*head, *(line for kata in katas().values() for line in self.lines(kata)), *map(_line, self.last())]


@dataclass(frozen=True)
class Chart(Region):
    """A flowchart of the order of the katas, in Mermaid, which GitHub draws."""

    def body(self) -> list[str]:
        """Return the flowchart. An arrow leads from each kata to those that take its lesson as known."""
        boxes = [f'    {kata.number}["{kata.number} · {_topic(kata)}"]' for kata in katas().values()]
        arrows = [f"    {' & '.join(kata.after)} --> {kata.number}" for kata in katas().values() if kata.after]
        return ["```mermaid", "flowchart LR", *boxes, *arrows, "```"]


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _topic(kata: Kata) -> str:
    return kata.slug.partition("_")[2].replace("_", " ")


def hours(kata: Kata) -> int:
    """Estimate the hours that a kata takes: one for the lesson, and one for every four points."""
    return 1 + math.ceil(_total(kata) / 4)


def _total(kata: Kata) -> int:
    return sum(function.points for function in kata.functions.values())


def _path(kata: Kata) -> list[list[str]]:
    name = f"[{kata.number} · {kata.title}](katas/{kata.slug}/README.md)"
    return [[name, kata.question, ", ".join(kata.after) or "–", str(hours(kata))]]


def _on(route: str) -> list[Kata]:
    return [kata for kata in katas().values() if route in kata.routes]


def _routes() -> list[list[str]]:
    return [
        [
            route,
            learned,
            " ".join(kata.number for kata in _on(route)),
            str(sum(len(kata.functions) for kata in _on(route))),
            str(sum(map(hours, _on(route)))),
        ]
        for route, learned in ROUTES.items()
    ]


def _by_route(kata: Kata) -> list[list[str]]:
    points = str(_total(kata))
    return [[kata.slug, *(points if route in kata.routes else "" for route in ROUTES), points]]


def _sums() -> list[list[str]]:
    totals = [sum(map(_total, _on(route))) for route in ROUTES]
    return [["all", *map(str, totals), str(sum(map(_total, katas().values())))]]


def _points(kata: Kata) -> list[list[str]]:
    return [[kata.slug, function.name, str(function.points)] for function in kata.functions.values()]


def _figures(*wanted: tuple[str, str, str]) -> Callable[[Kata], list[list[str]]]:
    """Return a function that makes a kata's row: a cell for each (section, key, format), empty if not measured."""

    def rows(kata: Kata) -> list[list[str]]:
        found = measured.read(kata)
        if mutants := found.get("mutants"):
            found["mutants"] = {key: measured.total(mutants, key) for key in ("count", "killed", "surviving")}
        cells = [format(found[name][key], how) if key in found.get(name, {}) else "" for name, key, how in wanted]
        return [[kata.slug, *cells]]

    return rows


TABLES: tuple[Region, ...] = (
    Chart("README.md", "map"),
    Table("README.md", "path", ("kata", "the question it answers", "after", "hours"), _path, words=3),
    Table(
        "README.md", "routes", ("route", "what you learn", "katas", "functions", "hours"), lambda kata: [], 3, _routes
    ),
    Table(
        "README.md",
        "power",
        (
            "kata",
            "wrong answers",
            "killed by properties",
            "killed by examples",
            "median call that showed it",
            "ms, properties",
            "ms, examples",
        ),
        _figures(
            ("power", "wrong", "d"),
            ("power", "by_properties", ".0%"),
            ("power", "by_examples", ".0%"),
            ("power", "median_call", "g"),
            ("power", "ms_properties", ".3g"),
            ("power", "ms_examples", ".3g"),
        ),
    ),
    Table(
        "README.md",
        "strength",
        ("kata", "mutants", "killed", "surviving", "right answers asked", "false alarms"),
        _figures(
            ("mutants", "count", "d"),
            ("mutants", "killed", "d"),
            ("mutants", "surviving", "d"),
            ("nightly", "answers", ",d"),
            ("nightly", "false_alarms", "d"),
        ),
    ),
    Table(
        "README.md",
        "cost",
        ("kata", "`pytest`, over the floor", "`dojo watch`, over the floor"),
        _figures(("verdict", "ratio", ".2f"), ("watch", "ratio", ".2f")),
    ),
    Table("GRADING.md", "routes", ("kata", *ROUTES, "points"), _by_route, last=_sums),
    Table("GRADING.md", "points", ("kata", "function", "points"), _points, words=2),
)


def _region(table: Region, text: str) -> re.Match[str]:
    found = re.search(f"{re.escape(table.begin)}\n.*?{END}", text, re.DOTALL)
    if found is None:
        raise CommandError(f"{table.document}: there is no {table.begin} with {END} behind it")
    return found


def outdated(kata: Kata) -> Iterator[tuple[str, str]]:
    """Yield the document and name of each table that is out of date for this kata."""
    for table in TABLES:
        lines = _region(table, (ROOT / table.document).read_text(encoding="utf-8"))[0].splitlines()[1:-1]
        if not table.is_current(kata, lines):
            yield table.document, table.name


def filled() -> dict[str, str]:
    """Return the text of each document, with its tables up to date."""
    texts: dict[str, str] = {}
    for table in TABLES:
        text = texts.get(table.document) or (ROOT / table.document).read_text(encoding="utf-8")
        found = _region(table, text)
        texts[table.document] = text[: found.start()] + table.text() + text[found.end() :]
    return texts


def write() -> list[str]:
    """Write the tables, and return the documents that changed."""
    texts = filled()
    changed = [name for name, text in texts.items() if (ROOT / name).read_text(encoding="utf-8") != text]
    for name in changed:
        (ROOT / name).write_text(texts[name], encoding="utf-8")
    return changed
