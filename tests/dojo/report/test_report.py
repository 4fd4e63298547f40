"""Each kind of report, to the letter, at 80 columns: golden/ holds what a learner reads."""

import math
import re
from decimal import Decimal

import pytest

from dojo.catalog import ROOT
from dojo.judging.diagnose import variants
from dojo.judging.expect import expect, grades
from tests.dojo.report.cases import CASES
from tests.dojo.report.reported import KATA, answering, believing, counts_many, told


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_the_report_is_this_to_the_letter(path, tmp_path, monkeypatch):
    """Rewrite the files with `python -m tests.dojo.report.golden`, and read the difference before it is committed."""
    monkeypatch.chdir(ROOT)
    test, seam = CASES[path]
    text = told(test, seam(tmp_path))
    assert text + "\n" == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_numbers_of_a_report_are_short(path):
    """A float of more than six digits was rounded, and another processor may round its last digits otherwise.

    One of twelve bits, such as a power of two, was not.
    """
    text = path.read_text(encoding="utf-8")
    for number in re.findall(r"\d+\.\d+(?:e[+-]?\d+)?", text):
        mantissa, _ = math.frexp(float(number))
        assert (mantissa * 2**12).is_integer() or len(Decimal(number).normalize().as_tuple().digits) <= 6, number


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


def test_a_label_is_told_in_whole(monkeypatch):
    """One that is wider than its column goes on below itself."""
    monkeypatch.chdir(ROOT)

    @grades("matmul_flops")
    def property_(kata):
        """A rule."""
        expect(kata.matmul_flops((2, 3), (3, 4)), 48, "should still be")

    lines = told(property_, answering(lambda a, b: 24)).splitlines()
    place = lines.index("  should still  48")
    assert lines[place + 1] == "  be"


def test_every_misconception_is_found_in_its_own_words():
    """A learner who answers as a misconception does on every call is told its belief and no other one's."""
    for variant in variants(KATA.slug, "misconceptions"):
        if variant.name == "matmul_flops-counts_multiply_adds":
            assert variant.belief in told(counts_many, believing(KATA, variant.name))
            return
    raise AssertionError("the misconception that this report shows is gone")
