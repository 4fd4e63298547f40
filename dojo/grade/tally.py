"""Totals of the results of a class: the statuses of each function, beliefs, unexplained mistakes, and splits."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dojo.grade.result import FunctionResult, Result
from dojo.judging.outcomes import Status

STATUSES = (Status.DONE, Status.WRONG, Status.TO_DO, Status.NOT_RUN)
"""The statuses that are counted; any other one is counted as the last."""
SPLITS = 3
"""Maximum number of functions listed as splitting the class."""

Example = tuple[tuple[str, ...], ...]
"""Rows of label and text."""
Place = tuple[str, str]
"""A kata's slug and the name of a function."""


@dataclass
class Function:
    """One function of a kata, with the submissions in each status."""

    name: str
    title: str
    by_status: dict[Status, list[int]] = field(default_factory=lambda: {status: [] for status in STATUSES})

    def count(self, status: Status) -> int:
        """Return how many submissions have this status."""
        return len(self.by_status[status])


@dataclass
class Mistake:
    """A mistake, and the submissions that make it in the same way."""

    kata: str
    functions: dict[str, None] = field(default_factory=dict)
    """The names of the functions, in order."""
    holders: dict[int, None] = field(default_factory=dict)
    """The submissions, in order."""
    examples: Counter[Example] = field(default_factory=Counter)

    @property
    def example(self) -> Example:
        """The most common example; of equally common ones, the shortest."""
        return min(self.examples, key=lambda rows: (-self.examples[rows], len(str(rows)), rows), default=())


@dataclass
class SharedBelief(Mistake):
    """A belief that reports named, and each advice on it with the functions that it was given for."""

    belief: str = ""
    advice: dict[str, dict[str, None]] = field(default_factory=dict)


@dataclass
class Unexplained(Mistake):
    """Wrong answers that no belief explains, with equal records."""

    record: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Split:
    """A function that some submissions have done, and others have wrong.

    others_done, others_wrong: the mean share of the other functions that is done, in the submissions that have this one
    done, or wrong; None if there are no other functions.
    """

    kata: str
    function: Function
    others_done: float | None
    others_wrong: float | None


class Tally:
    """The totals of a class. Submissions are numbered in the order of the results, and `names` has their names."""

    def __init__(self, results: Iterable[Result]):
        self.names: list[str] = []
        self.conditions: Counter[str] = Counter()
        self.titles: dict[str, str] = {}
        self.graded_on: Counter[str] = Counter()
        self.functions: dict[str, dict[str, Function]] = {}
        self.silent: dict[Place, list[int]] = {}
        """The functions that are wrong without an example, and the submissions where they are."""
        self._beliefs: dict[tuple[str, str], SharedBelief] = {}
        self._unexplained: dict[str, Unexplained] = {}
        self._statuses: list[dict[Place, Status]] = []
        for result in results:
            self._add(result)

    @property
    def katas(self) -> list[str]:
        """The katas that somebody was graded on, in order."""
        return sorted(self.functions)

    @property
    def beliefs(self) -> list[SharedBelief]:
        """The beliefs that were named, the most common first."""
        return sorted(self._beliefs.values(), key=lambda one: (-len(one.holders), one.kata, one.belief))

    @property
    def unexplained(self) -> list[Unexplained]:
        """Wrong answers that no belief explains, grouped by equal records, the most common first."""
        return sorted(
            self._unexplained.values(), key=lambda one: (-len(one.holders), one.kata, [*one.functions], one.example)
        )

    def counts(self) -> dict[Status, int]:
        """Return how many functions of all submissions have each status."""
        every = [function for functions in self.functions.values() for function in functions.values()]
        return {status: sum(function.count(status) for function in every) for status in STATUSES}

    def splits(self) -> list[Split]:
        """Return the functions that split the class most: by the smaller side, then by the gap on other functions."""
        found = [
            Split(slug, function, self._share(slug, function, Status.DONE), self._share(slug, function, Status.WRONG))
            for slug in self.katas
            for function in self.functions[slug].values()
            if _smaller(function)
        ]
        found.sort(key=lambda one: (-_smaller(one.function), (one.others_wrong or 0) - (one.others_done or 0)))
        return found[:SPLITS]

    def _share(self, slug: str, function: Function, status: Status) -> float | None:
        """Return the mean share of the other functions that is done, in submissions with this status of a function."""
        shares = []
        for number in function.by_status[status]:
            others = [one for place, one in self._statuses[number].items() if place != (slug, function.name)]
            shares += [others.count(Status.DONE) / len(others)] if others else []
        return sum(shares) / len(shares) if shares else None

    def _add(self, result: Result) -> None:
        number = len(self.names)
        self.names.append(result.submission)
        by = f"torch-dojo {result.dojo}, torch {result.torch}, Python {result.python}"
        self.conditions[f"isolation {result.isolation}, {result.device}, {by}"] += 1
        self._statuses.append({})
        for kata in result.katas:
            self.titles[kata.slug] = kata.title
            self.graded_on[kata.slug] += 1
            known = self.functions.setdefault(kata.slug, {})
            for one in kata.functions:
                status = next((status for status in STATUSES if status == one.status), STATUSES[-1])
                known.setdefault(one.name, Function(one.name, one.title)).by_status[status].append(number)
                self._statuses[number][kata.slug, one.name] = status
                if status == Status.WRONG:
                    self._add_wrong(number, kata.slug, one, kata.functions)

    def _add_wrong(self, number: int, slug: str, one: FunctionResult, beside: Sequence[FunctionResult]) -> None:
        for named in one.beliefs:
            belief = self._beliefs.setdefault((slug, named.belief), SharedBelief(slug, belief=named.belief))
            belief.advice.setdefault(named.advice, {})[one.name] = None
            _count(belief, number, [one.name], one.example if named.shown else ())
        if one.beliefs:
            return
        if not one.example:
            self.silent.setdefault((slug, one.name), []).append(number)
            return
        recorded = [other.record["functions"] for other in beside if other.record]
        if not one.record and any(one.name in names for names in recorded):
            return  # it is reported with the first of the functions wrong together
        names = one.record["functions"] if one.record else [one.name]
        key = json.dumps(one.record or [slug, names, one.example])
        _count(self._unexplained.setdefault(key, Unexplained(slug, record=one.record)), number, names, one.example)


def _count(mistake: Mistake, number: int, functions: Iterable[str], example: Example) -> None:
    mistake.functions.update(dict.fromkeys(functions))
    mistake.holders[number] = None
    mistake.examples.update([example] if example else [])


def _smaller(function: Function) -> int:
    """Return the size of the smaller side of those who tried a function: done or wrong."""
    return min(function.count(Status.DONE), function.count(Status.WRONG))
