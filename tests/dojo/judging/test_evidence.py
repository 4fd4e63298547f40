"""The evidence for a diagnosis: thirty answers or more besides the failing call, whoever judges."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from dojo.catalog import find
from dojo.grade.jail.channel import Lost, Unstarted
from dojo.judging import evidence
from dojo.judging.examples import given, run_state_machine
from dojo.judging.expect import expect, expect_floats, grades
from dojo.judging.outcomes import Outcome
from dojo.judging.run import judged
from dojo.judging.verdict import run
from dojo.seam.learner_file import Answers
from dojo.seam.local import Local
from dojo.seam.scenario import runs


@grades("double")
@given(n=st.integers(0, 10**6))
def doubles(kata, n):
    """Twice the number."""
    expect(kata.double(n), 2 * n)


@runs(lambda n: ("double", [f"double({n})", f"double({n})"]))
def twice(module, n):
    """A program of two lines."""
    return module.double(n), module.double(n)


@grades("double")
@given(n=st.integers(0, 10**6))
def doubles_each_time(kata, n):
    """Twice the number, in a program."""
    expect(kata.run(twice, n), (2 * n, 2 * n))


class Doubling(RuleBasedStateMachine):
    """A machine whose steps double."""

    kata = None

    @rule(n=st.integers(0, 10**6))
    def double(self, n):
        """Twice the number."""
        doubles.hypothesis.inner_test(self.kata, n)


@grades("double")
def doubles_in_a_story(kata):
    """Twice each number of a story."""

    def machine():
        made = Doubling()
        made.kata = kata
        return made

    run_state_machine(machine)


def seam(double):
    """The seam for an answer to double."""
    module: Any = SimpleNamespace(double=double)
    return Local(Answers(Path(__file__), module))


def gathered(double, test=doubles, seed=0):
    """What the record holds of an answer that fails a property, and the call that failed."""
    here = seam(double)
    verdict = run(test, here, device="", seed=seed, profile=settings.get_profile("grade"))
    before = list(here.calls)
    evidence.gather(test, here, "", verdict)
    return list(here.calls), verdict.call, before


@pytest.mark.parametrize(
    "wrong",
    [lambda n: n, lambda n: n // 0, lambda n: 2 * n if n < 5000 else n],
    ids=["always wrong", "raises", "wrong for large numbers"],
)
@pytest.mark.parametrize(("test", "others"), [(doubles, 70), (doubles_each_time, 30)], ids=["call", "program"])
def test_the_evidence_is_the_failing_call_and_others(wrong, test, others):
    """Right answers, wrong answers and errors alike; thirty programs, and more of what is typed in one line."""
    calls, failing, _ = gathered(wrong, test)
    assert calls[0] is failing
    assert len(calls) == others + 1
    assert len({call.written for call in calls}) >= 0.8 * others
    failed = [call.outcome not in (2 * call.args[0], (2 * call.args[0],) * 2) for call in calls]
    assert all(failed[:10])


def test_of_the_evidence_the_first_thirty_are_looked_at():
    """It is their seed that hypothesis draws from again, to make the one small that tells most."""
    here = seam(lambda n: n + 1)
    verdict = run(doubles, here, device="", seed=0, profile=settings.get_profile("grade"))
    looked: list[Exception] = []
    evidence.gather(doubles, here, "", verdict, looked.append)
    assert len(here.calls) == 71
    assert 25 <= len(looked) <= 30


def test_what_the_property_accepts_is_marked_as_right():
    """Those calls alone, of the latest property."""
    here = seam(lambda n: 2 * n if n < 5000 else n)
    for _ in range(2):
        verdict = run(doubles, here, device="", seed=0, profile=settings.get_profile("grade"))
        evidence.gather(doubles, here, "", verdict)
        assert {id(call) for call in here.accepted} == {id(call) for call in here.calls if call.args[0] < 5000}
    assert here.accepted


@grades("double")
@given(n=st.integers(0, 10**6))
def doubles_by_two_checks(kata, n):
    """Twice the number; what is small is asked first."""
    if n < 1000:
        expect(kata.double(n), 2 * n)
    else:
        expect_floats(float(kata.double(n)), 2.0 * n)


def test_of_two_kinds_of_failure_the_simpler_is_shown():
    """Hypothesis tells one for each line that raises."""
    profile = settings.get_profile("grade")
    verdict = run(doubles_by_two_checks, seam(lambda n: n - 1), device="", seed=0, profile=profile)
    assert verdict.call is not None
    assert verdict.call.args == (0,)


def test_the_evidence_is_the_same_in_every_run():
    """Whatever seed found the failing call."""
    assert [call.written for call in gathered(lambda n: n)[0]] == [
        call.written for call in gathered(lambda n: n, seed=1)[0]
    ]


def test_what_held_keeps_its_record():
    """Nothing more is asked."""
    calls, failing, before = gathered(lambda n: 2 * n)
    assert failing is None
    assert calls == before


def test_a_state_machine_keeps_its_record():
    """It asks by what it has done. The failing call, which is shown, comes first: of many some alone are looked at."""
    calls, failing, before = gathered(lambda n: 2 * n if n < 9 else n, doubles_in_a_story)
    assert calls == [failing, *before]


@pytest.mark.parametrize(
    "error", [Lost("no answer within its time"), TypeError("of the property's own")], ids=["lost", "error"]
)
def test_evidence_that_cannot_be_gathered_leaves_the_verdict(error):
    """A process that is lost afterwards is asked no more, and what it said stands."""
    here = seam(lambda n: n)
    verdict = run(doubles, here, device="", seed=0, profile=settings.get_profile("grade"))
    asked: list[None] = []

    def outcome(*_):
        asked.append(None)
        raise error

    here._outcome = outcome
    evidence.gather(doubles, here, "", verdict)
    assert len(asked) == 1
    assert list(here.calls) == [verdict.call]


def test_a_jail_that_does_not_start_is_no_evidence():
    """That is nobody's fault who is graded: no grade is given."""
    here = seam(lambda n: n)
    verdict = run(doubles, here, device="", seed=0, profile=settings.get_profile("grade"))

    def outcome(*_):
        raise Unstarted

    here._outcome = outcome
    with pytest.raises(Unstarted):
        evidence.gather(doubles, here, "", verdict)


def test_what_the_evidence_prints_is_not_told(monkeypatch):
    """The line beside a failure is the one that the failing example printed."""
    text = []

    def double(n):
        text.append(f"asked {n}\n")
        return n

    def printed():
        joined = "".join(text)
        text.clear()
        return joined

    here = seam(double)
    profile = settings.get_profile("grade")
    monkeypatch.setattr("dojo.judging.property.marked", lambda module: [doubles])
    (finding,) = judged(
        find("03"),
        "",
        here,
        lambda property: run(property.test, here, device="cpu", seed=0, profile=profile),
        printed,
        tree="katas",
        devices=["cpu"],
    )
    assert finding.outcome == Outcome.WRONG
    assert finding.printed.startswith("'asked 1', the last of ")
    assert text == []
