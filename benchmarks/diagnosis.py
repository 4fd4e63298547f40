"""Measure how often a report names the belief behind a wrong answer. Run: python -m benchmarks.diagnosis

These are handed in as a learner's answers, and judged by every property at 100 examples:

- each misconception alone;
- each misconception with one slip of SLIPS on top (for classes, only a missing check). It counts if the slip shows, and
  at least three of the calls that the diagnosis looked at still get the wrong answer of the misconception. If the slip
  is a missing check, three such calls must be ones that need not be refused;
- every two misconceptions of a function, one on top of the other. They count if their combined answers differ from
  those of each alone, and of every other misconception, in at least two calls;
- the wrong answers of unmatched.py, which no misconception explains;
- each misconception once more, while the diagnosis does not know it.

A diagnosis is right if it names the belief, or both beliefs, and nothing else; for the last two kinds, if it names
nothing. It is half right if it names one of two, and wrong if it names a belief that is not there. The last columns are
the mean and largest time of a diagnosis, over that of `pytest solutions/NN`. --every N takes one in N of the pairs.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import inspect
import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

import torch

from benchmarks.verdict import PYTEST, seconds
from dojo.catalog import Kata, find, katas
from dojo.judging import explain, gates
from dojo.judging.diagnose import Variant, combined, with_variant
from dojo.judging.evidence import gather
from dojo.judging.findings import Finding, diagnosis, settled
from dojo.judging.outcomes import Outcome
from dojo.judging.profiles import quick
from dojo.judging.property import properties
from dojo.judging.verdict import run
from dojo.seam.data import Error
from dojo.seam.seam import Call, Stopped

Wrong = Callable[[Any, tuple[Any, ...]], Any]


@dataclass(frozen=True)
class Mistake:
    """A wrong answer, its kind, and the misconceptions that it is made of.

    besides: returns the beliefs that are named if its slip is all that is wrong.
    """

    kind: str
    variant: Variant
    made_of: tuple[Variant, ...] = ()
    besides: Callable[[], frozenset[str]] = frozenset

    @property
    def beliefs(self) -> frozenset[str]:
        """The beliefs that a report has to name."""
        return frozenset(variant.belief for variant in self.made_of)

    def is_right(self, named: frozenset[str]) -> bool:
        """Return whether all its beliefs are named, and no others except those of its slip."""
        return self.beliefs <= named and not self.is_wrong(named)

    def is_half(self, named: frozenset[str]) -> bool:
        """Return whether only some of its beliefs are named, and no others."""
        return bool(named) and not self.is_wrong(named) and not self.is_right(named)

    def is_wrong(self, named: frozenset[str]) -> bool:
        """Return whether a belief is named that is not there."""
        others = named - self.beliefs
        return bool(others) and not others <= self.besides()


@dataclass(frozen=True)
class Result:
    """The outcome of a mistake: the named beliefs, whether it counts, and the seconds of the diagnosis."""

    named: frozenset[str]
    counts: bool
    diagnosing: float


def alone(kata: Kata) -> Iterator[Mistake]:
    """Yield each misconception as it is."""
    for variant in gates.misconceptions(kata):
        yield Mistake("alone", variant, (variant,))


def left_out(kata: Kata) -> Iterator[Mistake]:
    """Yield each misconception, to be judged while the diagnosis does not know it."""
    for variant in gates.misconceptions(kata):
        yield Mistake("left out", variant)


def unmatched(kata: Kata) -> Iterator[Mistake]:
    """Yield the wrong answers that no misconception explains."""
    for variant in gates.unmatched(kata):
        yield Mistake("unmatched", variant)


def pairs(kata: Kata) -> Iterator[Mistake]:
    """Yield every two misconceptions of a function, in both orders, unless the one on top hides the other."""
    for one, other in itertools.permutations(gates.misconceptions(kata), 2):
        if one.about == other.about and one.belief != other.belief:
            both = combined(kata, one, other)
            if both is not one:
                yield Mistake("pair", both, (one, other))


def slips(kata: Kata) -> Iterator[Mistake]:
    """Yield each misconception with each slip. A class gets only a missing check."""
    for variant in gates.misconceptions(kata):
        for name in SLIPS:
            if name == "a missing check" or not isinstance(variant.answer, type):
                besides = functools.partial(_slipped_alone, kata.slug, variant.about, name)
                yield Mistake(name, _slipped(variant, name), (variant,), besides)


def _slipped(variant: Variant, name: str) -> Variant:
    """Return the answer with a slip on top."""
    slip = _unchecked if isinstance(variant.answer, type) else SLIPS[name]
    return Variant(variant.about, slip(variant.answer))


@functools.cache
def _slipped_alone(slug: str, function: str, name: str) -> frozenset[str]:
    """Return the beliefs named for a right answer with this slip: there, the slip is the belief."""
    kata = find(slug)
    return judged(kata, Mistake("alone", _slipped(gates.original(kata, function), name))).named


def _sizes(value: Any) -> Iterator[Any]:
    """Yield all numbers in a value. Tensors and models give their sizes, and a list of numbers gives its length."""
    if isinstance(value, torch.nn.Module):
        value = list(value.parameters())
    if isinstance(value, torch.Tensor):
        value = tuple(value.shape)
    if isinstance(value, list) and all(isinstance(item, int | float) for item in value):
        value = len(value)
    if isinstance(value, tuple | list):
        for item in value:
            yield from _sizes(item)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def _other(value: Any) -> Any:
    """Return another value of the same kind. Numbers differ by a prime, so they are rarely right by chance."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float | torch.Tensor):
        return value + 1009
    if isinstance(value, tuple | list) and value:
        return type(value)([*value[:-1], _other(value[-1])])
    return 0


