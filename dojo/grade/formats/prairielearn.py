"""prairielearn.json, by "External Grading" of PrairieLearn's documentation: its /grade/results/results.json.

PrairieLearn escapes names and descriptions. It turns ANSI codes of outputs into HTML, and a sanitized result has none.
"""

from __future__ import annotations

from typing import Any

from dojo.grade.formats.phrases import failure, heading, holds
from dojo.grade.formats.safe_json import dumps
from dojo.grade.result import FunctionResult, KataResult, Result

MOST = 10**6
"""Bytes that PrairieLearn accepts."""


def render(result: Result) -> str:
    """Render the score as a share of the points, a test for each function, and the reports unless they are too long."""
    text = dumps(_payload(result, reports=True))
    return text if len(text) <= MOST else dumps(_payload(result, reports=False))


def _payload(result: Result, *, reports: bool) -> dict[str, Any]:
    return {
        # Also if the file cannot be imported: PrairieLearn does not count an attempt that is not gradable.
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
