"""Find the beliefs that explain how a learner's function answered a property, even if something else is wrong too.

A belief explains the answers to a property if it answers every call as the learner's function did, or every call but
those of one kind, such as empty inputs, or inputs with a 1 in them. In such calls there may be another slip, so nothing
is concluded from them, nor from calls to be refused, which may be left out besides. Two beliefs explain the answers
together if each wrong answer is that of one of them, or of one on top of the other. They leave out a kind of calls,
too, unless the calls are programs, which take time.

Only telling calls count: those outside of that kind that the learner got wrong in the same way as the belief. Calls in
which both wrongly raise count whatever their kind.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

from dojo.catalog import Kata
from dojo.judging.diagnose import Variant, combined, solution, variants
from dojo.judging.naming import ENOUGH, TELLING, Fit
from dojo.judging.replay import Replayed, fitting
from dojo.seam.seam import Call


def explanations(
    kata: Kata,
    function: str,
    calls: Iterable[Call],
    together: Sequence[str] = (),
    earlier: Sequence[list[Fit]] = (),
    holds: Callable[[Variant], bool] | None = None,
    accepted: Iterable[Call] = (),
) -> list[Fit] | None:
    """Return what explains the recorded calls of `function`, and each of the `earlier` properties as well.

    If the function is "", the beliefs are about the functions that answer `together`. Return None if fewer than ENOUGH
    different calls were recorded: they are evidence neither for nor against a belief. Of the learner's code, only what
    is lent to the solution (dojo.judging.helpers) is called.

    holds: for a property that held, whether it holds for a belief too. Such a belief is not ruled out by answers that
    are neither the solution's nor the belief's, such as the bytes that another right way takes. This takes as long as
    the property, so only beliefs with telling calls in an earlier property are asked about. accepted: the calls whose
    answers are known to be right.
    """
    mine = [call for call in calls if call.function == function]
    cheap = [call for call in mine if not getattr(call.scenario, "dear", False)]
    if _different(cheap) >= ENOUGH:
        mine = cheap
    elif _different(mine) < ENOUGH:
        return None
    about = [function] if function else together
    beliefs = [
        variant
        for variant in variants(kata.slug, "misconceptions")
        if variant.about in about and all(_has(fits, variant) for fits in earlier)
    ]
    if not beliefs:
        return []
    right = Variant(about[0], getattr(solution(kata.slug), about[0]))
    replayed = Replayed(kata, mine, right, beliefs, accepted)
    told = {belief for fits in earlier for fit in fits if any(fit["telling"].values()) for belief, _ in fit["beliefs"]}
    found = _fits(kata, replayed, beliefs, holds and (lambda variant: variant.belief in told and holds(variant)))
    if not holds and not any(number for fit in found for number in fit["telling"].values()):
        replayed = replayed.loosened()
        found = _fits(kata, replayed, beliefs)
    tied = [variant for variant in beliefs if any(_is_whole(fit) and _has([fit], variant) for fit in found)]
    if replayed.is_dear or len({variant.belief for variant in tied}) < 2:
        return found
    nearer = replayed.of(tied)  # more of the calls, now that so few beliefs are left
    return [fit for fit in found if not _is_whole(fit)] + [fit for one in tied if (fit := nearer.fit(one))]


def _is_whole(fit: Fit) -> bool:
    """Return whether a single belief explains everything."""
    return len(fit["beliefs"]) == 1 and fit["telling"].get("", 0) >= TELLING


def _fits(
    kata: Kata, replayed: Replayed, beliefs: Sequence[Variant], holds: Callable[[Variant], bool] | None = None
) -> list[Fit]:
    found = [fit for variant in beliefs if (fit := replayed.fit(variant))]
    if replayed.in_parts:  # too expensive to replay more often
        return found
    if holds and not replayed.is_dear:
        alike = [fit["beliefs"][0][0] for fit in found if "" in fit["telling"]]
        others = (one for one in beliefs if one.belief not in alike and not replayed.contradicts(one))
        found += [fitting([one], {"": 0}, shown=False) for one in others if holds(one)]
    if not any("" in fit["telling"] for fit in found):
        # Two beliefs that are wrong in opposite ways are right together in some calls, where each alone is wrong.
        pairs = [pair for pair in itertools.combinations(beliefs, 2) if pair[0].about == pair[1].about]
        orders = [order for one, other in replayed.possible(pairs) for order in ((one, other), (other, one))]
        both = [order for order in orders if combined(kata, *order) is not order[0]]
        found += [fit for order in both if (fit := replayed.fit(*order))]
    alone = [fit["beliefs"][0][0] for fit in found if len(fit["beliefs"]) == 1]
    halves = [belief for belief in beliefs if belief.belief not in alone and replayed.is_harmless(belief)]
    return found + [fitting([half], {}, replayed.shows(half)) for half in halves]


def _different(calls: Iterable[Call]) -> int:
    return len({call.written + "\n".join(call.setup) for call in calls})


def _has(fits: Sequence[Fit], variant: Variant) -> bool:
    """Return whether a belief is one of these fits, or half of one."""
    return any([variant.belief, variant.advice] in fit["beliefs"] for fit in fits)