def _wrapped(wrong: Wrong) -> Callable[[Any], Any]:
    """Return a slip that changes the result."""

    def slip(answer: Any) -> Any:
        def slipping(*args: Any, **named: Any) -> Any:
            came = answer(*args, **named)
            return wrong(came, (*args, *named.values()))

        slipping.__module__ = answer.__module__
        return slipping

    return slip


def _without_a_check(answer: Any) -> Any:
    def slipping(*args: Any, **named: Any) -> Any:
        try:
            return answer(*args, **named)
        except (ValueError, IndexError):
            return 0

    slipping.__module__ = answer.__module__
    return slipping


def _unchecked(answer: Any) -> Any:
    """Return a class that accepts invalid settings, and then uses its defaults."""
    needed = [one for one in inspect.signature(answer).parameters.values() if one.default is one.empty]

    class Unchecked(answer):  # type: ignore[misc]
        def __init__(self, *args: Any, **settings: Any) -> None:
            with contextlib.suppress(ValueError):
                super().__init__(*args, **settings)
                return
            super().__init__(*args[: len(needed)])

    Unchecked.__module__ = answer.__module__
    return Unchecked


def _retyped(came: Any, args: object) -> Any:
    if type(came) is int:
        return float(came) if abs(came) < 2**53 else came
    return int(came) if type(came) is float and came.is_integer() else came


SLIPS: dict[str, Callable[[Any], Any]] = {
    "an empty input": _wrapped(lambda came, args: _other(came) if 0 in _sizes(args) else came),
    "a size of 1": _wrapped(lambda came, args: _other(came) if 1 in _sizes(args) else came),
    "a missing check": _without_a_check,
    "an int for a float": _wrapped(_retyped),
    "off by one at 0": _wrapped(lambda came, args: 1 if type(came) in (int, float) and came == 0 else came),
}
"""What a beginner may overlook on top of a misconception, as wrappers around an answer."""


def judged(kata: Kata, mistake: Mistake) -> Result:
    """Judge a mistake, and find out which beliefs the report names."""
    variant = mistake.variant
    findings: list[Finding] = []
    looked_at: list[Call] = []
    known = [one for one in gates.misconceptions(kata) if mistake.kind != "left out" or one.belief != variant.belief]
    spent = 0.0
    for property in properties(kata, ("cpu",), variant.about):
        seam = with_variant(kata, variant)
        verdict = run(property.test, seam, device="cpu", seed=0, profile=quick(100))
        before = time.perf_counter()
        gather(property.test, seam, "cpu", verdict)
        with mock.patch.object(explain, "variants", return_value=known):
            findings.append(Finding.of(property, seam, verdict, tree="katas", earlier=findings))
        spent += time.perf_counter() - before
        if verdict.outcome == Outcome.WRONG and findings[-1].fits is not None:
            looked_at += [call for call in seam.calls if call.function == verdict.function]
    findings = settled(findings)
    wrong = any(one.blames(variant.about) and one.outcome == Outcome.WRONG for one in findings)
    found = frozenset(belief for belief, _ in diagnosis([variant.about], findings)) if wrong else frozenset()
    return Result(found, wrong and counts(kata, mistake, looked_at), spent)


