"""grade.html, a self-contained page for a student: the score, a line for each function, the reports with pictures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from xml.etree.ElementTree import Element

from dojo.grade.formats.phrases import beside
from dojo.grade.result import FunctionResult, KataResult, Result, Row
from dojo.judging.outcomes import Status
from dojo.judging.pictures import Picture, restored
from dojo.report.failure import bar, counted, failure, function_item, kata_row
from dojo.report.html import STYLE, document, node
from dojo.report.sanitize import no_commands


def render(result: Result) -> str:
    """Render the page. It looks like that of `dojo report`, and has points in addition."""
    words = [function.status for kata in result.katas for function in kata.functions]
    score = f"{result.score} of {result.points} points"
    by = f"torch-dojo {result.dojo}, torch {result.torch}, Python {result.python}"
    about = (result.submission, f"isolation {result.isolation}", f"device {result.device}", by)
    first = next((kata for kata in result.katas if kata.score < kata.points), None)
    failures = [block for kata in result.katas for block in _failures(kata)]
    for block in failures[:1]:
        block.set("open", "")
    body = [
        node("header", node("h1", score), node("p", " · ".join(about), class_="faint")),
        *(node("p", note, class_="trouble") for note in result.notes),
        node("p", node("strong", counted(words)), bar(words), class_="all"),
        node("div", *(_row_of_map(kata, kata is first) for kata in result.katas), class_="map"),
        *([node("h2", "What is wrong")] if failures else []),
        *failures,
    ]
    page = document(f"torch-dojo: {score}", STYLE.read_text(encoding="utf-8"), [node("main", *body)])
    return no_commands(page)


def _row_of_map(kata: KataResult, is_open: bool) -> Element:
    """Return one kata of the map: a line that unfolds to its functions."""
    words = [function.status for function in kata.functions]
    bad = kata.cause or (f"{words.count(Status.WRONG)} wrong" if Status.WRONG in words else "")
    targets = {one.name: _anchor(kata, same) for same in _groups(kata) for one in same}
    below = [
        *(node("p", line, class_="trouble") for line in beside(kata)),
        node("ul", *(_item(function, targets.get(function.name, "")) for function in kata.functions)),
    ]
    count = f"{kata.score} of {kata.points}"
    return kata_row(kata.slug, kata.title, words, below, count=count, bad=bad, is_open=is_open)


def _item(function: FunctionResult, target: str) -> Element:
    points = f"{function.score} of {function.points}"
    return function_item(function.name, function.status, function.note, target, f"{function.status} · {points}")


def _groups(kata: KataResult) -> list[list[FunctionResult]]:
    """Return the functions that have a report; those that failed the same example together have one."""
    wrong = [function for function in kata.functions if function.report and function.status != Status.DONE]
    return [list(same) for _, same in groupby(wrong, key=lambda function: function.report)]


def _anchor(kata: KataResult, functions: list[FunctionResult]) -> str:
    return f"{kata.slug}.{functions[0].name}"


def _failures(kata: KataResult) -> Iterator[Element]:
    for functions in _groups(kata):
        pairs = [_pair(row) for row in functions[0].rows]
        pairs = pairs or [("" if place else "report", line) for place, line in enumerate(functions[0].report)]
        pairs.append(("lesson", f"katas/{kata.slug}/README.md"))
        title = f"{kata.slug} · {', '.join(function.name for function in functions)}"
        yield failure(title, pairs, _anchor(kata, functions), {}, is_open=False)


def _pair(row: Row) -> tuple[str, str | Picture]:
    return row.label, restored(row.picture) if row.picture else row.text
