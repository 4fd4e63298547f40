"""The failing example that a report shows: one that fails, and of those the one that tells most."""

import io
import itertools
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from dojo.catalog import ROOT, find
from dojo.judging.examples import given
from dojo.judging.expect import expect, grades
from dojo.judging.outcomes import Outcome
from dojo.judging.run import judged
from dojo.judging.telling import ALIKE, CLEAR, NOTHING, choose, vagueness
from dojo.judging.verdict import Verdict, run
from dojo.seam.learner_file import Answers
from dojo.seam.local import Local
from dojo.seam.seam import Call


@grades("area")
@given(shape=st.tuples(st.integers(0, 9), st.integers(0, 9)))
def is_the_area(kata, shape):
    """Height times width."""
    expect(kata.area(shape), shape[0] * shape[1])


def seam(area):
    """The seam for an answer to area."""
    module: Any = SimpleNamespace(area=area)
    return Local(Answers(Path(__file__), module))


def chosen(area, seed=0):
    """The verdict on an answer, whether another example is shown than hypothesis' smallest, and the record."""
    here = seam(area)
    found = run(is_the_area, here, device="", seed=seed, profile=settings.get_profile("grade"))
    return *choose(is_the_area, here, "", found), list(here.calls)


def one_more(shape):
    """Wrong everywhere."""
    return shape[0] * shape[1] + 1


def wrong_for_0(shape):
    """Wrong where a size is 0 alone."""
    return shape[0] * shape[1] + (0 in shape)


def wrong_for_1(shape):
    """Wrong where the shape is all ones, or has a 0."""
    return shape[0] * shape[1] + (shape == (1, 1) or 0 in shape)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("area", "shown"), [(one_more, (2, 3)), (wrong_for_0, (0, 0))], ids=["everywhere", "for zeros alone"]
)
def test_zeros_are_shown_where_nothing_else_fails(area, shown, seed):
    """Else sizes by which it can be seen what became of each; small ones, in any order."""
    found, is_new, _ = chosen(area, seed)
    assert found.call.args in ((shown,), (shown[::-1],))
    assert is_new is (shown != (0, 0))


def test_the_message_belongs_to_the_call():
    """And the call is the first of the record, which holds what other calls gave as before."""
    found, _, calls = chosen(one_more)
    (shape,) = found.call.args
    assert (found.got, found.want, found.wanted) == (one_more(shape), f"{shape[0] * shape[1]}", shape[0] * shape[1])
    assert calls[0] is found.call
    assert len(calls) == 72


def test_an_answer_that_held_or_changes_is_left_alone():
    """Nothing is sought where nothing failed, or where the same call gives now this, now that."""
    found, is_new, _ = chosen(lambda shape: shape[0] * shape[1])
    assert (found.outcome, is_new) == (Outcome.HELD, False)
    count = itertools.count()
    found, is_new, _ = chosen(lambda shape: shape[0] * shape[1] + (next(count) == 7))
    assert "differently" in found.note
    assert not is_new


def test_a_function_that_changes_its_mind_keeps_the_example_that_was_found():
    """What is right when it is asked again is not shown as wrong."""
    asked: dict[tuple[int, int], int] = {}

    def area(shape):
        asked[shape] = asked.get(shape, 0) + 1
        return shape[0] * shape[1] + (0 in shape or asked[shape] < 2)

    found, is_new, _ = chosen(area)
    (shape,) = found.call.args
    assert found.got != found.wanted
    assert 0 in shape or not is_new


@pytest.mark.parametrize(
    ("text", "right", "expected"),
    [
        ("f((2, 3), (3, 4))", 48, CLEAR),
        ("f((0, 3), (3, 4))", 0, NOTHING),
        ("f((2, 3), (3, 0))", 0, NOTHING),
        ("f((2, 3), (3, 0))", None, CLEAR),
        ("f((1, 1), (1, 1))", 2, ALIKE),
        ("f((2, 2), (2, 2))", 16, ALIKE),
        ("f(())", 1, ALIKE),
        ("f(2, (3, 4), False, ())", 48, CLEAR),
        ("f(134217728, 3)", 402653184, NOTHING),
        ("f(torch.empty((0, 3), dtype=torch.float64))", None, NOTHING),
        ("f(torch.empty((2, 3), dtype=torch.float64))", None, CLEAR),
        ("f(1, 1, 2.5)", 0.5, ALIKE),
        ("a = 0\nb = 1", None, CLEAR),
    ],
)
def test_what_keeps_a_call_from_telling(text, right, expected):
    """Zeros first, and numbers that cannot be told apart."""
    call = Call("f", text, (), None, None, (), {})
    assert vagueness(Verdict(Outcome.WRONG, "f", call, wanted=right)) == expected


def test_what_is_printed_is_that_of_the_example_that_is_shown(monkeypatch):
    """Though others are asked before and after it."""
    text = io.StringIO()

    def area(shape):
        text.write(f"{shape}\n")
        return one_more(shape)

    def printed():
        value = text.getvalue()
        text.seek(0)
        text.truncate()
        return value

    here = seam(area)
    monkeypatch.setattr("dojo.judging.property.marked", lambda module: [is_the_area])
    (finding,) = judged(
        find("03"),
        "",
        here,
        lambda property: run(property.test, here, device="cpu", seed=0, profile=settings.get_profile("grade")),
        printed,
        tree="katas",
        devices=["cpu"],
    )
    shape = finding.lines[0][1].removeprefix("area(").removesuffix(")")
    assert shape in ("(2, 3)", "(3, 2)")
    assert finding.printed.startswith(f"'{shape}', the last of ")


def test_pytest_shows_the_same(tmp_path):
    """A wrong answer that () shows as well, by pytest, with what was printed for the call that is shown."""
    folder = tmp_path / "03_flops"
    folder.mkdir()
    source = (ROOT / "solutions/03_flops/flops.py").read_text(encoding="utf-8")
    wrong = "def elementwise_flops(*shapes):\n    print(*shapes, sep=', ')\n    return -1\n"
    (folder / "flops.py").write_text(f"{source}\n\n{wrong}", encoding="utf-8")
    asked = [sys.executable, "-m", "pytest", "katas/03_flops", "--submission", tmp_path, "-p", "no:cacheprovider"]
    told = subprocess.run(
        [*asked, "-k", "test_elementwise_flops_are", "--hypothesis-profile", "grade", "--hypothesis-seed", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    shapes = told.partition("you called    elementwise_flops(")[2].partition("\n")[0].removesuffix(")")
    assert {"2", "3"} <= {*shapes}
    assert f"it printed    '{shapes}', the last of" in told
