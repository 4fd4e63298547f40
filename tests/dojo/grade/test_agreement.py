"""The two seams agree: what the jail gives for an answer is what the same properties say of it in this process."""

from __future__ import annotations

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
    """In the plain form the first misconception of each kata stands for all, and its solution for the wheats."""
    long = metafunc.config.getoption("--long")
    for name, kind, plain in (("misconception", gates.misconceptions, 1), ("wheat", gates.wheats, 0)):
        if name in metafunc.fixturenames:
            every = [
                pytest.param((kata, variant), id=f"{kata.slug}-{variant.name}")
                for kata in katas().values()
                for variant in list(kind(kata))[: None if long else plain]
            ]
            metafunc.parametrize(name, every)


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


def jailed(kata, variant, level):
    """The same as the grader gives it."""
    handed = handed_in(kata, variant_source(kata, variant))
    (given,) = grade(handed, katas=[kata], seed=SEED, level=level, limits=LIMITS).katas
    return {function.name: function.status for function in given.functions}


def test_a_misconception_scores_as_in_a_local_run(misconception, isolation, examples, functions):
    """Its function is wrong, and in the long form each other one is what it is there."""
    kata, variant = misconception
    examples(5)
    functions(kata, [variant.about])
    told = jailed(kata, variant, isolation)
    assert told[variant.about] == "wrong"
    assert told == locally(kata, variant)


def test_a_wheat_gets_full_marks(wheat, isolation):
    """In whatever style a right answer is written; test_grading.py asks it of the solutions."""
    kata, variant = wheat
    assert set(jailed(kata, variant, isolation).values()) == {"done"}


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
