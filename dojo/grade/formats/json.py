"""result.json: the whole result, for programs. `dojo.grade.result.read` reads it."""

from __future__ import annotations

from dojo.grade.formats.safe_json import dumps
from dojo.grade.result import Result


def render(result: Result) -> str:
    """Render the whole result."""
    return dumps(result.plain())
