"""A wrong answer that nobody foresaw is told no belief; what is told of the others is asked with gate 1."""

import pytest

from dojo.judging import gates
from tests.dojo.judging.variants import parameters


@pytest.mark.parametrize(("kata", "variant"), parameters(gates.unmatched))
def test_a_wrong_answer_that_matches_none_is_given_no_diagnosis(kata, variant, long):
    """It is rejected, and nothing is guessed; the short form asks one of two."""
    if not long and gates.unmatched(kata).index(variant) % 2:
        pytest.skip("--long asks it")
    assert gates.diagnose(kata, variant, seed=0, all_of_them=long) == []
