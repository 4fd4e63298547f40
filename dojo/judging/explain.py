"""Find the beliefs that explain how a learner's function answered a property, even if something else is wrong too.

A belief explains the answers to a property if it answers every call as the learner's function did, or every call but
those of one kind: calls to be refused, empty inputs, inputs with a 1 in them. In such calls there may be another slip,
so nothing is concluded from them, nor from calls to be refused in another property. Two beliefs explain the answers
together if each wrong answer is that of one of them, or of one on top of the other.

Only telling calls count: those outside of that kind that the learner got wrong in the same way as the belief. Calls in
which both wrongly raise count whatever their kind.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from dojo.catalog import Kata
from dojo.judging.diagnose import Variant, combined, solution, variants, with_variant
from dojo.judging.kinds import as_judged, is_apart, is_nothing, kinds_in, loose, too_much, watched, without_tensors
from dojo.judging.naming import AMOUNT, ENOUGH, TELLING, Fit
from dojo.seam.data import ROUNDING, Error, same
from dojo.seam.deadline import SECONDS
from dojo.seam.local import Local
from dojo.seam.seam import Call, Stopped, sample

REPLAYS = 200
"""About how many programs are replayed for all beliefs of a function together: each takes time."""
PARTS = 10
"""How many calls of a program in parts are replayed: each takes time."""
BY_CHANCE = 3
"""This many telling calls count as one if answers are True or False, since half of them agree by chance."""
TYPE = "type"
"""The kind of calls whose answer is right, or the belief's, except for its type, such as an int for a float."""
MENDED = frozenset({"nothing", "nothing believed"})
"""The kinds of calls that a function may get right by chance, or by a special case, while the belief is wrong.

Calls to be refused are not among them: a learner who refuses them does not hold a belief that accepts them.
"""


