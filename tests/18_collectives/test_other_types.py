"""Answers that are no tensors are told as wrong, and break no property."""

import pytest

from dojo.catalog import find
from dojo.judging.diagnose import Variant, solution, with_variant
from dojo.judging.gates import ask, properties
from dojo.judging.outcomes import Outcome

KATA = find("18")
RIGHT = solution(KATA.slug)


def _lists(comm, x):
    return RIGHT.all_reduce(comm, x).tolist()


def _nothing(comm, x):
    RIGHT.all_reduce(comm, x)


@pytest.mark.parametrize("answer", [_lists, _nothing])
def test_an_all_reduce_that_returns_no_tensor_is_wrong(answer):
    """Every property says what it thinks of it, and one that it is wrong."""
    seam = with_variant(KATA, Variant("all_reduce", answer))
    outcomes = [ask(test, seam, seed=0, examples=10).outcome for test in properties(KATA, "all_reduce")]
    assert Outcome.WRONG in outcomes
