"""Which beliefs explain what a learner's function answered to a property, though something else may be wrong too.

A belief explains what a learner's function answered to a property where it answers every call as the learner did; or
every call but those of one kind: what is to be refused, what is empty, what has a 1 in it. There one slip more may
have been at work, and nothing is concluded from them; nor, in another property, from what is to be refused. Two
beliefs explain it together where each wrong answer is that of one of them, or of one on top of the other.

What counts are the telling calls: those that the learner got wrong, outside of that kind, just as the belief does.
Where both raise in the same calls and should not, these count whatever kind they are of.
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
from dojo.judging.kinds import is_apart, is_nothing, kinds_in, loose, too_much, watched, without_tensors
from dojo.judging.naming import AMOUNT, ENOUGH, TELLING, Fit
from dojo.seam.data import ROUNDING, Error, same
from dojo.seam.local import Local
from dojo.seam.seam import Call, Stopped, sample

REPLAYS = 200
"""How many programs, about, are replayed for all the beliefs of a function: one takes its time."""
PARTS = 10
"""How many calls are replayed of a program in parts, which takes its time."""
BY_CHANCE = 3
"""So many telling calls count as one where the answer is True or False: half of them agree by chance."""
TYPE = "type"
"""The kind of all calls: the answer is right, or that of the belief, but for an int in place of a float or the like.
"""
MENDED = frozenset({"nothing", "nothing believed"})
"""The kinds of which a function may be right by chance, or by a line of its own, and the belief alone wrong.

What is rightly refused is none: whoever refuses it does not believe otherwise.
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

    Where the function is "", the beliefs are about those that answer `together`. None where fewer than ENOUGH different
    calls were recorded, which is no evidence for any and against none. The learner's code is not called again.

    holds: of a property that held, whether it holds for a belief as well. Then it is not ruled out where the learner's
    answers are neither the solution's nor its own, such as the bytes that another right way takes.
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
    if any(getattr(call.scenario, "in_parts", False) for call in mine):  # too dear to replay them more often
        return found
    if holds and not any(getattr(call.scenario, "dear", False) for call in mine):
        alike = [fit["beliefs"][0][0] for fit in found if "" in fit["telling"]]
        others = [one for one in beliefs if one.belief not in alike and not replayed.contradicts(one)]
        found += [_fit([one], {"": 0}, shown=False) for one in others if holds(one)]
    halves = [belief for belief in beliefs if replayed.is_harmless(belief)]
    if not any("" in fit["telling"] for fit in found):
        # Two that are wrong in opposite ways are right in some calls, in which neither is alone.
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
    """Whether a belief may still be one of those that explain all, or one half of it."""
    return any([variant.belief, variant.advice] in fit["beliefs"] for fit in fits)


