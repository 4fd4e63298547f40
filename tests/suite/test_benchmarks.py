"""What the benchmarks compare with is what it claims to be."""

import importlib

from dojo.answers import load
from dojo.catalog import ROOT, katas
from dojo.kata import Functions, Local


def test_the_worked_examples_hold_for_the_solution(slug):
    """They would else reject every wrong answer, and a right one with them."""
    kata = katas()[slug]
    examples = importlib.import_module(f"benchmarks.examples.{kata.filename.removesuffix('.py')}")
    answers = load(kata, ROOT / "solutions", f"examples_{kata.number}")
    examples.check(Functions(Local(answers, kata.forbidden)))
