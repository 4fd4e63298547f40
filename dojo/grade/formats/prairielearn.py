"""prairielearn.json, by "External Grading" of PrairieLearn's documentation: its /grade/results/results.json.

PrairieLearn escapes names and descriptions, and turns ANSI codes of outputs into HTML after escaping it: a clean result
holds no such code.
"""

from __future__ import annotations

from typing import Any

from dojo.grade.formats.phrases import failure, heading, holds
from dojo.grade.formats.safe_json import dumps
from dojo.grade.result import FunctionResult, KataResult, Result

MOST = 10**6
"""Bytes that PrairieLearn takes."""


def render(result: Result) -> str:
    """The score as a share of the points, a test for each function, and the reports, unless they are too long."""
    text = dumps(_told(result, reports=True))
    return text if len(text) <= MOST else dumps(_told(result, reports=False))


def _told(result: Result, *, reports: bool) -> dict[str, Any]:
    return {
        # Also of a file that cannot be imported: PrairieLearn takes no attempt for what is not gradable.
        "gradable": True,
        "score": result.score / result.points if result.points else 0.0,
        "message": f"{result.score} of {result.points} points",
        "output": "\n".join(heading(result)) if reports else "The reports are too long to show here.",
        "tests": [_test(kata, function, reports) for kata in result.katas for function in kata.functions],
    }


def _test(kata: KataResult, function: FunctionResult, reports: bool) -> dict[str, Any]:
    return {
        "name": f"{kata.slug} {function.name}",
        "description": function.title,
        "points": function.score,
        "max_points": function.points,
        "message": f"{function.status}: {holds(function)}",
        "output": "\n".join(failure(kata, function)) if reports else "",
    }
