"""Gates 1, 2 and 4 for every kata; `--long` runs 20 seeds."""

import pytest

from dojo.catalog import katas
from tests.suite import gates


@pytest.mark.parametrize(("kata", "variant"), gates.parameters(gates.misconceptions))
def test_gate_1_every_misconception_is_rejected(kata, variant, long):
    """At 100 examples, in every seed, at least one property rejects it."""
    assert gates.survived(kata, variant, seeds=range(20 if long else 3)) == []


@pytest.mark.parametrize(("kata", "variant"), gates.parameters(gates.wheats))
def test_gate_2_every_wheat_passes(kata, variant, long):
    """A right answer in another style holds under every property."""
    seeds, examples = (range(20), 200) if long else (range(1), 100)
    assert gates.complaints(kata, variant, seeds=seeds, examples=examples) == []


def test_gate_2_every_solution_passes_in_its_long_form(slug, long):
    """`pytest solutions` is the short form; this is the long one."""
    kata = katas()[slug]
    for function in kata.functions:
        seeds, examples = (range(20), 200) if long else (range(1), 10)
        assert gates.complaints(kata, gates.original(kata, function), seeds=seeds, examples=examples) == []


def test_gate_4_every_property_earns_its_place(slug):
    """Each rejects a misconception that another one lets through, or says why it stays."""
    assert gates.idle(katas()[slug], seed=0) == []


def test_every_function_has_what_a_kata_needs(slug):
    """Three hints, points, at least three misconceptions, a property; and two wheats a kata."""
    kata = katas()[slug]
    for name, function in kata.functions.items():
        assert len(function.hints) == 3, name
        assert function.points > 0, name
        assert gates.properties(kata, name), name
        wrong = [variant for variant in gates.misconceptions(kata) if variant.about == name]
        assert len(wrong) >= 3, name
        assert all(variant.belief and variant.advice for variant in wrong), name
    assert len(gates.wheats(kata)) >= 2
    assert {variant.about for variant in gates.misconceptions(kata) + gates.wheats(kata)} <= set(kata.functions)
