"""grade.md, for people: a job's summary on GitHub, a comment, a page.

Everything that a submission can influence is in code spans and code blocks, where mentions, links, images and HTML have
no effect.
"""

from __future__ import annotations

from collections.abc import Iterator

from dojo.grade.formats.phrases import beside
from dojo.grade.result import KataResult, Result
from dojo.judging.outcomes import Status
from dojo.report.sanitize import code, fenced

MOST = 1024**2
"""Bytes that GitHub accepts as the summary of one step."""


def render(result: Result) -> str:
    """Render the score, a line for each function, and the reports, unless they are more than GitHub accepts."""
    text = "\n".join([*_table(result), *(part for kata in result.katas for part in _reports(kata))])
    if len(text.encode()) > MOST:
        text = "\n".join([*_table(result), "The reports are too long to show here.\n"])
    return text


def _table(result: Result) -> Iterator[str]:
    yield f"# {result.score} of {result.points} points\n"
    by = f"torch-dojo {code(result.dojo)}, torch {code(result.torch)}, Python {code(result.python)}"
    yield f"{code(result.submission)}, isolation {code(result.isolation)}, device {code(result.device)}, by {by}\n"
    if result.notes:
        yield fenced(result.notes) + "\n"
    yield "| kata | function | points | status |\n| --- | --- | ---: | --- |"
    for kata in result.katas:
        for function in kata.functions:
            points = f"{function.score} of {function.points}"
            yield f"| {code(kata.slug)} | {code(function.name)} | {points} | {function.status} |"
    yield ""


def _reports(kata: KataResult) -> Iterator[str]:
    """Yield the notes on the file, and the report on each function that failed."""
    if text := beside(kata):
        yield f"## {code(kata.slug)}\n\n{fenced(text)}\n"
    for function in kata.functions:
        text = (*filter(None, (function.note,)), *function.report)
        if function.status != Status.DONE and text:
            yield f"### {code(kata.slug)} {code(function.name)}\n\n{fenced(text)}\n"
