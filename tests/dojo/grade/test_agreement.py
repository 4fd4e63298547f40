"""The two seams agree: what the jail gives for an answer is what the same properties say of it in this process."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from dojo.catalog import find, katas
from dojo.grade import grading
from dojo.grade.grading import grade
from dojo.grade.jail.limits import Limits
from dojo.judging import gates
from dojo.judging.diagnose import with_variant
from dojo.judging.findings import status
from dojo.seam.learner_file import compile_source, run
from dojo.seam.local import Local
from tests.dojo.grade.handed_in import handed_in, solution, variant_source

SEED = "agreed"
LIMITS = Limits(seconds=300)


def pytest_generate_tests(metafunc):
    """Each file has one misconception, or wheat, for each function of its kata that has as many.

    In the plain form the first misconception of each kata stands for all, and its solution for the wheats.
    """
    long = metafunc.config.getoption("--long")
    for name, kind, plain in (("misconceptions", gates.misconceptions, 1), ("wheats", gates.wheats, 0)):
        if name in metafunc.fixturenames:
            every = [
                pytest.param((kata, file), id=f"{kata.slug}-{place}")
                for kata in katas().values()
                for place, file in enumerate(files(kind(kata)) if long else [kind(kata)[:1]][:plain])
            ]
            metafunc.parametrize(name, every)


def files(variants):
    """The variants in as few lists as can be, with one of each function at most."""
    by_function = defaultdict(list)
    for variant in variants:
        by_function[variant.about].append(variant)
    return [[one for one in some if one is not None] for some in zip_longest(*by_function.values())]


class Here(Local):
    """The local seam, with what the grader asks of the jailed one."""

    opened, asked = True, ""

    def begin(self, budget):
        """Judge another property."""
        self.calls.clear()

    def printed(self):
        """Nothing."""
        return ""

    def noting(self):
        """No calls: none is made in a batch."""
        return contextlib.nullcontext([])

    def ahead(self, requests):
        """No answers."""
        assert not requests
        return iter(())

    def answering(self, requests, frames):
        """Make each call."""
        return contextlib.nullcontext(lambda: False)


def locally(kata, variants):
    """What each function of the kata is said to be in this process: done, wrong, to do."""
    seam = with_variant(kata, variants[0])
    for variant in variants:
        setattr(seam.answers.module, variant.about, variant.answer)
    here: Any = Here(seam.answers, seam.forbidden)
    findings = grading._judge(kata, here, SEED, "cpu")
    return {name: status(name, findings)[0] for name in kata.functions}


def jailed(kata, variants, level):
    """The same as the grader gives it."""
    handed = handed_in(kata, variant_source(kata, *variants))
    (given,) = grade(handed, katas=[kata], seed=SEED, level=level, limits=LIMITS).katas
    return {function.name: function.status for function in given.functions}


def test_misconceptions_score_as_in_a_local_run(misconceptions, isolations, draws, shrinks, functions, long):
    """Their functions are wrong; what is said of the others that are judged with them is what is said there.

    In the long form by 25 examples; by 100 where those do not show everything that is wrong.
    """
    kata, variants = misconceptions
    functions([variant.about for variant in variants])
    here = {}
    for number in (25, 100) if long else (5,):
        draws(number)
        shrinks(5)
        here = locally(kata, variants)
        if all(here[variant.about] == "wrong" for variant in variants):
            break
    told = {level: jailed(kata, variants, level) for level in isolations}
    assert told == dict.fromkeys(isolations, here)
    assert {variant.about: here[variant.about] for variant in variants} == {v.about: "wrong" for v in variants}


def test_wheats_get_full_marks(wheats, isolations, draws):
    """In whatever style a right answer is written; test_grading.py asks it of the solutions.

    By 25 examples: gate 2 asks them 200 in 20 seeds, and what may differ here is where they run.
    """
    kata, variants = wheats
    draws(25)
    for level in isolations:
        assert jailed(kata, variants, level) == dict.fromkeys(kata.functions, "done"), level


HALF_DONE = """
def mfu(flops, seconds, peak_flops):
    if seconds <= 0 or peak_flops <= 0:
        raise ValueError("no time, or no peak")
    raise NotImplementedError("the rest")


def linear_flops(x_shape, out_features):
    if 1 in x_shape:
        raise NotImplementedError("rows of one")
    return 2 * prod(x_shape) * out_features


def matmul_flops(a_shape, b_shape):
    raise NotImplementedError("matmul_flops")


def mlp_flops(batch, dims):
    if len(dims) == 1:
        return 0
    return matmul_flops((batch, dims[0]), (dims[0], dims[1]))


def roofline_seconds(flops, num_bytes, peak_flops, bytes_per_second):
    if min(peak_flops, bytes_per_second) <= 0:
        raise ValueError("no peak")
    return later()


def later():
    raise NotImplementedError
"""


def test_what_is_half_done_is_told_as_in_a_local_run(isolation, examples):
    """To do is a function whose every call raises NotImplementedError, or that waits for another one of the kata."""
    examples(10)
    kata = find("03")
    source = f"{solution(kata)}\n\n{HALF_DONE}"
    (given,) = grade(handed_in(kata, source), katas=[kata], seed=SEED, level=isolation, limits=LIMITS).katas
    told = {function.name: function for function in given.functions}
    path = kata.source(Path("submission"))
    here: Any = Here(run(compile_source(path, source.encode()), kata, "half_done"), kata.forbidden)
    findings = grading._judge(kata, here, SEED, "cpu")
    words = {name: status(name, findings) for name in kata.functions}
    assert {name: (one.status, one.note) for name, one in told.items()} == words
    raised_by = {"linear_flops": ": rows of one", "roofline_seconds": "", "mfu": ": the rest"}
    assert {name: word for name, word in words.items() if word != ("done", "")} == {
        "matmul_flops": ("to do", ""),
        "mlp_flops": ("to do", "it calls matmul_flops, which is to do"),
        **dict.fromkeys(raised_by, ("wrong", "")),
    }
    for name, said in raised_by.items():
        (raised,) = (line for line in told[name].report if "it raised" in line)
        assert raised.endswith(f"NotImplementedError{said}")
