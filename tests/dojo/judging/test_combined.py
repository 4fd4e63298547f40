"""Two wrong answers at once: the one asks the other where it would ask the solution."""

import pytest

from dojo.catalog import find
from dojo.judging.diagnose import Variant, combined, solution, variants

KATA = find("03")
solved = solution(KATA.slug)
HALF = next(one for one in variants(KATA.slug, "misconceptions") if one.name == "matmul_flops-counts_multiply_adds")
SHAPES = (2, 3), (3, 4)


def asks_inside(a, b):
    """Asks the solution in a function of its own."""
    return next(answer for answer in (solved.matmul_flops(shape, b) for shape in [a])) + 1


def asks_nothing(a, b):
    """Finds it by itself."""
    return 7


def asks_beside(a, b):
    """Has a function beside it ask the solution."""
    return asks_inside(a, b)


@pytest.mark.parametrize("answer", [asks_inside, asks_beside])
def test_two_answers_meet_where_the_outer_one_asks_the_solution(answer):
    """By itself or by a function beside it."""
    assert combined(KATA, Variant("matmul_flops", answer), HALF).answer(*SHAPES) == HALF.answer(*SHAPES) + 1


def test_both_together_are_the_outer_one_where_it_asks_no_solution():
    """It need not be asked again."""
    other = Variant("matmul_flops", asks_nothing)
    assert combined(KATA, other, HALF) is other


def test_a_class_that_stands_for_a_function_is_left_as_it_is():
    """A context manager may be written as a class or as a generator: the two have nothing to ask of each other."""

    class Block:
        """A context manager."""

    of_a_class = Variant("matmul_flops", Block)
    assert combined(KATA, of_a_class, HALF) is of_a_class
    assert combined(KATA, HALF, of_a_class) is not HALF
