"""What a report says of a sum."""

from .sums import terms


def note(counted, answer):
    """What is said below it."""
    told = terms(counted, answer)
    assert told is not None
    return told.note


def test_what_is_missing_is_named_where_one_term_is_as_large():
    """As arithmetic, not as a guess; of two terms of that size it may be either."""
    assert note({"a": 3, "b": 5}, 3) == 'Yours is 5 less: as much as "b".'
    assert note({"a": 3, "b": 5}, 11) == 'Yours is 3 more: as much as "a".'
    assert note({"a": 3, "b": 5}, 4) == ""
    assert note({"a": 2, "b": 2, "c": 3}, 5) == ""
    assert terms({}, 3) is None
