"""Examples that are drawn once: a verdict on them is the one that hypothesis gives."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from dojo.catalog import find
from dojo.grade import grading, replay
from dojo.judging import gates, profiles
from dojo.judging.diagnose import with_variant
from dojo.judging.examples import given
from dojo.judging.expect import expect, grades
from dojo.judging.outcomes import Outcome
from dojo.judging.verdict import changeable, fixtures, run
from dojo.seam.learner_file import Answers
from tests.dojo.grade.test_agreement import Here

asked: list[int] = []
"""What the function below was asked."""


@grades("double")
@given(n=st.integers(0, 10**6), data=st.data())
def doubles(kata, n, data):
    """Of what is given, and of what is drawn on the way."""
    expect(kata.double(n), 2 * n)
    more = data.draw(st.integers(0, n))
    expect(kata.double(more), 2 * more)


@grades("double")
@given(numbers=st.lists(st.integers(), min_size=1))
def sorts(kata, numbers):
    """Changes what it was given."""
    expect(kata.double(numbers[0]), 2 * numbers[0])
    numbers.clear()


@grades("double")
@given(n=st.integers())
def warns(kata, n):
    """Warns of the device, say."""
    warnings.warn("nothing that an answer did", stacklevel=1)
    expect(kata.double(n), 2 * n)


class Module:
    """A learner's module: `double`, right or not."""

    def __init__(self, double):
        self.double = double


def as_graded(seam) -> Any:
    """The same seam, with what the grader asks of the jailed one."""
    return Here(seam.answers, seam.forbidden)


def verdict(test, double, seed=1):
    """What the grader says of a property, and what was asked before it said so."""
    asked.clear()

    def noting(n):
        asked.append(n)
        return double(n)

    module: Any = Module(noting)
    seam: Any = Here(Answers(Path("double.py"), module))
    return grading._verdict(test, seam, "cpu", seed), list(asked)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    """Each test begins with no examples."""
    monkeypatch.setattr(replay, "_cache", {})


@pytest.mark.parametrize("test", [doubles, sorts, warns])
def test_the_same_is_asked_again_without_drawing(test, monkeypatch):
    """The examples of the first run, and hypothesis is not asked."""
    first = verdict(test, lambda n: 2 * n)
    monkeypatch.setattr(grading, "run", None)
    assert verdict(test, lambda n: 2 * n) == first
    assert len(first[1]) >= 100


def test_another_seed_has_other_examples():
    """What holds for one seed says nothing of another."""
    _, asked_first = verdict(doubles, lambda n: 2 * n)
    _, asked_then = verdict(doubles, lambda n: 2 * n, seed=2)
    assert asked_first != asked_then


def test_a_wrong_answer_is_told_as_if_it_had_come_first():
    """The same smallest example, from the same calls."""
    wrong = lambda n: 2 * n if n < 1000 else n  # noqa: E731
    first, _ = verdict(doubles, wrong)
    verdict(doubles, lambda n: 2 * n)
    again, _ = verdict(doubles, wrong)
    assert first.outcome == again.outcome == Outcome.WRONG
    assert first.call.written == again.call.written == "double(1000)"
    assert first.want == again.want


def test_what_failed_does_not_count_as_known():
    """The examples of a property that did not hold are not all that it draws."""
    verdict(doubles, lambda n: n)
    assert replay._cache == {}


def test_an_answer_that_changes_its_mind_is_wrong():
    """It fails what is known, and holds when it is asked from the beginning."""
    verdict(doubles, lambda n: 2 * n)
    answers = iter([1])
    told, _ = verdict(doubles, lambda n: next(answers, 2 * n))
    assert told.outcome == Outcome.WRONG
    assert told.note == changeable(told.call).note


def test_too_many_examples_are_forgotten(monkeypatch):
    """Memory has an end."""
    monkeypatch.setattr(replay, "MOST", 2)
    for seed in range(5):
        assert verdict(doubles, lambda n: 2 * n, seed=seed)[0].outcome == Outcome.HELD
    assert len(replay._cache) <= 2


def test_examples_are_those_of_a_run_without_notes(slug):
    """For each property of a kata: hypothesis draws the same, whether somebody looks on or not."""
    kata = find(slug)
    function = next(iter(kata.functions))
    for test in gates.properties(kata, function):
        calls = []
        for noted in (True, False):
            seam = with_variant(kata, gates.original(kata, function))
            drawn = fixtures(test, seam, "cpu")
            profile = settings(settings.get_profile("grade"), max_examples=5)
            if noted:
                with replay.noting(test, 7, drawn, as_graded(seam)):
                    run(test, seam, device="cpu", seed=7, profile=profile)
            else:
                run(test, seam, device="cpu", seed=7, profile=profile)
            calls.append([call.written for call in seam.calls])
        assert calls[0] == calls[1]


def test_fewer_examples_say_nothing_of_more():
    """A profile that draws one example knows less than one that draws a hundred."""
    settings.register_profile("grade", settings(settings.get_profile("grade"), max_examples=1))
    try:
        assert len(verdict(doubles, lambda n: 2 * n)[1]) < 10
    finally:
        profiles.register()
    assert len(verdict(doubles, lambda n: 2 * n)[1]) >= 100
