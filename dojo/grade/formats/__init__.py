"""Every form in which a result leaves the grader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from dojo.grade.formats import classroom50, gradescope, json, junit, markdown, prairielearn
from dojo.grade.result import Result
from dojo.report.sanitize import line, lines


@dataclass(frozen=True)
class Format:
    """filename: what the file is called. render: a clean result as the text of that file."""

    filename: str
    render: Callable[[Result], str]

    def text(self, result: Result) -> str:
        """The text of the file. Nothing that the submission printed or returned can act in it."""
        return self.render(_cleaned(result))


FORMATS = {
    "json": Format("result.json", json.render),
    "junit": Format("junit.xml", junit.render),
    "gradescope": Format("results.json", gradescope.render),
    "markdown": Format("grade.md", markdown.render),
    "classroom50": Format("classroom50.json", classroom50.render),
    "prairielearn": Format("prairielearn.json", prairielearn.render),
}
"""What `--format` chooses from."""


def _cleaned(told: Any) -> Any:
    """The same with every text of it as a clean line, bounded; a tuple of texts is bounded as a whole."""
    if isinstance(told, str):
        return line(told)
    if isinstance(told, tuple):
        return lines(told) if all(isinstance(item, str) for item in told) else tuple(map(_cleaned, told))
    if is_dataclass(told) and not isinstance(told, type):
        return replace(told, **{entry.name: _cleaned(getattr(told, entry.name)) for entry in fields(told)})
    return told
