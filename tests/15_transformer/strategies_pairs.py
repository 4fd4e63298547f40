"""What hypothesis draws for kata 15 of two calls in turn that differ in one argument, or in one key of the config."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dojo.judging.classes import classes

from .strategies_configs import config

FIRST = config(10, 2, 8, 4, 2, 3, 7, True, True, 20, False)

OTHER = config(11, 3, 12, 6, 1, 5, 9, False, False, 21, True)
"""Each of its values alone makes another model of the first one, that does not contradict itself."""

SIZES = {
    "batch": (5, 6),
    "tokens": (3, 4),
    "cached": (4, 6),
    "experts": (5, 6),
    "active": (2, 3),
    "bytes_per_param": (16, 12),
    "bytes_per_value": (2, 4),
}
"""What stands behind the config in the first call, and what else may."""


class Pair(NamedTuple):
    """The arguments of two calls, and the name of what is another in the second."""

    first: tuple[Any, ...]
    second: tuple[Any, ...]
    name: str


AT_ONCE = 6
"""How many pairs there are in an example: in twenty examples, each pair comes up."""

OF_MODELS: dict[str, Callable[[Any], object]] = {
    "another size of the model": lambda case: any(type(OTHER.get(pair.name)) is int for pair in case),
    "a model of another kind": lambda case: any(type(OTHER.get(pair.name)) is bool for pair in case),
}


@functools.cache
def pairs(*names: str) -> SearchStrategy[list[Pair]]:
    """Some pairs of calls with these sizes behind the config."""

    def drawn() -> SearchStrategy[list[Pair]]:
        found = [_pair(names, name) for name in (*names, *OTHER)]
        return st.sampled_from([(found[start:] + found[:start])[:AT_ONCE] for start in range(len(found))])

    drawn.__name__ = " ".join(("pairs", *names))
    of_sizes = {"another size of the call": lambda case: any(pair.name in names for pair in case)} if names else {}
    return classes(OF_MODELS | of_sizes)(drawn)()


def _pair(names: tuple[str, ...], changed: str) -> Pair:
    other = {name: (OTHER if name == changed else FIRST)[name] for name in FIRST}
    sizes = (SIZES[name][name == changed] for name in names)
    return Pair((FIRST, *(SIZES[name][0] for name in names)), (other, *sizes), changed)
