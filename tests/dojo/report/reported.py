"""Failures of every kind, each on one case that was chosen, and what is printed of them at 80 columns.

Every number that is printed is exact in binary: no processor rounds it, so all of them print the same digits.
"""

import contextlib
import inspect
from types import SimpleNamespace
from typing import Any

import torch

from dojo.catalog import ROOT, find
from dojo.judging.diagnose import solution, variants
from dojo.judging.expect import expect, expect_error, grades
from dojo.judging.findings import Finding
from dojo.judging.property import Property
from dojo.judging.verdict import verdict
from dojo.report.blocks import render
from dojo.seam.learner_file import Answers, load
from dojo.seam.local import Local
from dojo.seam.seam import Functions, Untouched
from tests.shared.flops import flops, tensors

KATA = find("03")
SHAPES = (((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((3,), (3,)), ((2, 3), (3,)))


@grades("matmul_flops")
def counts(kata, shapes=SHAPES[:1]):
    """Every multiply and every add of every product in the broadcast batch counts one."""
    for a, b in shapes:
        expect(kata.matmul_flops(a, b), flops(torch.matmul, *tensors("cpu", a, b)), "torch counts")


@grades("matmul_flops")
def counts_many(kata):
    """Every multiply and every add of every product in the broadcast batch counts one."""
    for a, b in reversed(SHAPES):
        kata.matmul_flops(a, b)
    counts(kata)


@grades("matmul_flops")
def refuses(kata):
    """Shapes that torch.matmul refuses raise a ValueError."""
    expect_error(ValueError, kata.matmul_flops, (2, 3), (4, 5), because="the inner sizes are 3 and 4")


def answering(answer, line=21):
    """The seam for a file in which only matmul_flops is anything but the solution, defined in this line."""
    path = KATA.source(ROOT / "katas")
    module: Any = SimpleNamespace(**vars(solution(KATA.slug)))
    module.matmul_flops = answer
    return Local(Answers(path, module, lines={"matmul_flops": line}), KATA.forbidden)


def believing(kata, name):
    """The seam for the solution with the misconception of this name, as a learner's own file."""
    (variant,) = (variant for variant in variants(kata.slug, "misconceptions") if variant.name == name)
    return handing_in(kata, **{variant.about: variant.answer})


def handing_in(kata, **answers):
    """The seam for the solution with other answers to some functions, as a learner's own file."""
    module: Any = SimpleNamespace(**vars(solution(kata.slug)) | answers)
    return Local(Answers(kata.source(ROOT / "katas"), module, lines=dict.fromkeys(kata.functions, 21)), kata.forbidden)


def of(property_, **case):
    """A property of a kata, on this one case."""
    test = property_.hypothesis.inner_test
    device = {"device": "cpu"} if "device" in inspect.signature(test).parameters else {}

    def on_one_case(kata):
        test(kata, **device, **case)

    on_one_case.__doc__ = property_.__doc__
    return grades(*property_.grades)(on_one_case)


def told(test, seam):
    """What is printed when this one property is run on this seam."""
    return render([finding(test, seam)], width=80, colour=False, blocks=True)


def finding(test, seam):
    """What becomes of this one property on this seam."""
    kata = find(seam.answers.path.parent.name)
    failure = None
    try:
        test(Functions(seam))
    except (Exception, Untouched) as error:
        failure = error
    found = verdict(failure, seam)
    if found is None:
        assert failure is not None
        raise failure
    total = dict.fromkeys(test.grades, 1)
    return Finding.of(Property(kata, test, 0, "", total), seam, found, tree="katas")


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


EMPTY: Any = SimpleNamespace()
"""A module in which nothing is defined."""

CASES = {
    "wrong": (counts, lambda tmp: answering(lambda a, b: 24)),
    "wrong_type": (counts, lambda tmp: answering(lambda a, b: 48.0)),
    "nested_type": (counts, lambda tmp: answering(lambda a, b: (48, None))),
    "foreign_type": (counts, lambda tmp: answering(lambda a, b: range(48))),
    "raised": (counts, lambda tmp: answering(raises)),
    "not_refused": (refuses, lambda tmp: answering(lambda a, b: 80)),
    "raised_another": (refuses, lambda tmp: answering(raises)),
    "to_do": (counts, lambda tmp: Local(load(KATA, ROOT / "katas", "golden.stub"), KATA.forbidden)),
    "missing": (counts, lambda tmp: Local(Answers(KATA.source(ROOT / "katas"), EMPTY), ())),
    "cannot_import": (counts, unimportable),
    "diagnosed": (counts_many, lambda tmp: answering(lambda a, b: solution(KATA.slug).matmul_flops(a, b) // 2)),
    "not_diagnosed": (counts_many, lambda tmp: answering(lambda a, b: solution(KATA.slug).matmul_flops(a, b) + 7)),
    "too_few_to_diagnose": (counts, lambda tmp: answering(lambda a, b: solution(KATA.slug).matmul_flops(a, b) // 2)),
    "done": (counts, lambda tmp: answering(solution(KATA.slug).matmul_flops)),
}
