"""The two seams agree: what the jail gives for an answer is what the same properties say of it in this process."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from dojo.catalog import katas
from dojo.grade import grading
from dojo.grade.grading import grade
from dojo.grade.jail.limits import Limits
from dojo.grade.jailed import Jails
from dojo.judging import gates
from dojo.judging.diagnose import with_variant
from dojo.judging.findings import status
from dojo.seam.seam import Local
from tests.dojo.grade.handed_in import handed_in, variant_source

SEED = "agreed"


def pytest_generate_tests(metafunc):
    """In the plain form the first variant of each kata stands for all."""
    long = metafunc.config.getoption("--long")
    for name, kind in {"misconception": gates.misconceptions, "wheat": gates.wheats}.items():
        if name in metafunc.fixturenames:
            every = [
                pytest.param((kata, variant), id=f"{kata.slug}-{variant.name}")
                for kata in katas().values()
                for variant in list(kind(kata))[: None if long else 1]
            ]
            metafunc.parametrize(name, every)


@pytest.fixture(scope="module")
def jails(isolation):
    """Jails of that level, with the next ones ready."""
    with contextlib.closing(Jails(isolation, Limits(seconds=300), "cpu", list(katas().values()), ahead=True)) as made:
        yield made


class Here(Local):
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
    seam = with_variant(kata, variant)
    here: Any = Here(seam.answers, seam.forbidden)
    findings = grading._judge(kata, here, SEED, "cpu")
    return {name: status(name, findings)[0] for name in kata.functions}


def jailed(kata, variant, jails):
    """The same as the grader gives it."""
    handed = handed_in(kata, variant_source(kata, variant))
    (given,) = grade(handed, katas=[kata], seed=SEED, level=jails.level, jails=jails).katas
    return {function.name: function.status for function in given.functions}


def test_a_misconception_scores_as_in_a_local_run(misconception, jails, examples):
    """Its function is wrong, and each other one is what it is there."""
    examples(25)
    kata, variant = misconception
    told = jailed(kata, variant, jails)
    assert told[variant.about] == "wrong"
    assert told == locally(kata, variant)


def test_a_wheat_gets_full_marks(wheat, jails, examples):
    """In whatever style a right answer is written."""
    examples(25)
    kata, variant = wheat
    assert set(jailed(kata, variant, jails).values()) == {"done"}
