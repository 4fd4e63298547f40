"""Each kind of report, to the letter, at 80 columns: tests/suite/golden/ holds what a learner reads."""

import contextlib
from types import SimpleNamespace

import pytest

from dojo.answers import Answers, load
from dojo.catalog import ROOT, find
from dojo.diagnose import solution, variants, with_variant
from dojo.expect import expect, expect_error, grades
from dojo.judge import verdict
from dojo.kata import Local
from dojo.report import find as finding_of
from dojo.report import render
from tests import truth

KATA = find("03")
GOLDEN = ROOT / "tests" / "suite" / "golden"
SHAPES = (((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((3,), (3,)), ((2, 3), (3,)))


@grades("matmul_flops")
def counts(kata, shapes=SHAPES[:1]):
    """Every multiply and every add of every product in the broadcast batch counts one."""
    for a, b in shapes:
        expect(kata.matmul_flops(a, b), truth.matmul_flops("cpu", a, b), "torch counts")


@grades("matmul_flops")
def counts_many(kata):
    """Every multiply and every add of every product in the broadcast batch counts one."""
    for a, b in reversed(SHAPES):
        kata.matmul_flops(a, b)
    counts(kata)


@grades("matmul_flops")
def refuses(kata):
    """Shapes that torch.matmul does not multiply are a ValueError."""
    expect_error(ValueError, kata.matmul_flops, (2, 3), (4, 5), because="the inner sizes are 3 and 4")


def answering(answer, line=21):
    """The seam for a file in which only matmul_flops is anything but the solution, defined in this line."""
    path = KATA.source(ROOT / "katas")
    module = SimpleNamespace(**vars(solution(KATA.slug)))
    module.matmul_flops = answer
    return Local(Answers(path, module, lines={"matmul_flops": line}), KATA.forbidden)


def told(test, seam):
    """What is printed when this one property is run on this seam."""
    failure = None
    try:
        test(seam)
    except Exception as error:
        failure = error
    found = verdict(failure, seam)
    total = {"matmul_flops": 1}
    finding = finding_of(KATA, seam, found, tree="katas", test=test, place=0, device="", total=total)
    return render([finding], width=80, colour=False, blocks=True)


def raises(a_shape, b_shape):
    """An answer that fails before it returns."""
    return a_shape[0] // 0


def unimportable(tmp_path):
    """The seam for a file with a syntax error."""
    folder = tmp_path / KATA.slug
    folder.mkdir()
    (folder / KATA.filename).write_text("def matmul_flops(a_shape, b_shape):\n    return (1\n", encoding="utf-8")
    with contextlib.chdir(tmp_path):
        return Local(load(KATA, tmp_path, "golden.unimportable"), KATA.forbidden)


CASES = {
    "wrong": (counts, lambda tmp: answering(lambda a, b: 24)),
    "wrong_type": (counts, lambda tmp: answering(lambda a, b: 48.0)),
    "nested_type": (counts, lambda tmp: answering(lambda a, b: (48, None))),
    "foreign_type": (counts, lambda tmp: answering(lambda a, b: range(48))),
    "raised": (counts, lambda tmp: answering(raises)),
    "not_refused": (refuses, lambda tmp: answering(lambda a, b: 80)),
    "raised_another": (refuses, lambda tmp: answering(raises)),
    "to_do": (counts, lambda tmp: Local(load(KATA, ROOT / "katas", "golden.stub"), KATA.forbidden)),
    "missing": (counts, lambda tmp: Local(Answers(KATA.source(ROOT / "katas"), SimpleNamespace()), ())),
    "cannot_import": (counts, unimportable),
    "diagnosed": (counts_many, lambda tmp: answering(lambda a, b: solution(KATA.slug).matmul_flops(a, b) // 2)),
    "not_diagnosed": (counts_many, lambda tmp: answering(lambda a, b: solution(KATA.slug).matmul_flops(a, b) + 7)),
    "too_few_to_diagnose": (counts, lambda tmp: answering(lambda a, b: solution(KATA.slug).matmul_flops(a, b) // 2)),
    "done": (counts, lambda tmp: answering(solution(KATA.slug).matmul_flops)),
}


@pytest.mark.parametrize("name", CASES)
def test_the_report_is_this_to_the_letter(name, tmp_path, monkeypatch):
    """Rewrite the files with `python -m tests.suite.golden`, and read the difference before it is committed."""
    monkeypatch.chdir(ROOT)
    test, seam = CASES[name]
    text = told(test, seam(tmp_path))
    assert text + "\n" == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


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
            assert variant.belief in told(counts_many, with_variant(KATA, variant))
            return
    raise AssertionError("the misconception of DESIGN.md is gone")
