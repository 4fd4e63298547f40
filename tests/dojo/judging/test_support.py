"""Which calls are left to tell for a belief, where others are missed."""

from collections import Counter

import pytest

from dojo.judging.support import Support

EVEN = ["", "", "", "1"]


@pytest.mark.parametrize(
    ("telling", "missed", "counts"),
    [
        (EVEN, [], {"1": 3}),
        (EVEN, ["1"], {"1": 3}),
        (EVEN, ["1 0", "1"], {"1": 3}),
        (EVEN, ["0"], {"0": 4}),
        (["1", "1"], ["0"], {"0": 0}),
        (EVEN, ["refused"], {"refused": 4}),
        (EVEN, ["refused", "refused 1"], {"refused": 4}),
        (EVEN, ["refused", "1"], {"1": 3}),
        ([*EVEN, "refused"], ["refused 1", "1"], {"1": 4}),
        ([*EVEN, "refused"], ["refused", "1"], {"1": 3}),
    ],
)
def test_what_is_left_to_tell(telling, missed, counts):
    """A kind that all missed calls are of, alone or beside those to be refused, which tell nothing then."""
    support = Support()
    support.telling = {place: frozenset(words.split()) for place, words in enumerate(telling)}
    assert all(support.miss(frozenset(words.split()), unlike=True) for words in missed)
    assert support.counts(Counter()) == counts


def test_no_kind_is_left_out_where_two_are_missed():
    """Nothing is concluded from what is left then."""
    support = Support()
    assert support.miss(frozenset({"0"}), unlike=True)
    assert support.miss(frozenset({"refused"}), unlike=True)
    assert not support.miss(frozenset({"1"}), unlike=True)
