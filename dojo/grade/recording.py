"""What a result keeps of wrong answers that no belief explains: calls, bounded and sanitized."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from dojo.judging import records
from dojo.judging.anonymous import anonymous, with_texts
from dojo.report.sanitize import clean, line
from dojo.seam.data import size
from dojo.seam.seam import Call, sample

MOST = 2**15
"""Most characters of the calls of one property, as JSON."""


def recorded(calls: Iterable[Call], most: int = MOST) -> list[dict[str, Any]]:
    """Return calls as JSON of so many characters at most, with sanitized texts; those that do not fit are left out.

    So are calls with an argument that sanitizing changes: they would be other calls, with other right answers.
    Types and errors of the submission's own lose their names.
    """
    kept = []
    for call in sample(calls):
        given = [*call.args, call.named]
        if 3 * size([call.outcome, *given]) > most or not _is_harmless(given):  # an element takes three characters
            continue
        setup, outcome = tuple(map(clean, call.setup)), with_texts(call.outcome, _sanitized)
        (found,) = records.told([replace(call, written=clean(call.written), setup=setup, outcome=outcome)])
        length = len(json.dumps(found))
        if length <= most:
            most -= length
            kept.append(found)
    return kept


def _is_harmless(value: object) -> bool:
    changed: list[object] = []

    def look(text: Any) -> Any:
        changed.extend([] if _sanitized(text) == text else [text])
        return text

    with_texts(value, look)
    return not changed


def _sanitized(leaf: Any) -> Any:
    """Return a text as one line, and what is no text by a name that is not the submission's."""
    return line(leaf) if isinstance(leaf, str) else anonymous(leaf, "")
