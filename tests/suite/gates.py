"""The gates: what every kata has to show before its verdicts can be trusted.

They run the properties in this process, without shrinking and without a pytest for each.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from dojo.catalog import Kata
from dojo.diagnose import Variant, solution, variants, with_variant
from dojo.judge import HELD, Verdict, properties_of, run
from dojo.kata import Local
from dojo.profiles import quick

__all__ = ["Variant", "solution"]

Property = Callable[..., Any]


def properties(kata: Kata, function: str, devices: Iterable[str] = ("cpu",)) -> list[Property]:
    """The properties that judge a function, on these devices."""
    found = properties_of(importlib.import_module(kata.properties))
    return [test for test in found if function in test.grades and test.only_device in ("", *devices)]


def misconceptions(kata: Kata) -> tuple[Variant, ...]:
    """The wrong answers of a kata."""
    return variants(kata.misconceptions)


def wheats(kata: Kata) -> tuple[Variant, ...]:
    """The right answers of a kata, each written differently from the solution."""
    return variants(kata.wheats)


def ask(test: Property, seam: Local, *, seed: int, examples: int) -> Verdict:
    """What one property says of one seam."""
    return run(test, seam, device="cpu", seed=seed, profile=quick(examples))


@dataclass(frozen=True)
class Complaint:
    """A property that did not hold, the seed that showed it, and what it said."""

    property: str
    seed: int
    verdict: Verdict


def complaints(kata: Kata, variant: Variant, *, seeds: Iterable[int], examples: int) -> list[Complaint]:
    """Gate 2: every property of the function that does not hold for this right answer, in any seed."""
    found = []
    for test in properties(kata, variant.about):
        for seed in seeds:
            verdict = ask(test, with_variant(kata, variant), seed=seed, examples=examples)
            if verdict.outcome != HELD:
                found.append(Complaint(test.__name__, seed, verdict))
    return found


def survived(kata: Kata, variant: Variant, *, seeds: Iterable[int], examples: int = 100) -> list[int]:
    """Gate 1: the seeds in which no property of the function rejects this wrong answer."""
    tests = properties(kata, variant.about)
    return [
        seed for seed in seeds if not any(rejects(test, kata, variant, seed=seed, examples=examples) for test in tests)
    ]


def rejects(test: Property, kata: Kata, variant: Variant, *, seed: int, examples: int = 100) -> bool:
    """Whether one property rejects one wrong answer, for the function that it is about."""
    verdict = ask(test, with_variant(kata, variant), seed=seed, examples=examples)
    return verdict.outcome != HELD and verdict.function in ("", variant.about)


def idle(kata: Kata, *, seed: int) -> list[str]:
    """Gate 4: properties that reject nothing that another one lets through, and do not say why they stay."""
    rejected: dict[tuple[str, str], set[str]] = {}
    for variant in misconceptions(kata):
        for test in properties(kata, variant.about):
            rejected.setdefault((variant.about, test.__name__), set())
            if rejects(test, kata, variant, seed=seed):
                rejected[variant.about, test.__name__].add(variant.name)
    found = []
    for test in properties_of(importlib.import_module(kata.properties)):
        if test.stays or test.only_device:
            continue
        useful = False
        for function in test.grades:
            mine = rejected.get((function, test.__name__), set())
            others = [names for (about, name), names in rejected.items() if about == function and name != test.__name__]
            useful |= bool(mine) if not others else any(mine - names for names in others)
        if not useful:
            found.append(test.__name__)
    return found
