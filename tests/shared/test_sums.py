"""What a report says of a sum."""

from .sums import terms


def test_what_is_missing_is_named_where_one_term_is_as_large():
    """As arithmetic, not as a guess; too many terms of that size say nothing."""
    told = terms({"a": 3, "b": 5}, 3)
    assert told is not None
    assert told.note == 'Yours is 5 less: as much as "b".'
    assert terms({"a": 3, "b": 5}, 11).note == 'Yours is 3 more: as much as "a".'
    assert terms({"a": 3, "b": 5}, 4).note == ""
    assert terms(dict.fromkeys("abcd", 1), 3).note == ""
    assert terms({}, 3) is None
