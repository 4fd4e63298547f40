"""How beliefs answer the calls that a learner's function answered."""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from dojo.catalog import Kata
from dojo.judging.diagnose import Variant, combined, with_variant
from dojo.judging.kinds import (
    MENDED,
    TYPE,
    as_judged,
    is_nothing,
    is_program,
    kinds_in,
    loose,
    too_much,
    watched,
    without_tensors,
)
from dojo.judging.naming import AMOUNT, ENOUGH, REFUSED, Fit
from dojo.judging.support import Support
from dojo.seam.data import ROUNDING, Error, same
from dojo.seam.deadline import SECONDS
from dojo.seam.local import Local
from dojo.seam.seam import Call, Stopped, sample

REPLAYS = 200
"""About how many programs are replayed for all beliefs of a function together: each takes time."""
PARTS = 10
"""How many calls of a program in parts are replayed: each takes time."""
NOTED = 100
"""Of how many calls in a program the arguments are looked at."""
BY_CHANCE = 3
"""This many telling calls count as one if answers are True or False, since half of them agree by chance."""
LOOSE = 1e-6
"""How far floats may differ where a learner computes a right answer in another way, as far as properties allow it."""


def _most(beliefs: Collection[Variant]) -> int:
    """Return how many wrong calls, and how many right ones, of a program are replayed for each of these beliefs."""
    return max(2 * ENOUGH, REPLAYS // max(1, 2 * len(beliefs)))


def fitting(beliefs: Sequence[Variant], telling: dict[str, int], shown: bool) -> Fit:
    """Return how beliefs fit, as plain data."""
    return Fit(beliefs=[[variant.belief, variant.advice] for variant in beliefs], telling=telling, shown=shown)


class Replayed:
    """The answers of beliefs to the calls of a learner's function, replayed on demand."""

    def __init__(
        self,
        kata: Kata,
        recorded: Sequence[Call],
        right: Variant,
        beliefs: Collection[Variant],
        accepted: Iterable[Call] = (),
    ):
        calls = sample(recorded)
        known = {id(call) for call in accepted}
        self._kata = kata
        self._calls = calls
        self._recorded = recorded
        self._accepted = {place for place, call in enumerate(calls) if id(call) in known}
        self._rel = ROUNDING
        self._seams: dict[tuple[Variant, ...], tuple[Local, dict[int, Call | None]]] = {}
        self._given: dict[int, list[Sequence[object]]] = {}
        self._right = Variant(right.about, self._noting(right.answer))
        self._most = _most(beliefs)
        self.in_parts = any(getattr(call.scenario, "in_parts", False) for call in calls)
        self.is_dear = any(getattr(call.scenario, "dear", False) for call in calls)
        self._choose()

    def _choose(self) -> None:
        if self.in_parts:
            self._chosen, self._inside = [*range(len(self._calls))][:PARTS], {}
            return
        wrong, right = self._some(True), self._some(False)
        self._chosen = [*wrong, *right]
        self._inside = self._what_is_inside()
        wrong.sort(key=lambda place: len(self._inside[place]))  # a belief that does not fit is soon ruled out
        self._chosen = [at for pair in itertools.zip_longest(wrong, right) for at in pair if at is not None]

    def loosened(self) -> Replayed:
        """Return the same answers, of which two are alike even if floats differ as far as properties allow it."""
        return self._chosen_anew(_rel=LOOSE)

    def of(self, beliefs: Collection[Variant]) -> Replayed:
        """Return the answers of these beliefs alone: of a program, as many more calls as there are fewer beliefs."""
        return self._chosen_anew(_most=_most(beliefs))

    def _chosen_anew(self, **changed: Any) -> Replayed:
        other = copy.copy(self)
        for name in ("all_wrong", "_zeros"):
            vars(other).pop(name, None)
        vars(other).update(changed)
        other._choose()
        return other

    @functools.cached_property
    def all_wrong(self) -> frozenset[int]:
        """The places of the calls that the learner got wrong."""
        return frozenset(place for place in self._chosen if self._is_wrong(place))

    def _is_wrong(self, place: int) -> bool:
        return place not in self._accepted and not self._is_as(self._calls[place], (self._right,), place)

    def _raises(self, said: Call | None, place: int) -> bool:
        """Return whether a call raised although it should return, or should raise another error."""
        right = self._at((self._right,), place)
        return said is not None and isinstance(said.outcome, Error) and not (right and said.same_outcome(right))

    def _drawn(self, places: Sequence[int]) -> int:
        """Return the number of these calls; if one call is the only wrong one, how often it was drawn."""
        if len(places) != 1 or len(self.all_wrong) != 1:
            return len(places)
        return sum(call.written == self._calls[places[0]].written for call in self._recorded)

    def _some(self, wrong: bool) -> list[int]:
        """Return the places of the calls that are wrong, or right; of programs only some, since each takes time."""
        places = [place for place in range(len(self._calls)) if self._is_wrong(place) == wrong]
        return places[:: len(places) // self._most or 1] if is_program(self._calls[0]) else places

    def fit(self, *beliefs: Variant) -> Fit | None:
        """Return how these beliefs fit the calls; None if they do not."""
        support, alike, raising = Support(), Counter({TYPE: 0, AMOUNT: 0}), False
        for number, place in enumerate(self._chosen):
            if support.kinds and number >= ENOUGH and self._all_wrong_are(support.kinds):
                break  # none of the other calls can be telling
            call = self._calls[place]
            exact = self._is_as(call, beliefs, place)
            if not exact and place in self._accepted and self._is_silent(beliefs, place):
                continue  # both are right
            if self.in_parts and not exact:
                return None
            if exact and ((self.in_parts and len(support.telling) == ENOUGH) or not self._is_wrong(place)):
                continue
            here = frozenset(() if self.in_parts else self._kinds(call, beliefs, place))
            nearly = exact or self._is_nearly(call, beliefs, place)
            alike[TYPE] += nearly and not self._is_nearly(call, (self._right,), place)
            as_much = exact or self._is_as_much(call, beliefs, place)
            alike[AMOUNT] += as_much and not self._is_as_much(call, (self._right,), place)
            if exact:
                support.telling[place] = here
                continue
            raising |= any(self._raises(said, place) for said in (call, self._at(beliefs, place)))
            as_right = self._is_as(call, (self._right,), place)
            if as_right and not isinstance(call.outcome, bool):  # a slip seldom mends other answers
                here &= MENDED
            here |= {kind for kind, is_so in ((TYPE, nearly), (AMOUNT, as_much)) if is_so}
            if not support.miss(here, unlike=not (nearly or as_much)):
                return None
            if len(beliefs) > 1 and is_program(call):  # too expensive to look for what may be left out
                return None
        if not raising:  # if both raise in the same calls, a slip in other answers takes nothing away from that
            raised = (place for place in support.telling if self._raises(self._calls[place], place))
            support.telling |= dict.fromkeys(raised, frozenset())
        counts = support.counts(alike)
        if any(isinstance(call.outcome, bool) for call in self._calls):
            counts = {kind: number // BY_CHANCE for kind, number in counts.items()}
        if support.kinds is None:
            counts[""] = self._drawn([*support.telling])
        halves = beliefs if len(beliefs) > 1 else ()
        beyond = [sum(not self._is_as(self._calls[at], (half,), at) for at in support.telling) for half in halves]
        return fitting(beliefs, {kind: min([n, *beyond]) for kind, n in counts.items()}, self.shows(*beliefs))

    def shows(self, *beliefs: Variant) -> bool:
        """Return whether they answer the failing call as the learner did, but for a type, or another amount."""
        call, right = self._calls[0], (self._right,)
        loosely = (self._is_nearly, self._is_as_much)
        return self._is_as(call, beliefs, 0) or any(a(call, beliefs, 0) and not a(call, right, 0) for a in loosely)

    def _all_wrong_are(self, kinds: Iterable[str]) -> bool:
        """Return whether every call that the learner got wrong is of each of these kinds, whatever a belief answers."""
        raised = {place for place in self.all_wrong if isinstance(self._calls[place].outcome, Error)}
        marks = {place: self._inside[place] | ({REFUSED} if place in raised else set()) for place in self.all_wrong}
        return all(kind in marks[place] for kind in kinds for place in self.all_wrong)

    def is_harmless(self, belief: Variant) -> bool:
        """Return whether a belief is never wrong where the learner is right."""
        right = [place for place in self._chosen if not self._is_wrong(place)]
        believed = (belief,)
        return all(self._is_silent(believed, at) or self._is_as(self._calls[at], believed, at) for at in right)

    def contradicts(self, belief: Variant) -> bool:
        """Return whether a belief ever answers differently where the learner answers as the solution does."""
        calls = ((place, self._calls[place]) for place in self._chosen)
        right, believed = (self._right,), (belief,)
        return any(self._is_as(call, right, at) and not self._is_as(call, believed, at) for at, call in calls)

    def possible(self, pairs: Sequence[tuple[Variant, Variant]]) -> Sequence[tuple[Variant, Variant]]:
        """Return the pairs of beliefs that may explain the calls together.

        Of programs, which take time, one of the two has to get each wrong one wrong, in the learner's way or not.
        """
        if not is_program(self._calls[0]):
            return pairs
        for place in sorted(self.all_wrong):
            asked = dict.fromkeys(belief for pair in pairs for belief in pair)
            wrong = {belief for belief in asked if not self._is_silent((belief,), place)}
            pairs = [pair for pair in pairs if not wrong.isdisjoint(pair)]
        return pairs

    def _kinds(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> Iterator[str]:
        """Yield the kinds of a call that a slip may affect: refused, answered with nothing, or by what is in it."""
        answers = {"right": self._at((self._right,), place), "believed": self._at(beliefs, place)}
        outcomes = {whose: other.outcome for whose, other in answers.items() if other}
        if any(isinstance(outcome, Error) for outcome in [call.outcome, *outcomes.values()]):
            yield REFUSED
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
        for place in self._chosen:
            self._at((self._right,), place)  # notes the arguments
        found = {
            place: {
                kind
                for args in self._given.get(place, [self._calls[place].args])
                for number, value in enumerate(args)
                for word in kinds_in(value)
                for kind in (word, f"{word} in {number}")
            }
            for place in self._chosen
        }
        often = Counter(kind for place, kinds in found.items() if place not in self._given for kind in kinds)
        common = {kind for kind, number in often.items() if 2 * number >= len(self._chosen)}
        return {place: kinds - common for place, kinds in found.items()}

    def _noting(self, answer: Any) -> Any:
        """Return the same function, noting the arguments of its calls: a program does not show their shapes."""
        if isinstance(answer, type):
            return answer

        @functools.wraps(answer)
        def noting(*args: object, **named: object) -> object:
            noted = self._given.setdefault(self._place, [])
            if len(noted) < NOTED:
                noted.append([*map(without_tensors, (*args, *named.values()))])
            return answer(*args, **named)

        return noting

    def _is_silent(self, beliefs: tuple[Variant, ...], place: int) -> bool:
        """Return whether beliefs answer as the solution does."""
        said, right = self._at(beliefs, place), self._at((self._right,), place)
        return said is not None and right is not None and said.same_outcome(right, self._rel)

    def _is_as(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> bool:
        said = self._at(beliefs, place)
        return said is not None and as_judged(call).same_outcome(as_judged(said), self._rel)

    def _is_nearly(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> bool:
        said = self._at(beliefs, place)
        if said is None or type(call.outcome) is type(said.outcome) is int:  # as floats, large ints may look equal
            return said is not None and call.outcome == said.outcome
        return same(loose(call.outcome), loose(said.outcome), self._rel)

    def _is_as_much(self, call: Call, beliefs: tuple[Variant, ...], place: int) -> bool:
        said = self._at(beliefs, place)
        return said is not None and same(too_much(call), too_much(said), self._rel)

    def _at(self, beliefs: tuple[Variant, ...], place: int) -> Call | None:
        """Return the call as these beliefs answer it, the first on top of the others; None if it never came back."""
        if beliefs not in self._seams:
            variant = beliefs[0] if len(beliefs) == 1 else combined(self._kata, *beliefs)
            self._seams[beliefs] = with_variant(self._kata, variant), {}
            self._seams[beliefs][0].seconds = SECONDS  # it may call the learner's other functions
            if not self.in_parts:  # this is not learner's code, and there are many plain calls
                self._seams[beliefs][0].forbidden = ()
        seam, known = self._seams[beliefs]
        if place not in known:
            self._place = place
            seam.calls.clear()
            with contextlib.suppress(Stopped):
                self._calls[place].again(seam)
            known[place] = seam.calls[-1] if seam.calls else None
        return known[place]
