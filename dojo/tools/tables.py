"""`dojo tables`: write the tables of README.md and GRADING.md, each between two comments, from the katas' folders."""

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
    """A part of a document between two comments that a command writes: where it is, and what it is called there."""

    document: str
    name: str

    @property
    def begin(self) -> str:
        """The comment before it."""
        return f"<!-- dojo tables: {self.name} -->"

    def body(self) -> list[str]:
        """All its lines."""
        raise NotImplementedError

    def is_current(self, kata: Kata, lines: list[str]) -> bool:
        """Whether these lines say of this kata what they should."""
        return lines == self.body()

    def text(self) -> str:
        """The whole of it, with its comments."""
        return "\n".join([self.begin, *self.body(), END])


@dataclass(frozen=True)
class Table(Region):
    """A table: its columns, the rows of one kata, and the last rows, of all.

    The first `words` columns hold words, the others numbers.
    """

    columns: tuple[str, ...]
    rows: Callable[[Kata], list[list[str]]]
    words: int = 1
    last: Callable[[], list[list[str]]] = list

    def lines(self, kata: Kata) -> list[str]:
        """The lines of one kata."""
        return [_line(row) for row in self.rows(kata)]

    def is_current(self, kata: Kata, lines: list[str]) -> bool:
        """Whether exactly the rows of this kata are among these lines, and those of all at the end."""
        mine = [line for line in lines if line.startswith((f"| {kata.number}_", f"| [{kata.number} · "))]
        last = [*map(_line, self.last())]
        return mine == self.lines(kata) and lines[len(lines) - len(last) :] == last

    def body(self) -> list[str]:
        """The whole table."""
        head = [_line(self.columns), _line(["---"] * self.words + ["---:"] * (len(self.columns) - self.words))]
        return [*head, *(line for kata in katas().values() for line in self.lines(kata)), *map(_line, self.last())]


@dataclass(frozen=True)
class Chart(Region):
    """A flowchart of what comes after what, as GitHub draws Mermaid."""

    def body(self) -> list[str]:
        """An arrow from each kata to those that take its lesson as known."""
        boxes = [f'    {kata.number}["{kata.number} · {_topic(kata)}"]' for kata in katas().values()]
        arrows = [f"    {' & '.join(kata.after)} --> {kata.number}" for kata in katas().values() if kata.after]
        return ["```mermaid", "flowchart LR", *boxes, *arrows, "```"]


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _topic(kata: Kata) -> str:
    return kata.slug.partition("_")[2].replace("_", " ")


def hours(kata: Kata) -> int:
    """Return an estimate of the hours that a kata takes: one for its lesson, and one for each four points."""
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
    """One row: of each column its section, its key and its format; empty where nothing was measured yet."""

    def rows(kata: Kata) -> list[list[str]]:
        found = measured.read(kata)
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
    """The tables that do not hold exactly the rows of this kata: their documents and names."""
    for table in TABLES:
        lines = _region(table, (ROOT / table.document).read_text(encoding="utf-8"))[0].splitlines()[1:-1]
        if not table.is_current(kata, lines):
            yield table.document, table.name


def filled() -> dict[str, str]:
    """The text of each document, with its tables as they should be."""
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
