"""What is right for a call that raised: said where the property says it, and never what is right for another call."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from dojo.judging.examples import given
from dojo.judging.expect import expect, expect_each, expect_error, expect_that, grades
from dojo.judging.lines import lines_of
from dojo.judging.outcomes import Outcome
from dojo.judging.verdict import Verdict, run
from dojo.seam.data import shown
from dojo.seam.learner_file import Answers
from dojo.seam.local import Local
from dojo.seam.seam import Call
from tests.shared.sums import terms


@grades("double")
@given(n=st.integers(0, 9))
def is_doubled(kata, n):
    """Twice the number, of two numbers."""
    expect(kata.double(n), 2 * n)
    expect(kata.double(n + 10), 2 * n + 20, "it is")


@grades("double")
@given(n=st.integers(0, 9))
def is_nearly_doubled(kata, n):
    """About twice the number."""
    answer = kata.double(n)
    expect_that(type(answer) is int and 2 * n <= answer, answer, 2 * n)


@grades("double")
@given(n=st.integers(0, 9))
def is_told_in_parts(kata, n):
    """Twice the number, and the number."""
    expect_each(kata.double(n), {"twice": 2 * n, "once": n})


@grades("double")
@given(n=st.integers(0, 9))
def is_refused_and_doubled(kata, n):
    """Twice the number, and an error below 0."""
    expect_error(ValueError, kata.double, -1, because="it is below 0")
    answer = kata.double(n)
    expect(answer, 2 * n, draw=lambda: terms({"n": n, "n again": n}, answer, {"n": lambda: kata.double(n + 100)}))


@grades("double")
@given(n=st.integers(0, 9))
def is_doubled_in_a_sum(kata, n):
    """Twice the number, and one more."""
    expect(kata.double(n) + 1, 2 * n + 1)


@grades("double")
@given(n=st.integers(0, 9))
def is_an_int(kata, n):
    """An int, whatever it is."""
    expect(type(kata.double(n)) is int, True)


def lines(test, double, seconds=None):
    """What is said of an answer to double, which may take so many seconds."""
    module: Any = SimpleNamespace(double=double)
    seam = Local(Answers(Path(__file__), module), seconds=seconds)
    found = run(test, seam, device="", seed=0, profile=settings.get_profile("grade"))
    return lines_of(found, "", "")


def raises(n):
    """No answer at all."""
    raise KeyError(n)


def test_an_answer_that_is_owed_is_said():
    """In the words of the property, beside the error."""
    assert lines(is_doubled, raises) == [
        ["you called", "double(0)"],
        ["it raised", "KeyError: 0"],
        ["torch says", "0"],
    ]
    assert lines(is_nearly_doubled, raises)[2:] == [["for example", "0"]]


def test_it_is_said_of_a_call_that_never_ends():
    """Beside how long it took."""

    def runs_on(n):
        while True:
            pass

    assert lines(is_doubled, runs_on, seconds=0.1) == [
        ["you called", "double(0)"],
        ["it was", "still running after 0.1 seconds of CPU"],
        ["torch says", "0"],
    ]


def test_all_that_a_program_should_leave_is_said():
    """Each value by its name; and where what it left is no dict at all."""
    assert lines(is_told_in_parts, raises)[2:] == [["torch says", "twice = 0"], ["", "once = 0"]]
    assert lines(is_told_in_parts, lambda n: n)[1:] == [
        ["it returned", "0"],
        ["torch says", "twice = 0"],
        ["", "once = 0"],
    ]
    assert lines(is_told_in_parts, lambda n: {"twice": 2 * n, "once": 0})[1:] == [
        ["it returned", "once = 0"],
        ["torch says", "once = 1"],
    ]


def test_it_is_that_of_the_call_that_raised():
    """The calls before it are answered as the learner answered them."""
    assert lines(is_doubled, lambda n: 2 * n if n < 10 else raises(n)) == [
        ["you called", "double(10)"],
        ["it raised", "KeyError: 10"],
        ["it is", "20"],
    ]


def test_it_is_said_behind_an_error_that_was_right():
    """And where the picture of the example would ask for more."""

    def double(n):
        if n < 0:
            raise ValueError
        return {}[n]

    assert lines(is_refused_and_doubled, double) == [
        ["you called", "double(0)"],
        ["it raised", "KeyError: 0"],
        ["torch says", "0"],
    ]


def test_nothing_is_said_where_the_property_does_not_say_it():
    """Where an answer goes into a sum before it is compared, or something else is compared, or the wrong error came."""
    assert lines(is_an_int, raises) == [["you called", "double(0)"], ["it raised", "KeyError: 0"]]
    assert lines(is_doubled_in_a_sum, raises) == [["you called", "double(0)"], ["it raised", "KeyError: 0"]]
    assert lines(is_refused_and_doubled, raises) == [
        ["you called", "double(-1)"],
        ["it raised", "KeyError: -1"],
        ["should raise", "ValueError: it is below 0"],
    ]


def test_a_program_of_one_line_is_run_and_not_called():
    """What it leaves has a name; what is too long to show is a value all the same."""
    call = Call("f", "model = f(2)", (), 3, None, (2,), {})
    found = Verdict(Outcome.WRONG, "f", call, 3, want="4", says="torch says", wanted=4, of="model.size")
    assert lines_of(found, "", "") == [
        ["you ran", "model = f(2)"],
        ["then", "model.size = 3"],
        ["torch says", "model.size = 4"],
    ]
    many = [*range(1000)]
    found = replace(found, got=[1], want=shown(many), wanted=many)
    assert lines_of(found, "", "")[-1][1].startswith("model.size = [0, 1, ")
