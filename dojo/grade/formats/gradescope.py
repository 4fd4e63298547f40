"""results.json for Gradescope, by "Autograder Specifications" of its documentation.

Every text has the format "text", which Gradescope escapes; html, md and ansi would let a submission inject markup.
"""

from __future__ import annotations

from typing import Any

from dojo.grade.formats.phrases import failure, heading, holds
from dojo.grade.formats.safe_json import dumps
from dojo.grade.result import FunctionResult, KataResult, Result


def render(result: Result) -> str:
    """Render the score, and a test for each function. The grader's own output is visible to staff only."""
    return dumps(
        {
            "score": result.score,
            "output": "\n".join(heading(result)),
            "output_format": "text",
            "test_output_format": "text",
            "test_name_format": "text",
            "visibility": "visible",
            "stdout_visibility": "hidden",
            "extra_data": {"points": result.points, "isolation": result.isolation},
            "tests": [_test(kata, function) for kata in result.katas for function in kata.functions],
        }
    )


def _test(kata: KataResult, function: FunctionResult) -> dict[str, Any]:
    return {
        "name": f"{kata.slug} {function.name}: {function.title}",
        "name_format": "text",
        "score": function.score,
        "max_score": function.points,
        "status": "passed" if function.status == "done" else "failed",
        "output": "\n".join((*failure(kata, function), holds(function))),
        "output_format": "text",
        "visibility": "visible",
        "tags": [kata.slug, function.status],
    }
