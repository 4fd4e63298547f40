"""A sum as a report draws it: term by term, the learner's beside torch's."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

from dojo.judging.pictures import Terms
from dojo.seam.data import shown
from dojo.seam.seam import Stopped

Ask = Callable[[], object]


def terms(
    counted: dict[str, int], answer: object, alone: Mapping[str, Ask] | None = None, how: str = ""
) -> Terms | None:
    """Return the picture of a sum, term by term, or None if it has no terms.

    counted: torch's measurement of each term. answer: the result of the learner's function for the whole sum. alone:
    functions that call it for a single term, if that is possible; `how` describes these calls.
    """
    total = sum(counted.values())
    yours = {name: asked(ask) for name, ask in (alone or {}).items()}
    said = [how] if yours else []
    if type(answer) is int and answer != total:
        off = abs(answer - total)
        alike = [name for name, term in counted.items() if term == off]
        if len(alike) == 1:  # with several, it would be a guess
            said.append(f'Yours is {off:,} {"less" if answer < total else "more"}: as much as "{alike[0]}".')
    rows = [(name, yours.get(name, ""), shown(term)) for name, term in counted.items()]
    return Terms(rows, ("in all", shown(answer), shown(total)), " ".join(said)) if rows else None


def asked(ask: Ask) -> str:
    """Return the result of the learner's function as text, or a dash if there is none."""
    with contextlib.suppress(Stopped):
        return shown(ask())
    return "—"
