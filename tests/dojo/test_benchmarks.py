"""What the benchmarks compare with is what it claims to be."""

from dojo.catalog import ROOT, katas
from dojo.judging.kata_folder import imported
from dojo.seam.learner_file import load
from dojo.seam.seam import Functions, Local


def test_the_worked_examples_hold_for_the_solution(slug):
    """They would else reject every wrong answer, and a right one with them."""
    kata = katas()[slug]
    examples = imported(kata, "examples")
    answers = load(kata, ROOT / "solutions", f"examples_{kata.number}")
    examples.check(Functions(Local(answers, kata.forbidden)))
