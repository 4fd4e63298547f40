"""To do is a function whose every call raises NotImplementedError; one that answers elsewhere is wrong."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from dojo.catalog import find
from dojo.judging.examples import given
from dojo.judging.expect import expect, expect_error, grades
from dojo.judging.findings import Finding, settled, status, wrong_together
from dojo.judging.outcomes import Outcome
from dojo.judging.run import judged
from dojo.judging.verdict import run
from dojo.report.blocks import block
from dojo.seam.learner_file import Answers
from dojo.seam.local import Local

KATA = find("03")


@grades("mfu")
@given(n=st.integers(0, 99))
def small_is_doubled(kata, n):
    """Twice a small number."""
    expect(kata.mfu(n), 2 * n)


@grades("mfu")
@given(n=st.integers(100, 10**6))
def large_is_doubled(kata, n):
    """Twice a large number."""
    expect(kata.mfu(n), 2 * n)


@grades("mfu")
@given(n=st.integers(-9, -1))
def below_0_is_refused(kata, n):
    """A number below 0 is refused."""
    expect_error(ValueError, kata.mfu, n, because=f"{n} is below 0")


def helper():
    """A function that the answers below call."""
    raise NotImplementedError("helper")


def mfu(n):
    """Not written yet."""
    raise NotImplementedError("mfu")


def small_alone(n):
    """Large numbers are left out, all of them in a property of their own."""
    if n < 0:
        raise ValueError(n)
    if n >= 100:
        raise NotImplementedError("large numbers")
    return 2 * n


def large_alone(n):
    """Small numbers are left out."""
    if n < 0:
        raise ValueError(n)
    return 2 * n if n >= 100 else helper()


def refusals_alone(n):
    """Nothing but the errors is there."""
    if n < 0:
        raise ValueError(n)
    raise NotImplementedError


def odd_alone(n):
    """Left out is what comes up in each property."""
    if n < 0:
        raise ValueError(n)
    if n % 2 == 0:
        raise NotImplementedError
    return 2 * n


def all_but_the_simplest(n):
    """What a run asks first, and shrinks to, is left out: it asks for nothing else."""
    if n < 0:
        raise ValueError(n)
    if n in (0, 100):
        raise NotImplementedError
    return 2 * n


def words(monkeypatch, answer, tests, stubs=()):
    """The status of an answer that is asked these properties in this order, its note, and its block if it has one."""
    module: Any = SimpleNamespace(mfu=answer)
    seam = Local(Answers(Path(__file__), module, stubs=frozenset(stubs)))
    monkeypatch.setattr("dojo.judging.property.marked", lambda module: tests)

    def ask(property):
        return run(property.test, seam, device="cpu", seed=0, profile=settings.get_profile("grade"))

    findings = settled(list(judged(KATA, "mfu", seam, ask, lambda: "", tree="katas", devices=["cpu"])))
    lines = [pair for names in wrong_together(KATA, findings) for pair in block(KATA, names, findings)]
    return *status("mfu", findings), dict(reversed(lines))


ANSWERS = [small_alone, large_alone, refusals_alone, odd_alone, all_but_the_simplest]
BOTH_WAYS = pytest.mark.parametrize("order", [1, -1], ids=["first", "last"])
PROPERTIES = [small_is_doubled, large_is_doubled, below_0_is_refused]


@BOTH_WAYS
def test_a_function_whose_every_call_raises_it_is_to_do(monkeypatch, order):
    """Whatever else it would do."""
    assert words(monkeypatch, mfu, PROPERTIES[::order]) == ("to do", "", {})


@BOTH_WAYS
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda it: it.__name__)
def test_one_that_answers_elsewhere_is_wrong(monkeypatch, answer, order):
    """In the same property or in another one, earlier or later, with a result or with an error that is asked for."""
    word, note, told = words(monkeypatch, answer, PROPERTIES[::order])
    assert (word, note) == ("wrong", "")
    assert str(told["it raised"]).startswith("NotImplementedError")
    assert "looks like" not in told


def test_one_property_is_enough_to_show_that_it_answers(monkeypatch):
    """Where the example that a run begins with is one of those that are left out."""
    assert words(monkeypatch, all_but_the_simplest, [small_is_doubled])[0] == "wrong"


def test_the_line_that_raised_is_told(monkeypatch):
    """As of every other error."""
    _, _, told = words(monkeypatch, small_alone, [large_is_doubled, small_is_doubled])
    assert told["it raised"] == "NotImplementedError: large numbers"
    assert told["you called"] == "mfu(100)"
    assert told["your code"].endswith(f"test_to_do.py:{small_alone.__code__.co_firstlineno + 5}")


def test_one_that_calls_an_untouched_stub_waits_for_it(monkeypatch):
    """That it answers what needs no call of the other one changes nothing."""
    found = words(monkeypatch, large_alone, PROPERTIES, stubs=["helper"])
    assert found == ("to do", "it calls helper, which is to do", {})


def test_workers_know_of_one_another(monkeypatch):
    """Each of two processes saw one property; what they found is settled where the run is reported."""
    found: list[Finding] = []
    for test in (large_is_doubled, small_is_doubled):
        seam = Local(Answers(Path(__file__), SimpleNamespace(mfu=small_alone)))  # type: ignore[arg-type]
        monkeypatch.setattr("dojo.judging.property.marked", lambda module, test=test: [test])

        def ask(property, seam=seam):
            return run(property.test, seam, device="cpu", seed=0, profile=settings.get_profile("grade"))

        found += judged(KATA, "mfu", seam, ask, lambda: "", tree="katas", devices=["cpu"])
    assert [finding.outcome for finding in found] == [Outcome.TO_DO, Outcome.HELD]
    assert status("mfu", settled(found))[0] == "wrong"


def test_a_stub_that_nobody_has_touched_is_asked_once():
    """No smaller example of it is looked for: there is none that says more."""
    asked = []

    def stub(n):
        asked.append(n)
        mfu(n)

    module: Any = SimpleNamespace(mfu=stub)
    seam = Local(Answers(Path(__file__), module, stubs=frozenset({"mfu"})))
    found = run(large_is_doubled, seam, device="cpu", seed=0, profile=settings())
    assert (found.outcome, len(asked)) == (Outcome.TO_DO, 1)
