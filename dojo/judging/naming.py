"""Decide which beliefs a report names: those that explain every property, or none if that would be a guess."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import TypedDict

ENOUGH = 3
"""Fewer different calls than this are no evidence for a belief."""
TELLING = 2
"""How many telling calls a belief needs; it needs ENOUGH if something else is wrong too."""
AMOUNT = "amount"
"""The kind of calls whose answer is right, or the belief's except for an amount that is too much as well."""

REFUSED = "refused"
"""The kind of calls that the learner or the belief refuses, or that must be refused."""


class Fit(TypedDict):
    """One or two beliefs that explain how a function answered one property.

    beliefs: each with its advice. telling: for each kind of calls that may be left out, how many of the others are
    telling; "" if none has to be. A kind without an entry leaves out nothing. shown: whether the beliefs answer the
    failing call as the learner did.
    """

    beliefs: list[list[str]]
    telling: dict[str, int]
    shown: bool


def named(evidence: Sequence[Sequence[Fit]]) -> list[list[str]]:
    """Return the beliefs, each with its advice, that explain how a function answered all of its properties.

    One belief that explains everything is preferred, then two that do so together, then one that leaves out a kind of
    calls or takes other amounts, and last two that leave out a kind of calls. If several do equally well, naming one
    would be a guess, so only what they share is named. Of two beliefs, the first is the one that by itself answers the
    failing call of the first property, which the report shows, as the learner did.
    """
    fits = [fit for found in evidence for fit in found]
    advice = {belief: text for fit in fits for belief, text in fit["beliefs"]}
    alone = list(dict.fromkeys(fit["beliefs"][0][0] for fit in fits if len(fit["beliefs"]) == 1))
    pairs = [*itertools.combinations(advice, 2)]

    def shared(explaining: Sequence[tuple[str, ...]]) -> list[list[str]]:
        found = [belief for belief in advice if all(belief in some for some in explaining)]
        shown = [fit["beliefs"] for fit in evidence[0] if fit["shown"]]
        found.sort(key=lambda belief: [[belief, advice[belief]]] not in shown)
        return [[belief, advice[belief]] for belief in found]

    for beliefs in ([(one,) for one in alone], pairs):
        if whole := [some for some in beliefs if _telling(some, "", evidence) >= TELLING]:
            return shared(whole)
    kinds = {kind for fit in fits for kind in fit["telling"]} - {"", AMOUNT}
    in_part = {belief: max((_telling((belief,), kind, evidence) for kind in kinds), default=0) for belief in alone}
    most = max(in_part.values(), default=0)
    best = [belief for belief, number in in_part.items() if number == most]
    if most < ENOUGH and any(len(_too_much(found)) >= ENOUGH for found in evidence):
        best = [belief for belief in alone if _telling((belief,), AMOUNT, evidence) >= 0]
        most = max((_telling((belief,), AMOUNT, evidence) for belief in best), default=0)
    if most >= ENOUGH:
        return [[best[0], advice[best[0]]]] if len(best) == 1 else []
    beside = [pair for pair in pairs if any(_telling(pair, kind, evidence) >= ENOUGH for kind in kinds)]
    return shared(beside) if beside else []


def _too_much(found: Sequence[Fit]) -> list[Fit]:
    """Return the fits whose amounts are too much as well; other properties must rule out all but one of them."""
    return [fit for fit in found if fit["telling"].get(AMOUNT, 0) >= ENOUGH]


def _telling(beliefs: Sequence[str], kind: str, evidence: Sequence[Sequence[Fit]]) -> int:
    """Return how many telling calls each of these beliefs has, at least, if calls of that kind are left out.

    If that does not explain a property, calls to be refused may be left out there instead: a learner who is wrong at an
    edge often checks nothing either. Return -1 if the beliefs do not explain one of the properties.
    """
    totals = Counter(dict.fromkeys(beliefs, 0))
    kinds = [kind, ""] if kind in ("", AMOUNT) else [kind, "", REFUSED]
    for found in evidence:
        by_beliefs: dict[frozenset[str], int] = {}
        for fit in found:
            words = frozenset(belief for belief, _ in fit["beliefs"])
            counts = [fit["telling"][one] for one in kinds if one in fit["telling"]]
            by_beliefs[words] = max(by_beliefs.get(words, -1), counts[0] if counts else -1)
        together = by_beliefs.get(frozenset(beliefs), -1)
        alone = {belief: by_beliefs[frozenset({belief})] for belief in beliefs if frozenset({belief}) in by_beliefs}
        if together >= 0:
            totals.update(dict.fromkeys(beliefs, together))
        elif len(alone) == len(beliefs) and max(alone.values()) >= 0:
            totals.update({belief: number for belief, number in alone.items() if number > 0})
        else:
            return -1
    return min(totals.values())
