"""What torch says once is what it says again, and nobody can change what is remembered."""

from __future__ import annotations

import functools
import importlib.util
import math
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from dojo.catalog import ROOT, find
from dojo.grade import grading, truths
from dojo.grade.intake.submission import Submission
from dojo.judging.kata_folder import imported
from dojo.judging.outcomes import Cause, Outcome
from dojo.judging.profiles import quick
from dojo.judging.property import marked
from dojo.judging.verdict import run
from dojo.seam.data import plain, same
from dojo.seam.learner_file import load
from dojo.seam.local import Local

Case = namedtuple("Case", "lines size")


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    """Each test begins with no answers."""
    monkeypatch.setattr(truths, "_answers", {})


def asked(answer):
    """A remembering function that gives this answer, and the list of what reaches it."""
    questions = []

    def function(*args, **named):
        questions.append((args, named))
        return answer(*args, **named)

    return truths._remembering(function), questions


@pytest.mark.parametrize("question", [(1, 2.0), ("text", None), ([1, (2, "3")],), (Case(["x = 1"], 2), torch.int8)])
def test_the_same_question_is_asked_once(question):
    """The answer is the same, and the function is not called for it."""
    function, questions = asked(lambda *args: {"said": [len(args), torch.ones(2)]})
    assert same(function(*question), function(*question))
    assert len(questions) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (1, 1.0), (0.0, -0.0), ((1,), [1]), (Case([], 1), ([], 1)), ("1", 1), ({"a": 1}, {"a": 1.0})],
)
def test_what_is_equal_but_not_the_same_is_asked_apart(one, other):
    """Types and the sign of zero count."""
    function, questions = asked(lambda value: repr(value))
    assert [function(one), function(other)] == [repr(one), repr(other)]
    assert len(questions) == 2


def test_positions_and_names_are_asked_apart():
    """f(1) is another question than f(a=1), since nobody knows what a function makes of it."""
    function, questions = asked(lambda a: a)
    assert function(1) == function(a=1)
    assert len(questions) == 2


def test_nan_is_the_same_question():
    """It does not equal itself, and its bits do."""
    function, questions = asked(lambda value: value)
    assert math.isnan(function(math.nan))
    assert math.isnan(function(float("nan")))
    assert len(questions) == 1


def test_who_changes_an_answer_changes_his_own():
    """Lists and tensors are copies."""
    function, _ = asked(lambda: {"numbers": [1, 2], "x": torch.ones(2)})
    for _ in range(3):
        answer = function()
        assert same(answer, {"numbers": [1, 2], "x": torch.ones(2)})
        answer["numbers"].append(3)
        answer["x"].zero_()


@pytest.mark.parametrize("question", [torch.ones(2), len, object(), [torch.ones(2)], {"f": print}, iter([])])
def test_what_is_no_plain_data_is_asked_each_time(question):
    """A tensor may share its memory, a function may hold state."""
    function, questions = asked(lambda value: 1)
    assert function(question) == function(question) == 1
    assert len(questions) == 2


def test_a_question_without_an_end_is_asked_each_time():
    """A list that holds itself, as a learner may return."""
    endless: list[object] = []
    endless.append(endless)
    function, questions = asked(lambda value: 1)
    assert function(endless) == function(endless) == 1
    assert len(questions) == 2


@pytest.mark.parametrize(
    "answer",
    [
        *(torch.ones(2, requires_grad=True), torch.ones(2, 3).T, torch.ones(6)[2:], torch.empty(2, device="meta")),
        *(print, [object()], iter([1])),
    ],
)
def test_an_answer_that_is_more_than_its_numbers_is_not_kept(answer):
    """A graph, strides, a place in a storage, state, code: a copy could lack them."""
    function, questions = asked(lambda: answer)
    assert function() is function() is answer
    assert len(questions) == 2


def test_a_class_without_a_name_in_its_module_is_asked_each_time():
    """It cannot be written down."""
    here = namedtuple("here", "size")
    function, questions = asked(lambda value: 1)
    assert function(here(1)) == function(here(1)) == 1
    assert len(questions) == 2


def test_an_error_is_raised_each_time():
    """It is not an answer."""
    function, questions = asked(lambda: 1 / 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            function()
    assert len(questions) == 2


def test_too_many_answers_are_forgotten(monkeypatch):
    """Memory has an end, even for somebody who makes up questions."""
    monkeypatch.setattr(truths, "MOST", 3)
    function, _ = asked(lambda number: number)
    assert [function(number) for number in range(10)] == list(range(10))
    assert len(truths._answers) <= 3


@pytest.mark.parametrize(("ahead", "remembered"), [(True, ["01_memory"]), (False, [])])
def test_truths_are_remembered_where_other_submissions_follow(ahead, remembered, monkeypatch):
    """Of the katas that were handed in."""
    kept = []
    monkeypatch.setattr(truths, "remember", lambda kata: kept.append(kata.slug))
    monkeypatch.setattr(grading, "_kata", lambda _, kata, *rest: grading._without(kata, Cause.MISSING, "", ()))
    given = Submission("somebody", {"01_memory": b""}, {"01_memory": "memory.py"})
    jails: Any = SimpleNamespace(ahead=ahead, prepare=lambda torch: None, end=lambda: None)
    grading.grade(given, katas=[find("01"), find("02")], seed="s", level="none", jails=jails)
    assert kept == remembered


def test_each_kata_hears_the_same_truth_twice(slug, monkeypatch):
    """A truth depends on what it is asked alone: it says the same when it is asked anew as what is remembered."""
    kata = find(slug)
    tests = [test for test in marked(imported(kata)) if not test.only_device]
    if not importlib.util.find_spec(kata.part("truth")):
        pytest.skip("its properties need no truth.py")
    truth = vars(imported(kata, "truth"))
    for name in truth:
        function = getattr(truth[name], "asked", truth[name])  # as it is where nothing was graded before
        monkeypatch.setitem(truth, name, function)
    remembering = truths._remembering
    kept = []

    def checking(function):
        remembered = remembering(function)

        @functools.wraps(remembered)
        def asked_anew(*args, **named):
            is_kept = truths._question(function, args, named) in truths._answers
            said = remembered(*args, **named)
            if is_kept:
                kept.append(same(plain(said), plain(function(*args, **named))))
            return said

        return asked_anew

    monkeypatch.setattr(truths, "_remembering", checking)
    truths.remember(kata)
    seam = Local(load(kata, ROOT / "solutions", f"truths_of_{kata.number}"), kata.forbidden)
    for test in [*tests, *tests]:
        assert run(test, seam, device="cpu", seed=3, profile=quick(3)).outcome == Outcome.HELD
    assert kept or not truths._answers  # what is asked with tensors is not kept
    assert all(kept)