class _Replayed:
    """What beliefs answer to the calls that a learner's function was asked, replayed where it is needed."""

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
        """Whether this is an error where an answer is right, or another error."""
        right = self._at((self._right,), place)
        return said is not None and isinstance(said.outcome, Error) and not (right and said.same_outcome(right))

    def _drawn(self, places: Sequence[int]) -> int:
        """How many calls these are; of one call that is alone wrong, how often it was drawn."""
        if len(places) != 1 or len(self.all_wrong) != 1:
            return len(places)
        return sum(call.written == self._calls[places[0]].written for call in self._recorded)

    def _some(self, wrong: bool, most: int) -> list[int]:
        """The places of the calls that are wrong, or right; of programs, so many of each at least, if there are.

        What is typed as one call is cheap.
        """
        places = [place for place in range(len(self._calls)) if self._is_wrong(place) == wrong]
        return places if "\n" not in self._calls[0].written else places[:: len(places) // most or 1]

    def fit(self, *beliefs: Variant) -> Fit | None:
        """What these beliefs explain, if they do."""
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
            if not self._is_wrong(place) and not isinstance(call.outcome, bool):  # a slip seldom mends but a bool
                here &= MENDED
            here |= {kind for kind, alike in ((TYPE, nearly), (AMOUNT, as_much)) if alike}
            missed += [] if nearly or as_much else [here]
            kinds = here if kinds is None else kinds & here
            if not kinds or len(beliefs) > 1:
                return None
        if not raising:  # where both raise in the same calls, a slip in the other answers takes none of that away
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
        """Whether the call that failed is answered as the learner did, or with another amount that is too much."""
        call = self._calls[0]
        as_much = self._is_as_much(call, beliefs, 0) and not self._is_as_much(call, (self._right,), 0)
        return as_much or self._is_as(call, beliefs, 0)

    def is_harmless(self, belief: Variant) -> bool:
        """Whether a belief is never wrong where the learner is right."""
        return all(self._is_wrong(place) or self._is_silent(belief, place) for place in self._chosen)

    def contradicts(self, belief: Variant) -> bool:
        """Whether a belief answers otherwise where the learner answers as the solution does."""
        calls = ((place, self._calls[place]) for place in self._chosen)
        return any(not self._is_wrong(place) and not self._is_as(call, (belief,), place) for place, call in calls)

    def wrong_at(self, belief: Variant) -> frozenset[int]:
        """The places of the calls that both get wrong, in one way or in two."""
        return frozenset(place for place in self.all_wrong if not self._is_silent(belief, place))

    def _kinds(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> Iterator[str]:
        """The kinds of a call to which a slip may belong: refused, with nothing for an answer, or by what is in it."""
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
        """What programs watch that is rightly 0 in half of them, or more: it tells no kind."""
        right = [call.outcome for place in self._chosen if (call := self._at((self._right,), place))]
        often = Counter(name for outcome in right for name, value in watched(outcome) if is_nothing(value) and name)
        return {name for name, number in often.items() if 2 * number >= len(self._chosen)}

    def _what_is_inside(self) -> dict[int, set[str]]:
        """What is in the arguments of each call; of programs, as far as it is in fewer than half of them."""
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
        """The same function, which notes what it is given: a program shows no shapes."""
        if isinstance(answer, type):
            return answer

        @functools.wraps(answer)
        def noting(*args: object, **named: object) -> object:
            self._given[self._place] = [*map(without_tensors, (*args, *named.values()))]
            return answer(*args, **named)

        return noting

    def _is_silent(self, belief: Variant, place: int) -> bool:
        """Whether a belief answers as the solution does."""
        said, right = self._at((belief,), place), self._at((self._right,), place)
        return said is not None and right is not None and said.same_outcome(right)

    def _is_as(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> bool:
        said = self._at(beliefs, place)
        return said is not None and call.same_outcome(said)

    def _is_nearly(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> bool:
        said = self._at(beliefs, place)
        if said is None or type(call.outcome) is type(said.outcome) is int:  # as floats, large ints are alike
            return said is not None and call.outcome == said.outcome
        return same(loose(call.outcome), loose(said.outcome), ROUNDING)

    def _is_as_much(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> bool:
        said = self._at(beliefs, place)
        return said is not None and same(too_much(call), too_much(said), ROUNDING)

    def _at(self, beliefs: tuple[Variant, ...], place: int) -> Call | None:
        """What these beliefs answer: the last one lies below the others."""
        if beliefs not in self._seams:
            variant = beliefs[0] if len(beliefs) == 1 else combined(self._kata, *beliefs)
            self._seams[beliefs] = with_variant(self._kata, variant), {}
            if not self._in_parts:  # no learner's code, and plain calls are made often
                self._seams[beliefs][0].forbidden = ()
        seam, known = self._seams[beliefs]
        if place not in known:
            self._place = place
            seam.calls.clear()
            with contextlib.suppress(Stopped):
                self._calls[place].again(seam)
            known[place] = seam.calls[-1] if seam.calls else None
        return known[place]
