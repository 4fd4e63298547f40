"""Named classes of a strategy's cases, to notice a class that is hardly ever drawn."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import hypothesis
from hypothesis.strategies import SearchStrategy

from dojo.judging.profiles import quick

FEWEST = 1 / 20
"""The smallest share of a property's examples that a class may have."""

Strategy = Callable[..., SearchStrategy[Any]]


@dataclass(frozen=True)
class Class:
    """The name of a class of cases, and of the strategy that draws them."""

    strategy: str
    name: str


_example: ContextVar[tuple[dict[Class, None], set[Class]] | None] = ContextVar("_example", default=None)
"""The classes declared so far and those met in the current example; None while nothing is counted."""


def classes(named: Mapping[str, Callable[[Any], object]]) -> Callable[[Strategy], Strategy]:
    """Name the classes of a strategy's cases, each with a predicate of a case.

    Decorate the function that returns the strategy. A case may belong to several classes, or to none. hypothesis'
    statistics show the classes as events, and `dojo check` shows the share of each.
    """

    def mark(strategy: Strategy) -> Strategy:
        title = getattr(strategy, "__name__", "")
        predicates = [(Class(title, name), holds) for name, holds in named.items()]

        def tell(case: Any) -> Any:
            met = [one for one, holds in predicates if holds(case)]
            for one in met:
                hypothesis.event(f"{one.strategy}: {one.name}")
            looking = _example.get()
            if looking is not None:
                looking[0].update(dict.fromkeys(one for one, _ in predicates))
                looking[1].update(met)
            return case

        @functools.wraps(strategy)
        def told(*args: Any, **settings: Any) -> SearchStrategy[Any]:
            return strategy(*args, **settings).map(tell)

        return told

    return mark


def shares(tests: Iterable[Any], number: int = 1000, seed: int = 0) -> dict[Class, float]:
    """Return the share of a property's examples in which each class occurs; of several properties, the largest share.

    number: how many examples of each property are drawn. The learner's functions are not called.
    """
    found: dict[Class, float] = {}
    for test in tests:
        if hasattr(test, "strategies"):
            for one, share in _of_one(test, number, seed).items():
                found[one] = max(share, found.get(one, 0.0))
    return found


def rare(found: Mapping[Class, float]) -> list[str]:
    """Return one line for each class that is drawn too rarely, with its share."""
    return [
        f"{one.strategy} draws “{one.name}” in {share:.1%} of the examples, and should in {FEWEST:.0%} or more"
        for one, share in found.items()
        if share < FEWEST
    ]


def unnamed(tests: Iterable[Any]) -> list[str]:
    """Return the names of the properties whose strategies name no classes."""
    return [test.__name__ for test in tests if hasattr(test, "strategies") and not _of_one(test, 1, 0)]


def _of_one(test: Any, number: int, seed: int) -> dict[Class, float]:
    met: Counter[Class] = Counter()
    looking: tuple[dict[Class, None], set[Class]] = ({}, set())
    drawn = 0

    @hypothesis.seed(seed)
    @quick(number)
    @hypothesis.given(**test.strategies)
    def count(**_: object) -> None:
        nonlocal drawn
        drawn += 1
        met.update(looking[1])
        looking[1].clear()

    token = _example.set(looking)
    try:
        count()
    finally:
        _example.reset(token)
    return {one: met[one] / drawn for one in looking[0]}
