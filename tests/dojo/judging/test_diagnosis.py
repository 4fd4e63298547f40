"""A wrong answer that nobody foresaw is told no belief; what is told of the others is asked with gate 1."""

import pytest

from dojo.catalog import katas
from dojo.judging import gates
from tests.dojo.judging.variants import parameters


@pytest.mark.parametrize(("kata", "variant"), parameters(gates.unmatched))
def test_a_wrong_answer_that_matches_none_is_given_no_diagnosis(kata, variant, long):
    """It is rejected, and nothing is guessed."""
    told = gates.told(kata, variant, seed=0, all_of_them=long)
    assert told
    assert "looks like" not in told


def test_there_are_three_unmatched_answers_for_each_kata(slug):
    """As many as say something of a kata."""
    assert len(gates.unmatched(katas()[slug])) >= 3


def test_advice_is_one_or_two_sentences(slug):
    """It says what is so; nobody reads a third sentence."""
    for variant in gates.misconceptions(katas()[slug]):
        sentences = variant.advice.replace("e.g.", "").count(". ") + 1
        assert sentences <= 2, variant.name
        assert variant.advice.endswith("."), variant.name
        assert not variant.belief.endswith("."), variant.name
