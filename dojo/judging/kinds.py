"""What is in the arguments and the outcome of a call: of what kind it is, to which a slip may belong."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dojo.seam.seam import Call


def watched(outcome: object) -> Iterable[tuple[str, object]]:
    """What a call answered: of a program, each value that is watched but a False, which is often right.

    By its name, without the numbers that were drawn for it.
    """
    if isinstance(outcome, dict):
        return [(re.sub(r"\d+", "", name), value) for name, value in outcome.items() if value is not False]
    return [("", outcome)]


def is_nothing(value: object) -> bool:
    """Whether it is 0, False or ()."""
    return isinstance(value, int | float | tuple) and not value


def without_tensors(value: Any) -> Any:
    """The value with shapes in place of tensors: a program may look at what outlives the call."""
    if isinstance(value, tuple | list):
        inside = map(without_tensors, value)
        return [*inside] if isinstance(value, list) else tuple(inside)
    return value.shape if hasattr(value, "shape") else value


def kinds_in(value: Any) -> Iterator[str]:
    """0, 1, nothing or less in a value, in the shapes of its tensors, or in a text; and the words of a text."""
    if hasattr(value, "parameters"):
        value = list(value.parameters())
    value = getattr(value, "shape", value)
    if isinstance(value, int | float) and not isinstance(value, bool):  # a flag is what a function is about
        if value <= 1:
            yield "0" if value == 0 else "1" if value == 1 else "below"
    elif isinstance(value, str) and not os.path.isabs(value):  # a folder is another one in each run
        yield from re.findall(r"[A-Za-z_]\w+|\b[01]\b|\(\)", value)
    elif isinstance(value, tuple | list | dict):
        if not value:
            yield "()"
        if type(value) is tuple and len(value) == 1:  # the shape of a vector; that of a tensor is a torch.Size
            yield "(n,)"
        for item in value.values() if isinstance(value, dict) else value:
            yield from kinds_in(item)


def loose(value: Any) -> object:
    """The same value with a float for each number that is one."""
    if isinstance(value, int | float):
        with contextlib.suppress(OverflowError):
            return float(value)
    if isinstance(value, tuple | list):
        return [loose(item) for item in value]
    return value


def too_much(call: Call) -> object:
    """What a call answered; of what is measured, whether it is too much."""
    limits: Any = getattr(call.scenario, "limits", None)
    if not limits or not isinstance(call.outcome, dict):
        return call.outcome
    most = limits(*call.args)
    return {
        name: value > most[name] if name in most and isinstance(value, int) else value
        for name, value in call.outcome.items()
    }


def is_apart(telling: Sequence[frozenset[str]], missed: Sequence[frozenset[str]]) -> bool:
    """Whether all telling calls are of a kind of which none is that is missed.

    Then either may be the slip, and they tell nothing: what other properties asked may.
    """
    if not telling or not missed:
        return False
    return not frozenset.intersection(*telling) <= frozenset().union(*missed)
