"""The kinds of a call, by its arguments and its outcome: a slip may affect only calls of one kind."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from dojo.seam.seam import Call

TYPE = "type"
"""The kind of calls whose answer is right, or the belief's, except for its type, such as an int for a float."""
MENDED = frozenset({"nothing", "nothing believed"})
"""The kinds of calls that a function may get right by chance, or by a special case, while the belief is wrong.

Calls to be refused are not among them: a learner who refuses them does not hold a belief that accepts them.
"""


def watched(outcome: object) -> Iterable[tuple[str, object]]:
    """Return what a call answered, by name; for a program, each watched value except False, which is often right.

    Names lose their digits, which may have been drawn.
    """
    if isinstance(outcome, dict):
        return [(re.sub(r"\d+", "", name), value) for name, value in outcome.items() if value is not False]
    return [("", outcome)]


def is_program(call: Call) -> bool:
    """Return whether a call is a program of several lines, which takes time."""
    return "\n" in call.written


def is_nothing(value: object) -> bool:
    """Return whether a value is 0, False or ()."""
    return isinstance(value, int | float | tuple) and not value


def without_tensors(value: Any) -> Any:
    """Return a value with shapes in place of tensors, because a program may watch which tensors outlive the call."""
    if isinstance(value, tuple | list):
        inside = map(without_tensors, value)
        return [*inside] if isinstance(value, list) else tuple(inside)
    return value.shape if hasattr(value, "shape") else value


def kinds_in(value: Any) -> Iterator[str]:
    """Yield marks for 0, 1, less or nothing in a value, in its tensors' shapes or in a text, and a text's words.

    In a list of numbers these have marks of their own: every order of windows has a 0 in it, which is no edge case.
    """
    if hasattr(value, "parameters"):
        value = list(value.parameters())
    value = getattr(value, "shape", value)
    if isinstance(value, int | float) and not isinstance(value, bool):  # a bool is a flag, and no edge case
        if value <= 1:
            yield "0" if value == 0 else "1" if value == 1 else "below"
    elif isinstance(value, str) and not os.path.isabs(value):  # each run has another folder
        yield from re.findall(r"[A-Za-z_]\w+|\b[01]\b|\(\)", value)
    elif isinstance(value, tuple | list | dict):
        if not value:
            yield "()"
        if isinstance(value, list) and len(value) <= 1:  # a list's length is a size of the input, too
            yield str(len(value))
        if type(value) is tuple and len(value) == 1:  # the shape of a vector; that of a tensor is a torch.Size
            yield "(n,)"
        is_data = isinstance(value, list) and all(isinstance(item, int | float) for item in value)
        for item in value.values() if isinstance(value, dict) else value:
            yield from (f"{kind} as data" if is_data else kind for kind in kinds_in(item))


def loose(value: Any) -> object:
    """Return a value with a float for each number that a float can hold, and float64 for each tensor of floats."""
    if hasattr(value, "shape") and value.is_floating_point():
        return value.double()
    if isinstance(value, int | float):
        with contextlib.suppress(OverflowError):
            return float(value)
    if isinstance(value, tuple | list):
        return [loose(item) for item in value]
    if isinstance(value, dict):
        return {name: loose(item) for name, item in value.items()}
    return value


def too_much(call: Call) -> object:
    """Return what a call answered, with each limited amount replaced by whether it is over its limit."""
    return _limited(call, lambda value, most: value > most)


def as_judged(call: Call) -> Call:
    """Return a call without the amounts that are within their limits, all of which are right."""
    return replace(call, outcome=_limited(call, lambda value, most: value if value > most else None))


def _limited(call: Call, told: Callable[[int, int], object]) -> object:
    """Return what a call answered, with what is told in place of each limited amount."""
    limits: Any = getattr(call.scenario, "limits", None)
    if not limits or not isinstance(call.outcome, dict):
        return call.outcome
    most = limits(*call.args)
    return {
        name: told(value, most[name]) if name in most and isinstance(value, int) else value
        for name, value in call.outcome.items()
    }


def is_apart(telling: Sequence[frozenset[str]], missed: Sequence[frozenset[str]]) -> bool:
    """Return whether all telling calls are of one kind, and no missed call is.

    Then either kind may be the slip, so these calls tell nothing. Those of other properties may.
    """
    if not telling or not missed:
        return False
    return not frozenset.intersection(*telling) <= frozenset().union(*missed)
