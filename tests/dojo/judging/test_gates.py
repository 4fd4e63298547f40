"""The gates for every kata, and the diagnosis of every misconception; `--long` runs up to 20 seeds."""

import pytest
import torch

from dojo.catalog import katas
from dojo.judging import gates
from dojo.judging.diagnose import Variant, variants, with_variant
from dojo.judging.kata_folder import imported
from dojo.judging.profiles import quick
from dojo.judging.property import marked
from dojo.judging.verdict import run
from dojo.seam.seam import Functions
from dojo.tools.completeness import gaps
from tests.dojo.judging.variants import is_dear, parameters

KEPT_IN_THE_PROGRAM = ("KeepsItsMastersInTheProgram", "KeepsItsStateInTheProgram")
"""Another process does not have what they keep. Where there is CUDA none is forked: a learner's file is executed again
instead, but not the file that these stand in."""


@pytest.mark.parametrize(("kata", "variant"), parameters(gates.misconceptions))
def test_gate_1_every_misconception_is_rejected_and_its_belief_named(kata, variant, long):
    """At 100 examples, in every seed, a property rejects it; its report names its own belief, with its advice.

    The run that the report comes from is also that of gate 1 in its seed. In the long form, 5 reports are read; in the
    short one, that of one misconception in eight.
    """
    if torch.cuda.is_available() and variant.answer.__name__ in KEPT_IN_THE_PROGRAM:
        pytest.skip("where there is CUDA, only a file is executed again")
    asked = long or gates.misconceptions(kata).index(variant) % 8 == 0
    for seed in range(5 if long else 1) if asked else ():
        assert gates.diagnose(kata, variant, seed=seed, all_of_them=long) == [[variant.belief, variant.advice]]
    assert gates.survived(kata, variant, seeds=range(20 if long else 1)) == []


@pytest.mark.parametrize(("kata", "variant"), parameters(gates.wheats))
def test_gate_2_every_wheat_passes(kata, variant, long):
    """A right answer in another style holds under every property, also of the functions that call it."""
    short = (5, 2) if is_dear(kata) else (10, 2)
    seeds, examples, of_others = (range(20), 200, 100) if long else (range(1), *short)
    assert gates.complaints(kata, variant, seeds=seeds, examples=examples, of_others=of_others) == []


def test_a_property_of_another_function_is_asked_where_it_needs_this_one(monkeypatch):
    """A load needs something saved; a plain call needs nothing of another function."""
    asked = list[tuple[str, int]]()

    def ask(test, seam, *, seed, examples, device):
        if not isinstance(seam.answers.module, gates.Noting):
            asked.append((test.__name__, examples))
        return run(test, seam, device=device, seed=seed, profile=quick(examples))

    monkeypatch.setattr(gates, "ask", ask)
    for slug, function in (("06_checkpoint", "save_checkpoint"), ("03_flops", "mfu")):
        kata = katas()[slug]
        asked.clear()
        assert gates.complaints(kata, gates.original(kata, function), seeds=[0], examples=2, of_others=1) == []
        others = {name for name, examples in asked if examples == 1}
        assert bool(others) == (slug == "06_checkpoint")


def test_nothing_is_asked_again_once_an_example_has_failed():
    """Nobody reads what failed: it need not be shown twice, nor made smaller."""
    asked = []
    kata = katas()["03_flops"]
    test, *_ = gates.properties(kata, "mfu")
    wrong = Variant("mfu", lambda *args: asked.append(args))
    verdict = gates.ask(test, with_variant(kata, wrong), seed=0, examples=100)
    assert (verdict.outcome, verdict.function, len(asked)) == ("wrong", "mfu", 1)


@pytest.mark.parametrize(("kata", "variant"), parameters(gates.wheats) if torch.cuda.is_available() else [])
def test_gate_2_every_wheat_passes_on_a_gpu(kata, variant, long):
    """What is asked of tensors is asked of them there; on a machine that has none, nothing is."""
    found = gates.complaints(kata, variant, seeds=range(1), examples=200 if long else 25, device="cuda")
    assert found == []


def test_gate_2_every_solution_passes_in_its_long_form(slug, long):
    """`pytest solutions` is the short form; this is the long one."""
    if not long:
        pytest.skip("--long asks it")
    kata = katas()[slug]
    for function in kata.functions:
        assert gates.complaints(kata, gates.original(kata, function), seeds=range(20), examples=200) == []


def test_gate_4_every_property_earns_its_place(slug, long):
    """Each rejects a misconception that another one lets through, or says why it stays."""
    if not long:
        pytest.skip("no verdict hangs on it: --long and `dojo check` ask it")
    assert gates.idle(katas()[slug], seed=0) == []


def test_every_kata_is_complete(slug):
    """The gaps are those that `dojo check` lists."""
    assert [str(gap) for gap in gaps(katas()[slug])] == []


def test_gate_3_untouched_stubs_are_to_do(slug):
    """Each property says so of the file in katas/; `pytest katas` as a process is asked in test_commands.py."""
    kata = katas()[slug]
    assert [gates.begun(kata, function) for function in kata.functions] == [[]] * len(kata.functions)


def test_every_worked_example_holds_for_the_solution(slug):
    """Or all wrong answers would fail it, and `python -m benchmarks.power` would count them."""
    kata = katas()[slug]
    some = gates.original(kata, next(iter(kata.functions)))
    imported(kata, "examples").check(Functions(with_variant(kata, some)))


def test_no_function_waits_for_another_one_to_be_right():
    """A property judges one function, but where what one has written can only be read by the other."""
    together = {test.grades for kata in katas().values() for test in marked(imported(kata)) if len(test.grades) > 1}
    assert together == {("save_checkpoint", "load_checkpoint")}


@pytest.mark.parametrize(("kind", "mark"), [("misconceptions", "@believes("), ("wheats", "@answers(")])
def test_no_two_variants_of_a_kata_have_one_name(slug, kind, mark):
    """Of two files that give one name to two answers, the second would hide the answer of the first."""
    kata = katas()[slug]
    texts = [path.read_text(encoding="utf-8") for path in kata.judge.glob(f"{kind}*.py")]
    written = sum(line.startswith(mark) for text in texts for line in text.splitlines())
    assert len(variants(slug, kind)) == written
