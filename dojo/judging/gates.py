"""The gates: what every kata has to show before its verdicts can be trusted.

They run the properties in this process, without shrinking and without starting pytest for each.
"""

from __future__ import annotations

import functools
import inspect
import itertools
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import settings
from hypothesis.errors import HypothesisException

from dojo.catalog import Kata, find
from dojo.judging.diagnose import Variant, solution, variants, with_variant
from dojo.judging.evidence import gather
from dojo.judging.findings import Finding, diagnosis, settled
from dojo.judging.kata_folder import imported
from dojo.judging.outcomes import Outcome
from dojo.judging.profiles import quick
from dojo.judging.property import marked
from dojo.judging.property import properties as _properties
from dojo.judging.verdict import Verdict, run, verdict
from dojo.seam.deadline import Endless
from dojo.seam.learner_file import Answers, compile_source
from dojo.seam.learner_file import run as run_file
from dojo.seam.local import Local
from dojo.seam.seam import Untouched

Test = Callable[..., Any]


def properties(kata: Kata, function: str, devices: Iterable[str] = ("cpu",)) -> list[Test]:
    """Return the properties that judge a function on these devices."""
    found = marked(imported(kata))
    return [test for test in found if function in test.grades and test.only_device in ("", *devices)]


def misconceptions(kata: Kata) -> tuple[Variant, ...]:
    """Return the wrong answers of a kata."""
    return variants(kata.slug, "misconceptions")


def wheats(kata: Kata) -> tuple[Variant, ...]:
    """Return the right answers of a kata, each written differently from the solution."""
    return variants(kata.slug, "wheats")


def unmatched(kata: Kata) -> tuple[Variant, ...]:
    """Return the wrong answers of a kata that no misconception explains."""
    return variants(kata.slug, "unmatched")


def original(kata: Kata, function: str) -> Variant:
    """Return the solution's own answer for a function."""
    return Variant(function, getattr(solution(kata.slug), function))


class First(BaseException):
    """The first failure of a property. Not an Exception, so hypothesis ends the run and does not run it again."""

    def __init__(self, failure: BaseException):
        self.failure = failure


def ask(test: Test, seam: Local, *, seed: int, examples: int, device: str = "cpu") -> Verdict:
    """Return the verdict of one property on one seam, from the first failing example as it was drawn."""
    inner = test.hypothesis.inner_test if hasattr(test, "strategies") else test  # type: ignore[attr-defined]

    @functools.wraps(inner)
    def stopping(**drawn: Any) -> None:
        try:
            inner(**drawn)
        except HypothesisException:
            raise
        except (Exception, Endless, Untouched) as failure:
            raise First(failure) from None

    try:
        return run(test, seam, device=device, seed=seed, profile=quick(examples), inner=stopping)
    except First as first:
        found = verdict(first.failure, seam)
        if found is None:
            raise first.failure from None
        return found


@dataclass(frozen=True)
class Complaint:
    """A property that did not hold, the seed that showed it, and what it said."""

    property: str
    seed: int
    verdict: Verdict


def complaints(
    kata: Kata, variant: Variant, *, seeds: Iterable[int], examples: int, of_others: int = 0, device: str = "cpu"
) -> list[Complaint]:
    """Gate 2: return every property that does not hold for this right answer in some seed.

    The properties of its own function draw `examples` examples. Those of other functions that use it draw `of_others`.
    """
    found = []
    mine = properties(kata, variant.about, (device,))
    others = [test for name in kata.functions for test in properties(kata, name, (device,)) if test not in mine]
    for test in [*mine, *(dict.fromkeys(others) if of_others else ())]:
        for seed in seeds:
            number = examples if test in mine else of_others
            if test not in mine and variant.about not in _asked_for(test, kata.slug, seed, number, device):
                continue
            verdict = ask(test, with_variant(kata, variant), seed=seed, examples=number, device=device)
            if verdict.outcome != Outcome.HELD:
                found.append(Complaint(test.__name__, seed, verdict))
    return found


class Noting(SimpleNamespace):
    """A module that notes in `_asked` the names that are looked up in it."""

    def __getattribute__(self, name: str) -> Any:
        super().__getattribute__("_asked").add(name)
        return super().__getattribute__(name)


@functools.cache
def _asked_for(test: Test, slug: str, seed: int, examples: int, device: str) -> frozenset[str]:
    """Return the functions of the solution that a property uses in these examples."""
    asked = set[str]()
    module: Any = Noting(**vars(solution(slug)), _asked=asked)
    seam = Local(Answers(Path(module.__file__), module), find(slug).forbidden)
    ask(test, seam, seed=seed, examples=examples, device=device)
    return frozenset(asked)


FEW = 5
"""How many examples are tried before a longer run: they reject most wrong answers and cost little."""


