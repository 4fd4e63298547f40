"""Each wrong answer is told the belief behind it and no other one; one that nobody foresaw is told none."""

import pytest

from dojo.judging import gates
from tests.dojo.judging.variants import parameters


@pytest.mark.parametrize(("kata", "variant"), parameters(gates.misconceptions))
def test_the_report_names_the_belief_behind_a_misconception(kata, variant, long):
    """Handed in as a learner's answer, it is told its own belief, with its advice. In the long form, in 5 seeds."""
    for seed in range(5 if long else 1):
        told = gates.told(kata, variant, seed=seed, all_of_them=long)
        assert told.get("looks like") == variant.belief
        assert told.get("but") == variant.advice


@pytest.mark.parametrize(("kata", "variant"), parameters(gates.unmatched))
def test_a_wrong_answer_that_matches_none_is_given_no_diagnosis(kata, variant, long):
    """It is rejected, and nothing is guessed."""
    told = gates.told(kata, variant, seed=0, all_of_them=long)
    assert told
    assert "looks like" not in told
