"""`dojo tables`: write the tables of README.md and GRADING.md, each between two comments, from the katas' folders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dojo.catalog import ROOT, Kata, katas
from dojo.tools import CommandError, measured

END = "<!-- end -->"


@dataclass(frozen=True)
class Table:
    """A table of a document: what it is called there, its columns, and the rows of one kata."""

    document: str
    name: str
    columns: tuple[str, ...]
    rows: Callable[[Kata], list[list[str]]]
    words: int = 1

    @property
    def begin(self) -> str:
        """The comment before the table."""
        return f"<!-- dojo tables: {self.name} -->"

    def lines(self, kata: Kata) -> list[str]:
        """The lines of one kata."""
        return [_line(row) for row in self.rows(kata)]

    def text(self) -> str:
        """The whole table; the first `words` columns hold words, the others numbers."""
        rule = ["---"] * self.words + ["---:"] * (len(self.columns) - self.words)
        lines = [_line(self.columns), _line(rule), *(line for kata in katas().values() for line in self.lines(kata))]
        return "\n".join([self.begin, *lines, END])


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _path(kata: Kata) -> list[list[str]]:
    return [[f"[{kata.number} · {kata.title}](katas/{kata.slug}/README.md)", kata.question]]


def _points(kata: Kata) -> list[list[str]]:
    return [[kata.slug, function.name, str(function.points)] for function in kata.functions.values()]


def _figures(*wanted: tuple[str, str, str]) -> Callable[[Kata], list[list[str]]]:
    """One row: of each column its section, its key and its format; empty where nothing was measured yet."""

    def rows(kata: Kata) -> list[list[str]]:
        found = measured.read(kata)
        cells = [format(found[name][key], how) if key in found.get(name, {}) else "" for name, key, how in wanted]
        return [[kata.slug, *cells]]

    return rows


TABLES = (
    Table("README.md", "path", ("kata", "the question it answers"), _path, words=2),
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
    Table("GRADING.md", "points", ("kata", "function", "points"), _points, words=2),
)


def _region(table: Table, text: str) -> re.Match[str]:
    found = re.search(f"{re.escape(table.begin)}\n.*?{END}", text, re.DOTALL)
    if found is None:
        raise CommandError(f"{table.document}: there is no {table.begin} with {END} behind it")
    return found


def outdated(kata: Kata) -> Iterator[tuple[str, str]]:
    """The tables that do not hold exactly the rows of this kata: their documents and names."""
    for table in TABLES:
        lines = _region(table, (ROOT / table.document).read_text(encoding="utf-8"))[0].splitlines()
        mine = [line for line in lines if line.startswith((f"| {kata.number}_", f"| [{kata.number} · "))]
        if mine != table.lines(kata):
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
