"""The file formats of results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from dojo.grade.formats import classroom50, gradescope, html, json, junit, markdown, prairielearn
from dojo.grade.result import Result
from dojo.report.sanitize import line, lines


@dataclass(frozen=True)
class Format:
    """A file format of results."""

    filename: str
    render: Callable[[Result], str]
    """Renders a sanitized result."""

    def text(self, result: Result) -> str:
        """Sanitize and render a result, so that nothing the submission printed or returned has an effect in it."""
        return self.render(_sanitized(result))


FORMATS = {
    "json": Format("result.json", json.render),
    "junit": Format("junit.xml", junit.render),
    "gradescope": Format("results.json", gradescope.render),
    "markdown": Format("grade.md", markdown.render),
    "html": Format("grade.html", html.render),
    "classroom50": Format("classroom50.json", classroom50.render),
    "prairielearn": Format("prairielearn.json", prairielearn.render),
}
"""The choices of `--format`."""


def _sanitized(value: Any) -> Any:
    """Return a copy in which every text is a sanitized line, and every tuple of texts is bounded."""
    if isinstance(value, str):
        return line(value)
    if isinstance(value, tuple):
        return lines(value) if all(isinstance(item, str) for item in value) else tuple(map(_sanitized, value))
    if isinstance(value, list):
        return [_sanitized(item) for item in value]
    if isinstance(value, dict):
        return {name: _sanitized(item) for name, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{entry.name: _sanitized(getattr(value, entry.name)) for entry in fields(value)})
    return value
