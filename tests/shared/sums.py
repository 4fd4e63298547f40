"""A sum as a report draws it: term by term, torch's beside the learner's."""

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
    """A sum term by term, torch's beside the learner's.

    counted: what torch measures of each term. answer: what the learner's function returned for all of them. alone:
    asks it for one term, where it can be asked; `how` says how.
    """
    total = sum(counted.values())
    yours = {name: asked(ask) for name, ask in (alone or {}).items()}
    said = [how] if yours else []
    if type(answer) is int and answer != total:
        off = abs(answer - total)
        alike = [name for name, term in counted.items() if term == off]
        if len(alike) == 1:  # of several it would be a guess
            said.append(f'Yours is {off:,} {"less" if answer < total else "more"}: as much as "{alike[0]}".')
    rows = [(name, yours.get(name, ""), shown(term)) for name, term in counted.items()]
    return Terms(rows, ("in all", shown(answer), shown(total)), " ".join(said)) if rows else None


def asked(ask: Ask) -> str:
    """Return what the learner's function gives, as text; a dash where it gives nothing."""
    with contextlib.suppress(Stopped):
        return shown(ask())
    return "—"
