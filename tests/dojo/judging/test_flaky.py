"""What fails once and not again: an answer that changes is wrong, and a property that stumbles is nobody's answer."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from dojo.judging.examples import given
from dojo.judging.expect import expect, grades
from dojo.judging.outcomes import Outcome
from dojo.judging.verdict import run
from dojo.seam.learner_file import Answers
from dojo.seam.local import Local


def verdict_on(double, stumbles=()):
    """The verdict on this double() by a property whose truth raises the errors, one at a time, before it answers."""
    errors = [*stumbles]

    @grades("double")
    @given(n=st.integers(1, 9))
    def is_doubled(kata, n):
        answer = kata.double(n)
        if errors:
            raise errors.pop()
        expect(answer, 2 * n)

    module: Any = SimpleNamespace(double=double)
    seam = Local(Answers(Path(__file__), module))
    return run(is_doubled, seam, device="cpu", seed=0, profile=settings.get_profile("quick"))


def test_an_answer_that_changes_is_wrong():
    """Asked the same again, it has to answer the same."""
    answers = [7]
    found = verdict_on(lambda n: answers.pop() if answers else 2 * n)
    assert (found.outcome, found.function) == (Outcome.WRONG, "double")
    assert "differently" in found.note


def test_a_property_that_stumbles_once_blames_no_answer():
    """A device that warns of itself at its first use, say: the property is at fault, and says so."""
    with pytest.raises(Flaky):
        verdict_on(lambda n: 2 * n, [RuntimeWarning("no context yet")])


def test_an_answer_that_is_wrong_for_good_is_told_by_its_example():
    """The small one, not that anything was unreliable."""
    found = verdict_on(lambda n: 2 * n + 1)
    assert (found.outcome, found.note) == (Outcome.WRONG, "")
    assert found.call is not None