def counts(kata: Kata, mistake: Mistake, calls: list[Call]) -> bool:
    """Return whether these calls show everything that a mistake is made of."""
    if mistake.kind in ("alone", "unmatched", "left out"):
        return True
    different = list({call.written + "\n".join(call.setup): call for call in calls}.values())
    right = gates.original(kata, mistake.variant.about)
    others = [one for one in gates.misconceptions(kata) if one.about == right.about]
    if mistake.kind != "pair":
        (belief,) = mistake.made_of
        as_believed = [_agrees(kata, belief, call) for call in different]
        asked = [call for same, call in zip(as_believed, different, strict=True) if same]
        if mistake.kind == "a missing check":
            asked = [call for call in asked if not isinstance(_answer(kata, right, call), Error)]
        shows = sum(not _agrees(kata, right, call) for call in asked) >= 3 and not all(as_believed)
        return shows and all(_differs(kata, one, different) for one in others if one.belief != belief.belief)
    return all(_differs(kata, one, different) for one in [*mistake.made_of, right, *others])


def _differs(kata: Kata, variant: Variant, calls: list[Call]) -> bool:
    """Return whether the variant answers at least two of these calls differently."""
    differing = (True for call in calls if not _agrees(kata, variant, call))
    return len(list(itertools.islice(differing, 2))) == 2


def _answer(kata: Kata, variant: Variant, call: Call) -> object:
    """Return the answer of a variant to a call."""
    seam = with_variant(kata, variant)
    with contextlib.suppress(Stopped):
        call.again(seam)
    return seam.calls[-1].outcome


def _agrees(kata: Kata, variant: Variant, call: Call) -> bool:
    return call.same_outcome(replace(call, outcome=_answer(kata, variant, call)))


def verdict_seconds(kata: Kata) -> float:
    """Return the seconds that a verdict on a kata takes, as in benchmarks.verdict."""
    command = [*PYTEST, f"solutions/{kata.slug}"]
    return statistics.median(seconds(command) for _ in range(3))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take one in this number of pairs (1)")
    parser.add_argument("--show", action="store_true", help="print each answer that is not named correctly")
    parser.add_argument("katas", nargs="*", help="01 03: only these")
    options = parser.parse_args()
    print(
        "| kata | mistakes | number | right | half | wrong | time, mean | largest |",
        f"| --- | --- |{' ---: |' * 6}",
        sep="\n",
    )
    for kata in [find(word) for word in options.katas] or katas().values():
        verdict = verdict_seconds(kata)
        for kind, mistakes in {
            "alone": alone(kata),
            "with a slip": slips(kata),
            "two": itertools.islice(pairs(kata), 0, None, options.every),
            "unmatched": unmatched(kata),
            "left out": left_out(kata),
        }.items():
            results = [(mistake, result) for mistake in mistakes if (result := judged(kata, mistake)).counts]
            if results:
                print(f"| {kata.slug} | {kind} | {len(results)} | {' | '.join(row(results, verdict))} |", flush=True)
            for mistake, result in results:
                if options.show and not mistake.is_right(result.named):
                    names = [variant.name for variant in mistake.made_of or [mistake.variant]]
                    print(f"  {mistake.kind}: {' + '.join(names)}: {sorted(result.named) or 'nothing'}", flush=True)


def row(results: list[tuple[Mistake, Result]], verdict: float) -> Iterator[str]:
    """Yield the shares that are right, half and wrong, and the time of a diagnosis over that of a verdict."""
    for judgement in (Mistake.is_right, Mistake.is_half, Mistake.is_wrong):
        yield f"{statistics.mean(judgement(mistake, result.named) for mistake, result in results):.1%}"
    times = [result.diagnosing / verdict for _, result in results]
    yield from (f"{statistics.mean(times):.2f}", f"{max(times):.2f}")


if __name__ == "__main__":
    main()
