"""The two seams agree: what the jail gives for an answer is what the same properties say of it in this process."""

from __future__ import annotations

import pytest

from dojo.catalog import katas
from dojo.findings import status
from dojo.grade import grading
from dojo.grade.grading import grade
from dojo.grade.levels import choose, provided
from dojo.grade.limits import Limits
from dojo.grade.seam import Jails
from tests.suite import gates
from tests.suite.handed_in import handed_in, variant_source

SEED = "agreed"
LEVELS = [level for level, why in provided().items() if not why]


@pytest.fixture(scope="module")
def jails():
    """Makes the jails of a level, with the next ones ready."""
    made = {level: Jails(level, Limits(seconds=300), "cpu", ahead=True) for level in LEVELS}
    yield made
    for one in made.values():
        one.close()


class Here(gates.Local):
    """The local seam, with what the grader asks of the jailed one."""

    opened, asked = True, ""

    def begin(self, budget):
        """Judge another property."""
        self.calls.clear()

    def printed(self):
        """Nothing."""
        return ""


def locally(kata, variant):
    """What each function of the kata is said to be in this process: done, wrong, to do."""
    seam = gates.with_variant(kata, variant)
    here = Here(seam.answers, seam.forbidden)
    findings = grading._judge(kata, here, SEED, "cpu")
    return {name: status(name, findings)[0] for name in kata.functions}


def jailed(kata, variant, level, jails):
    """The same as the grader gives it."""
    handed = handed_in(kata, variant_source(kata, variant))
    (given,) = grade(handed, katas=[kata], seed=SEED, level=level, jails=jails[level]).katas
    return {function.name: function.status for function in given.functions}


def skip_unless(long, kata, place, level):
    """In the plain form, the best level and the first variant of each kata stand for all; 06 takes a minute."""
    if not long and (place or level != choose() or kata.apart):
        pytest.skip("asked with --long")


def numbered(kind):
    """Each variant of that kind, with its place among those of its kata."""
    return [
        pytest.param(kata, place, variant, id=f"{kata.number}-{variant.name}")
        for kata in katas().values()
        for place, variant in enumerate(kind(kata))
    ]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("kata", "place", "variant"), numbered(gates.misconceptions))
def test_a_misconception_scores_as_in_a_local_run(kata, place, variant, level, jails, long):
    """Its function is wrong, and each other one is what it is there."""
    skip_unless(long, kata, place, level)
    told = jailed(kata, variant, level, jails)
    assert told[variant.about] == "wrong"
    assert told == locally(kata, variant)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("kata", "place", "variant"), numbered(gates.wheats))
def test_a_wheat_gets_full_marks(kata, place, variant, level, jails, long):
    """In whatever style a right answer is written."""
    skip_unless(long, kata, place, level)
    assert set(jailed(kata, variant, level, jails).values()) == {"done"}
