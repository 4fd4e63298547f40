"""The functions of a learner's file that another function of it calls: what they answer is part of its answer."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from dojo.catalog import Kata
from dojo.judging.diagnose import Variant, names, solution, with_variant
from dojo.seam.deadline import SECONDS, Endless
from dojo.seam.seam import Call, Seam, Stopped

Helpers = Mapping[str, Any]
"""Functions or classes of a learner's file, by name."""


def called(kata: Kata, function: str, seam: Seam) -> Helpers:
    """Return the functions of the kata that the learner's `function` calls, itself or through others of its file.

    Untouched stubs are left out. Nothing is known of a file that runs elsewhere, such as in a jail: return {}.
    """
    module = seam.answers.module
    if not isinstance(module, ModuleType) or not function:
        return {}
    found: dict[str, Any] = {}
    left = [vars(module).get(function)]
    while left:
        for name in _names(left.pop()):
            value = vars(module).get(name)
            if name not in found and getattr(value, "__module__", "") == module.__name__:
                found[name] = value
                left.append(value)
    return {name: found[name] for name in kata.functions if name in found.keys() - {function, *seam.answers.stubs}}


def _names(value: Any) -> Iterator[str]:
    """Yield the names of globals and attributes that a function uses, or the methods of a class and its bases."""
    for one in [one for base in value.__mro__ for one in vars(base).values()] if isinstance(value, type) else [value]:
        one = getattr(one, "__func__", None) or getattr(one, "fget", None) or one  # a static method, or a property
        code = getattr(inspect.unwrap(one) if callable(one) else one, "__code__", None)
        yield from names(code) if code else ()


@contextlib.contextmanager
def lent(kata: Kata, helpers: Helpers) -> Iterator[None]:
    """Inside, the solution and its variants call these functions in place of the solution's own.

    If one of them does not end, what was begun inside is given up.
    """
    place = vars(solution(kata.slug))
    before = {name: place[name] for name in helpers}
    place.update(helpers)
    try:
        with contextlib.suppress(Endless):
            yield
    finally:
        place.update(before)


def because(kata: Kata, call: Call | None, helpers: Helpers) -> list[str]:
    """Return the helper that a failing call is wrong because of, or several of which any may be; [] if that is unknown.

    It is the one with which even the solution answers as the learner did.
    """
    if not helpers or call is None or _answers_so(kata, call, {}):
        return []
    alone = [name for name in helpers if _answers_so(kata, call, {name: helpers[name]})][:1]
    if not alone and not _answers_so(kata, call, helpers):
        return []
    return alone or [*helpers]


def line(names: Sequence[str], done: bool) -> list[str]:
    """Return the line of a report about these helpers. done: whether all properties of theirs hold."""
    *others, last = names
    wrong = "is to blame, though its own properties hold" if done else "is wrong: mend that first"
    return ["because", f"{', '.join(others)}{' or ' * bool(others)}{last}, which it calls, {wrong}"]


def _answers_so(kata: Kata, call: Call, helpers: Helpers) -> bool:
    with lent(kata, helpers):
        seam = with_variant(kata, Variant(call.function, vars(solution(kata.slug))[call.function]))
        seam.seconds = SECONDS
        with contextlib.suppress(Stopped):
            call.again(seam)
        return bool(seam.calls) and call.same_outcome(seam.calls[-1])
    return False
