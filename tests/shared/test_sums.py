"""Tests of what a report says about a sum."""

from .sums import terms


def note(counted, answer):
    """Return the note below the sum."""
    told = terms(counted, answer)
    assert told is not None
    return told.note


def test_what_is_missing_is_named_where_one_term_is_as_large():
    """The note states arithmetic and does not guess: if two terms have that size, it is empty."""
    assert note({"a": 3, "b": 5}, 3) == 'Yours is 5 less: as much as "b".'
    assert note({"a": 3, "b": 5}, 11) == 'Yours is 3 more: as much as "a".'
    assert note({"a": 3, "b": 5}, 4) == ""
    assert note({"a": 2, "b": 2, "c": 3}, 5) == ""
    assert terms({}, 3) is None
