"""The report of a failure as lines: the call, what came, what is right, and the rule."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dojo.catalog import Kata
from dojo.judging.anonymous import anonymous, kind_of_error
from dojo.judging.naming import Fit
from dojo.judging.verdict import Verdict
from dojo.seam.data import Error, Foreign, Words, kind_of, shown


@functools.cache
def _words(stub: Path) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", stub.read_text(encoding="utf-8")))


def unsigned(verdict: Verdict, fits: Sequence[Fit], kata: Kata) -> Verdict:
    """Return a verdict without what only the learner's code can have said; what a belief also says may stay."""
    if isinstance(verdict.got, Error):
        return replace(verdict, got=kind_of_error(verdict.got))
    if verdict.call is None or any(fit["shown"] for fit in fits):
        return verdict
    known = "\n".join([verdict.call.written, *verdict.call.setup, verdict.want])
    return replace(verdict, got=anonymous(verdict.got, known, _words(kata.judge / "stub.py")))


def lines_of(verdict: Verdict, rule: str, device: str) -> list[list[str]]:
    """Return the report of a failure as pairs of label and text; [] if it has no example."""
    call, got, wanted = verdict.call, verdict.got, verdict.wanted
    if call is None:
        return []
    first, *more = call.written.split("\n")
    program = more or (verdict.of and not _is_code(first))
    lines = [["you ran" if program else "you called", first], *(["", line] for line in more)]
    lines += [["where" if place == 0 else "", line] for place, line in enumerate(call.setup)]
    mistyped = not isinstance(wanted, Words | None) and not isinstance(got, Error) and kind_of(got) != kind_of(wanted)
    mistyped = mistyped and (type(got), type(wanted)) != (int, float)  # an int is accepted as a float
    mistyped = mistyped and not (type(got) is type(wanted) and [] in (got, wanted))  # the other one shows of what
    value_of = f"{verdict.of} = " if verdict.of else ""
    if isinstance(got, Error):
        lines.append(["it was", got.message] if got.name == "Endless" else ["it raised", _error(got)])
    else:
        typed = mistyped and not isinstance(got, Foreign | None)  # these are shown as their type alone
        text = value_of + shown(got) + (f", {kind_of(got)}" if typed else "")
        lines.append(["then" if program else "it returned", text])
    if verdict.want:
        want, *others = verdict.want.split("\n")
        # Words such as "from 1 to 3" are not a value to equal.
        named = isinstance(got, Error) or _is_code(verdict.want) or verdict.want == shown(wanted)
        lines.append([verdict.says, value_of * named + want + (f", {kind_of(wanted)}" if mistyped else "")])
        lines += [["", line] for line in others]
    if verdict.note:
        lines.append(["but", verdict.note])
    if rule:
        lines.append(["the rule", rule])
    if device not in ("", "cpu"):
        lines.append(["on", device])
    return lines


def _is_code(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def _error(error: Error) -> str:
    if error.name == "RecursionError":
        return "RecursionError: it calls itself without end"
    if error.name == "SystemExit":
        return "SystemExit: it ends the program instead of returning"
    return str(error)