def explanations(
    kata: Kata,
    function: str,
    calls: Iterable[Call],
    together: Sequence[str] = (),
    earlier: Sequence[list[Fit]] = (),
    holds: Callable[[Variant], bool] | None = None,
) -> list[Fit] | None:
    """Return what explains the recorded calls of `function`, and each of the `earlier` properties as well.

    If the function is "", the beliefs are about the functions that answer `together`. Return None if fewer than ENOUGH
    different calls were recorded: they are evidence neither for nor against a belief. Of the learner's code, only what
    is lent to the solution (dojo.judging.helpers) is called.

    holds: for a property that held, whether it holds for a belief too. Such a belief is not ruled out by answers that
    are neither the solution's nor the belief's, such as the bytes that another right way takes.
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
    replayed = _Replayed(kata, mine, Variant(about[0], getattr(solution(kata.slug), about[0])), beliefs)
    found = [fit for variant in beliefs if (fit := replayed.fit(variant))]
    if any(getattr(call.scenario, "in_parts", False) for call in mine):  # too expensive to replay more often
        return found
    if holds and not any(getattr(call.scenario, "dear", False) for call in mine):
        alike = [fit["beliefs"][0][0] for fit in found if "" in fit["telling"]]
        others = [one for one in beliefs if one.belief not in alike and not replayed.contradicts(one)]
        found += [_fit([one], {"": 0}, shown=False) for one in others if holds(one)]
    halves = [belief for belief in beliefs if replayed.is_harmless(belief)]
    if not any("" in fit["telling"] for fit in found):
        # Two beliefs that are wrong in opposite ways are right together in some calls, where each alone is wrong.
        wrong_at = {belief: replayed.wrong_at(belief) for belief in beliefs}
        pairs = [pair for pair in itertools.combinations(beliefs, 2) if pair[0].about == pair[1].about]
        possible = [pair for pair in pairs if replayed.all_wrong <= wrong_at[pair[0]] | wrong_at[pair[1]]]
        orders = [order for one, other in possible for order in ((one, other), (other, one))]
        both = [order for order in orders if combined(kata, *order) is not order[0]]
        found += [fit for order in both if (fit := replayed.fit(*order))]
    alone = [fit["beliefs"][0][0] for fit in found if len(fit["beliefs"]) == 1]
    return found + [_fit([half], {}, replayed.shows(half)) for half in halves if half.belief not in alone]


def _different(calls: Iterable[Call]) -> int:
    return len({call.written + "\n".join(call.setup) for call in calls})


def _fit(beliefs: Sequence[Variant], telling: dict[str, int], shown: bool) -> Fit:
    return Fit(beliefs=[[variant.belief, variant.advice] for variant in beliefs], telling=telling, shown=shown)


def _has(fits: Sequence[Fit], variant: Variant) -> bool:
    """Return whether a belief is one of these fits, or half of one."""
    return any([variant.belief, variant.advice] in fit["beliefs"] for fit in fits)


class _Replayed:
    """The answers of beliefs to the calls of a learner's function, replayed on demand."""

    def __init__(self, kata: Kata, recorded: Sequence[Call], right: Variant, beliefs: Sequence[Variant]):
        calls = sample(recorded)
        self._kata = kata
        self._calls = calls
        self._recorded = recorded
        self._seams: dict[tuple[Variant, ...], tuple[Local, dict[int, Call | None]]] = {}
        self._given: dict[int, Sequence[object]] = {}
        self._right = Variant(right.about, self._noting(right.answer))
        self._in_parts = getattr(calls[0].scenario, "in_parts", False)
        most = max(2 * ENOUGH, REPLAYS // max(1, 2 * len(beliefs)))
        every = range(len(calls))
        self._chosen = list(every)[:PARTS] if self._in_parts else [*self._some(True, most), *self._some(False, most)]
        self._inside = {} if self._in_parts else self._what_is_inside()

    @functools.cached_property
    def all_wrong(self) -> frozenset[int]:
        """The places of the calls that the learner got wrong."""
        return frozenset(place for place in self._chosen if self._is_wrong(place))

    def _is_wrong(self, place: int) -> bool:
        return not self._is_as(self._calls[place], (self._right,), place)

    def _raises(self, said: Call | None, place: int) -> bool:
        """Return whether a call raised although it should return, or should raise another error."""
        right = self._at((self._right,), place)
        return said is not None and isinstance(said.outcome, Error) and not (right and said.same_outcome(right))

    def _drawn(self, places: Sequence[int]) -> int:
        """Return the number of these calls; if one call is the only wrong one, how often it was drawn."""
        if len(places) != 1 or len(self.all_wrong) != 1:
            return len(places)
        return sum(call.written == self._calls[places[0]].written for call in self._recorded)

    def _some(self, wrong: bool, most: int) -> list[int]:
        """Return the places of the calls that are wrong, or right.

        Of programs, take only some, but no fewer than `most` if there are that many. A single call is cheap.
        """
        places = [place for place in range(len(self._calls)) if self._is_wrong(place) == wrong]
        return places if "\n" not in self._calls[0].written else places[:: len(places) // most or 1]

    def fit(self, *beliefs: Variant) -> Fit | None:
        """Return how these beliefs fit the calls; None if they do not."""
        kinds: frozenset[str] | None = None
        typed, measured, raising, missed = 0, 0, False, list[frozenset[str]]()
        telling: dict[int, frozenset[str]] = {}
        for place in self._chosen:
            call = self._calls[place]
            exact = self._is_as(call, beliefs, place)
            if self._in_parts and not exact:
                return None
            if exact and ((self._in_parts and len(telling) == TELLING) or not self._is_wrong(place)):
                continue
            here = frozenset(() if self._in_parts else self._kinds(call, beliefs, place))
            nearly = exact or self._is_nearly(call, beliefs, place)
            typed += nearly and not self._is_nearly(call, (self._right,), place)
            as_much = exact or self._is_as_much(call, beliefs, place)
            measured += as_much and not self._is_as_much(call, (self._right,), place)
            if exact:
                telling[place] = here
                continue
            raising |= any(self._raises(said, place) for said in (call, self._at(beliefs, place)))
            if not self._is_wrong(place) and not isinstance(call.outcome, bool):  # a slip seldom mends other answers
                here &= MENDED
            here |= {kind for kind, alike in ((TYPE, nearly), (AMOUNT, as_much)) if alike}
            missed += [] if nearly or as_much else [here]
            kinds = here if kinds is None else kinds & here
            if not kinds or len(beliefs) > 1:
                return None
        if not raising:  # if both raise in the same calls, a slip in other answers takes nothing away from that
            telling |= {place: frozenset() for place in telling if self._raises(self._calls[place], place)}
        outside = {
            kind: [here for here in telling.values() if kind not in here]
            for kind in (frozenset().union(*telling.values()) if kinds is None else kinds)
        }
        counts = {kind: 0 if is_apart(told, missed) else len(told) for kind, told in outside.items()}
        counts |= {kind: n for kind, n in ((TYPE, typed), (AMOUNT, measured)) if kinds is None or kind in kinds}
        if any(isinstance(call.outcome, bool) for call in self._calls):
            counts = {kind: number // BY_CHANCE for kind, number in counts.items()}
        if kinds is None:
            halves = beliefs if len(beliefs) > 1 else ()
            beyond = [sum(not self._is_as(self._calls[at], (half,), at) for at in telling) for half in halves]
            counts[""] = min([self._drawn([*telling]), *beyond])
        return _fit(beliefs, counts, self.shows(*beliefs))

    def shows(self, *beliefs: Variant) -> bool:
        """Return whether they answer the failing call as the learner did, but for a type, or another amount."""
        call, right = self._calls[0], (self._right,)
        loosely = (self._is_nearly, self._is_as_much)
        return self._is_as(call, beliefs, 0) or any(a(call, beliefs, 0) and not a(call, right, 0) for a in loosely)

    def is_harmless(self, belief: Variant) -> bool:
        """Return whether a belief is never wrong where the learner is right."""
        return all(self._is_wrong(place) or self._is_silent(belief, place) for place in self._chosen)

    def contradicts(self, belief: Variant) -> bool:
        """Return whether a belief ever answers differently where the learner answers as the solution does."""
        calls = ((place, self._calls[place]) for place in self._chosen)
        return any(not self._is_wrong(place) and not self._is_as(call, (belief,), place) for place, call in calls)

    def wrong_at(self, belief: Variant) -> frozenset[int]:
        """Return the places of the calls that learner and belief get wrong, in the same way or not."""
        return frozenset(place for place in self.all_wrong if not self._is_silent(belief, place))

    def _kinds(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> Iterator[str]:
        """Yield the kinds of a call that a slip may affect: refused, answered with nothing, or by what is in it."""
        answers = {"right": self._at((self._right,), place), "believed": self._at(beliefs, place)}
        outcomes = {whose: other.outcome for whose, other in answers.items() if other}
        if any(isinstance(outcome, Error) for outcome in [call.outcome, *outcomes.values()]):
            yield "refused"
        for whose, outcome in outcomes.items():
            if any(is_nothing(value) for name, value in watched(outcome) if name not in self._zeros):
                yield from ("nothing", f"nothing {whose}")
        yield from self._inside[place]

    @functools.cached_property
    def _zeros(self) -> set[str]:
        """The names of watched values that are rightly 0 in half of the calls or more, and so mark no kind."""
        right = [call.outcome for place in self._chosen if (call := self._at((self._right,), place))]
        often = Counter(name for outcome in right for name, value in watched(outcome) if is_nothing(value) and name)
        return {name for name, number in often.items() if 2 * number >= len(self._chosen)}

    def _what_is_inside(self) -> dict[int, set[str]]:
        """Return what is in the arguments of each call; for programs, only what is in fewer than half of them."""
        found = {
            place: {
                kind
                for number, value in enumerate(self._given.get(place, self._calls[place].args))
                for word in kinds_in(value)
                for kind in (word, f"{word} in {number}")
            }
            for place in self._chosen
        }
        often = Counter(kind for place, kinds in found.items() if place not in self._given for kind in kinds)
        common = {kind for kind, number in often.items() if 2 * number >= len(self._chosen)}
        return {place: kinds - common for place, kinds in found.items()}

    def _noting(self, answer: Any) -> Any:
        """Return the same function, noting its arguments: a program does not show their shapes."""
        if isinstance(answer, type):
            return answer

        @functools.wraps(answer)
        def noting(*args: object, **named: object) -> object:
            self._given[self._place] = [*map(without_tensors, (*args, *named.values()))]
            return answer(*args, **named)

        return noting

    def _is_silent(self, belief: Variant, place: int) -> bool:
        """Return whether a belief answers as the solution does."""
        said, right = self._at((belief,), place), self._at((self._right,), place)
        return said is not None and right is not None and said.same_outcome(right)

    def _is_as(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> bool:
        said = self._at(beliefs, place)
        return said is not None and as_judged(call).same_outcome(as_judged(said))

    def _is_nearly(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> bool:
        said = self._at(beliefs, place)
        if said is None or type(call.outcome) is type(said.outcome) is int:  # as floats, large ints may look equal
            return said is not None and call.outcome == said.outcome
        return same(loose(call.outcome), loose(said.outcome), ROUNDING)

    def _is_as_much(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> bool:
        said = self._at(beliefs, place)
        return said is not None and same(too_much(call), too_much(said), ROUNDING)

    def _at(self, beliefs: tuple[Variant, ...], place: int) -> Call | None:
        """Return the call as these beliefs answer it, the first on top of the others; None if it never came back."""
        if beliefs not in self._seams:
            variant = beliefs[0] if len(beliefs) == 1 else combined(self._kata, *beliefs)
            self._seams[beliefs] = with_variant(self._kata, variant), {}
            self._seams[beliefs][0].seconds = SECONDS  # it may call the learner's other functions
            if not self._in_parts:  # this is not learner's code, and there are many plain calls
                self._seams[beliefs][0].forbidden = ()
        seam, known = self._seams[beliefs]
        if place not in known:
            self._place = place
            seam.calls.clear()
            with contextlib.suppress(Stopped):
                self._calls[place].again(seam)
            known[place] = seam.calls[-1] if seam.calls else None
        return known[place]
