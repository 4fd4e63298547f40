"""Views that a report draws."""

from . import pictures


def test_a_view_without_elements_is_not_walked():
    """Its other sizes may be far too large for that."""
    assert pictures.views(("yours", ((0, 2**60), (1, 1), 0))) is None