def survived(kata: Kata, variant: Variant, *, seeds: Iterable[int], examples: int = 100) -> list[int]:
    """Gate 1: return the seeds in which no property of the function rejects this wrong answer."""
    tests = properties(kata, variant.about)

    def is_rejected(seed: int) -> bool:
        asked = [(number, test) for number in (min(FEW, examples), examples) for test in tests]
        return any(rejects(test, kata, variant, seed=seed, examples=number) for number, test in asked)

    return [seed for seed in seeds if not is_rejected(seed)]


_rejected: dict[tuple[Test, Variant, int, int], bool] = {}
"""Results by property, wrong answer, seed and number of examples, because two gates need the same ones."""


def rejects(test: Test, kata: Kata, variant: Variant, *, seed: int, examples: int = 100) -> bool:
    """Return whether one property rejects one wrong answer, and blames the function that it is about."""
    key = test, variant, seed, examples
    if key not in _rejected:
        verdict = ask(test, with_variant(kata, variant), seed=seed, examples=examples)
        _rejected[key] = _blames(verdict, variant)
    return _rejected[key]


def _blames(verdict: Verdict, variant: Variant) -> bool:
    return verdict.outcome != Outcome.HELD and verdict.function in ("", variant.about)


def diagnose(kata: Kata, variant: Variant, *, seed: int, all_of_them: bool) -> list[list[str]] | None:
    """Judge a variant as a learner's answer, and return the beliefs that are named, each with its advice.

    Return None if no property rejects it.

    all_of_them: run every property and shrink, as a learner's run does. Otherwise, begin with the properties that
    reject it in few examples, and stop once the failures are enough to name one belief, or to name none.
    """
    findings: list[Finding] = []
    # The learner's, without the examples of earlier runs. Beliefs are compared with the same calls without shrinking.
    profile = settings.get_profile("grade") if all_of_them else quick(100)
    asked = _properties(kata, ("cpu",), variant.about)
    if not all_of_them:
        asked.sort(key=lambda one: not rejects(one.test, kata, variant, seed=seed, examples=FEW))
    for property in asked:
        seam = with_variant(kata, variant)
        verdict = run(property.test, seam, device="cpu", seed=seed, profile=profile)
        gather(property.test, seam, "cpu", verdict)
        findings.append(Finding.of(property, seam, verdict, tree="katas", earlier=findings))
        key = property.test, variant, seed, profile.max_examples
        _rejected[key] = _blames(verdict, variant)  # the same examples are drawn
        wrong = [one for one in findings if one.blames(variant.about) and one.outcome == Outcome.WRONG]
        if not all_of_them and wrong and (wrong[-1].fits == [] or len(diagnosis([variant.about], findings)) == 1):
            break
    findings = settled(findings)
    if not any(one.blames(variant.about) and one.outcome == Outcome.WRONG for one in findings):
        return None
    return diagnosis([variant.about], findings)


def unasked(kata: Kata, function: str, errors: Collection[str]) -> list[str]:
    """Return which of these errors no property of the function makes the solution raise."""
    raised: set[str] = set()
    answer = _noting(getattr(solution(kata.slug), function), raised)
    for examples, test in itertools.product((FEW, 100), properties(kata, function)):
        if raised.issuperset(errors):
            break
        ask(test, with_variant(kata, Variant(function, answer)), seed=0, examples=examples)
    return sorted(set(errors) - raised)


def _noting(answer: Any, raised: set[str]) -> Any:
    """Return the same function, or a class with the same methods, that notes the names of the errors it raises."""
    if isinstance(answer, type):
        methods = {name: _noting(value, raised) for name, value in vars(answer).items() if inspect.isfunction(value)}
        return type(answer.__name__, (answer,), {**methods, "__module__": answer.__module__})

    @functools.wraps(answer)
    def noting(*args: Any, **named: Any) -> Any:
        try:
            return answer(*args, **named)
        except Exception as error:
            raised.update(kind.__name__ for kind in type(error).__mro__)
            raise

    return noting


def begun(kata: Kata, function: str) -> list[str]:
    """Gate 3: return the properties that do not report a function's stub as to do."""
    path = kata.judge / "stub.py"
    stub = run_file(compile_source(path, path.read_bytes()), kata, kata.part("stub"))
    seam = Local(stub, kata.forbidden)
    tests = properties(kata, function)
    return [test.__name__ for test in tests if ask(test, seam, seed=0, examples=1).outcome != Outcome.TO_DO]


def idle(kata: Kata, *, seed: int) -> list[str]:
    """Gate 4: return the properties that reject nothing that others let through and do not say why they stay."""

    def useful(test: Any) -> bool:
        for variant in misconceptions(kata):
            if variant.about not in test.grades or not rejects(test, kata, variant, seed=seed):
                continue
            others = [other for other in properties(kata, variant.about) if other is not test]
            if not others or not all(rejects(other, kata, variant, seed=seed) for other in others):
                return True
        return False

    tests = marked(imported(kata))
    return [test.__name__ for test in tests if not test.stays and not test.only_device and not useful(test)]
