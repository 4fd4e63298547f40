"""What the grader gives for honest work, done and not done: the same as the local run, at every level."""

from __future__ import annotations

import pytest

from dojo.catalog import ROOT, find
from dojo.grade import result
from dojo.grade.grading import grade
from dojo.grade.jail import NoJail
from dojo.grade.levels import choose, provided
from dojo.grade.limits import Limits
from tests.suite.handed_in import handed_in, solution

LIMITS = Limits(seconds=120)
"""The machines that run this are shared and slow."""


@pytest.fixture(scope="session")
def level() -> str:
    """The best level of this machine."""
    try:
        found = choose("auto")
    except NoJail as why:
        pytest.skip(f"no jail holds here: {why}")
    return found


def graded(slug: str, text: str, level: str, limits: Limits = LIMITS) -> result.Result:
    """What the grader gives for the solution of a kata, followed by this text."""
    kata = find(slug)
    handed = handed_in(kata, f"{solution(kata)}\n\n{text}")
    return grade(handed, katas=[kata], seed="secret", level=level, limits=limits)


@pytest.mark.parametrize("level", [name for name, why in provided().items() if not why])
def test_solutions_get_full_marks_at_every_level(level: str, slug: str, long: bool):
    """Whatever the jail takes away, a right answer does without."""
    if not long and level != choose("auto"):
        pytest.skip("the other levels are asked with --long")
    given = graded(slug, "", level, Limits())
    assert given.score == given.points, [function for function in given.katas[0].functions if not function.score]


def test_untouched_stubs_get_nothing(level: str, slug: str):
    """And are told as to do."""
    kata = find(slug)
    handed = handed_in(kata, kata.source(ROOT / "katas").read_text(encoding="utf-8"))
    given = grade(handed, katas=[kata], seed="secret", level=level)
    assert {function.status for function in given.katas[0].functions} == {"to do"}
    assert given.score == 0


def test_the_same_seed_gives_the_same_result(level: str):
    """But for its times."""
    wrong = "def mfu(flops, seconds, peak_flops):\n    return flops / seconds\n"
    one, other = (graded("03_flops", wrong, level).plain() for _ in range(2))
    assert one.pop("times")
    assert other.pop("times")
    assert one == other
