"""How answers are compared with those of beliefs, and how many programs are replayed for it."""

from types import SimpleNamespace
from typing import Any

import pytest

from dojo.catalog import find
from dojo.judging.diagnose import Variant, with_variant
from dojo.judging.gates import misconceptions, original
from dojo.judging.naming import ENOUGH
from dojo.judging.replay import Replayed
from dojo.seam.scenario import runs
from dojo.seam.seam import Call


@runs(lambda limits: ("f", ["f()"]), limits=lambda limits: limits)
def weighed(module, limits):
    """What f() returns, and how many bytes it takes."""


@pytest.mark.parametrize(
    ("learners", "believed", "alike"),
    [
        ({"y": 1.0, "bytes": 90}, {"y": 1.0, "bytes": 160}, True),
        ({"y": 1.0, "bytes": 10}, {"y": 1.0, "bytes": 80}, True),
        ({"y": 1.0, "bytes": 90}, {"y": 1.0, "bytes": 80}, False),
        ({"y": 1.0, "bytes": 90}, {"y": 2.0, "bytes": 160}, False),
        ({"y": 90, "bytes": 1}, {"y": 160, "bytes": 1}, False),
    ],
)
def test_another_amount_that_is_too_much_hides_no_belief(learners, believed, alike):
    """What a program measures is too much or it is not, above 80 bytes; all else has to be that of the belief."""

    def call(outcome):
        return Call("f", "f()", (), outcome, weighed, ({"bytes": 80},), {})

    replayed: Any = SimpleNamespace(_at=lambda beliefs, place: call(believed), _rel=0.0)
    assert Replayed._is_as_much(replayed, call(learners), (), 0) is alike


@pytest.mark.parametrize(
    ("learners", "believed", "alike"),
    [({"bytes": 10}, {"bytes": 80}, True), ({"bytes": 90}, {"bytes": 160}, False), ({"y": 1}, {"y": 2}, False)],
)
def test_amounts_within_their_limit_are_alike(learners, believed, alike):
    """All of them are right."""

    def call(outcome):
        return Call("f", "f()", (), outcome, weighed, ({"bytes": 80},), {})

    replayed: Any = SimpleNamespace(_at=lambda beliefs, place: call(believed), _rel=0.0)
    assert Replayed._is_as(replayed, call(learners), (), 0) is alike


@pytest.mark.parametrize(("wrong", "replayed"), [(2, [0, 1]), (4, [0, 1, 2, 3]), (10, [0, 3, 6, 9])])
def test_so_many_programs_are_replayed_if_there_are(wrong, replayed):
    """Evenly among those that are wrong, and not one fewer than asked for."""
    calls = [SimpleNamespace(written="model = Model()\nmodel(2)")] * (wrong + 5)
    some: Any = SimpleNamespace(_calls=calls, _most=3, _is_wrong=lambda place: place < wrong)
    assert Replayed._some(some, True) == replayed


def test_what_is_typed_as_one_call_is_always_replayed():
    """It is cheap, though it may be a scenario."""
    calls = [SimpleNamespace(written="f(a)")] * 9
    some: Any = SimpleNamespace(_calls=calls, _most=3, _is_wrong=lambda place: place < 7)
    assert Replayed._some(some, True) == [*range(7)]


def test_what_is_mostly_0_in_programs_says_nothing_of_one():
    """Whatever numbers were drawn into its name."""
    right: list[dict[str, float]] = [
        {"left": 0, "max(bytes - 80, 0)": 0, "loss": 0},
        {"left": 0, "max(bytes - 96, 0)": 0, "loss": 2.5},
        {"left": 0, "max(bytes - 7, 0)": 3, "loss": 0.5},
    ]
    programs: Any = SimpleNamespace(_chosen=range(3), _right=None)
    programs._at = lambda beliefs, place: SimpleNamespace(outcome=right[place])
    zeros: Any = vars(Replayed)["_zeros"]
    assert zeros.func(programs) == {"left", "max(bytes - , )"}


@pytest.mark.parametrize(("last", "believed", "most"), [(1, 5, ENOUGH), (3, 5, 1), (3, 7, 6)])
def test_a_belief_that_nothing_can_tell_is_asked_no_further(last, believed, most):
    """A call outside of the kind that has to be left out rules it out, or tells; if each call has a 1, none can."""
    kata, asked = find("03"), []

    def noted(a, b):
        asked.append((a, b))
        return believed if a[0] == 3 else 5

    noted.__module__ = original(kata, "matmul_flops").answer.__module__
    seam = with_variant(kata, Variant("matmul_flops", lambda a, b: 7))
    for k, m in enumerate((1, 1, 1, 1, 1, last), 2):
        seam.call("matmul_flops", (m, k), (k, 2))
    belief = Variant("matmul_flops", noted, misconceptions(kata)[0].belief)
    Replayed(kata, list(seam.calls), original(kata, "matmul_flops"), [belief]).fit(belief)
    assert len(asked) == most


@pytest.mark.parametrize("is_program", [False, True])
def test_for_two_beliefs_a_kind_of_calls_is_left_out_unless_they_are_programs(is_program, monkeypatch):
    """Of programs each takes time, and there are many pairs of beliefs."""
    monkeypatch.setattr("dojo.judging.replay.is_program", lambda call: is_program)
    kata = find("03")
    half, one = (
        next(belief for belief in misconceptions(kata) if belief.name == f"matmul_flops-{name}")
        for name in ("counts_multiply_adds", "counts_one_product")
    )

    def slips(a, b):
        return a[-2] * a[-1] * b[-1] + (1 in a)

    slips.__module__ = half.answer.__module__
    seam = with_variant(kata, Variant("matmul_flops", slips))
    for size in (2, 3, 4, 5):
        seam.call("matmul_flops", (7, size, 6), (7, 6, 5))
        seam.call("matmul_flops", (7, 1, size), (7, size, 3))
    fit = Replayed(kata, list(seam.calls), original(kata, "matmul_flops"), [half, one]).fit(half, one)
    assert (fit is None) is is_program
    assert is_program or (fit and fit["telling"]["1"] == 4)
