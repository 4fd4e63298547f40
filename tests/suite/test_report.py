"""Each kind of report, to the letter, at 80 columns: tests/suite/golden/ holds what a learner reads."""

import re
from decimal import Decimal

import pytest

from dojo.catalog import ROOT
from dojo.diagnose import variants
from dojo.expect import expect, grades
from tests.suite import pictured, reported
from tests.suite.reported import KATA, answering, believing, counts_many, told

GOLDEN = ROOT / "tests" / "suite" / "golden"
CASES = reported.CASES | pictured.CASES


@pytest.mark.parametrize("name", CASES)
def test_the_report_is_this_to_the_letter(name, tmp_path, monkeypatch):
    """Rewrite the files with `python -m tests.suite.golden`, and read the difference before it is committed."""
    monkeypatch.chdir(ROOT)
    test, seam = CASES[name]
    text = told(test, seam(tmp_path))
    assert text + "\n" == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_the_numbers_of_a_report_are_short(name):
    """A float of more than six digits was rounded, and another processor may round its last digits otherwise."""
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    for number in re.findall(r"\d+\.\d+(?:e[+-]?\d+)?", text):
        assert len(Decimal(number).normalize().as_tuple().digits) <= 6, number


def test_no_line_is_wider_than_the_terminal(monkeypatch):
    """Long arguments and long results wrap below themselves."""
    monkeypatch.chdir(ROOT)
    long = (tuple(range(2, 40)), (3, 4))
    seam = answering(lambda a, b: 10**300)

    @grades("matmul_flops")
    def property_(kata):
        """A rule."""
        expect(kata.matmul_flops(*long), 10**500, "torch counts")

    assert max(map(len, told(property_, seam).splitlines())) <= 80


def test_every_misconception_is_found_in_its_own_words():
    """A learner who answers as a misconception does on every call is told its belief and no other one's."""
    for variant in variants(KATA.misconceptions):
        if variant.name == "matmul_flops-counts_multiply_adds":
            assert variant.belief in told(counts_many, believing("03", variant.name))
            return
    raise AssertionError("the misconception of DESIGN.md is gone")
