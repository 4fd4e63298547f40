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
"""Maximum number of characters of the calls of one property, as JSON."""


def recorded(calls: Iterable[Call], most: int = MOST) -> list[dict[str, Any]]:
    """Return calls as JSON of at most `most` characters, with sanitized texts. Calls that do not fit are left out.

    Calls with an argument that sanitizing would change are left out too, since their right answers would change.
    Types and errors that the submission defines lose their names.
    """
    kept = []
    for call in sample(calls):
        given = [*call.args, call.named]
        if 3 * size([call.outcome, *given]) > most or not _is_harmless(given):  # each element takes three or more
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
    """Return a text as one line, and a type or an error without names that the submission made up."""
    return line(leaf) if isinstance(leaf, str) else anonymous(leaf, "")
