"""The classes of what strategies draw: counted, and noticed where they are rare."""

from hypothesis import strategies as st

from dojo.catalog import katas
from dojo.judging.classes import Class, classes, rare, shares, unnamed
from dojo.judging.examples import given
from dojo.judging.kata_folder import imported
from dojo.judging.property import marked


@classes(
    {"even": lambda number: number % 2 == 0, "9": lambda number: number == 9, "negative": lambda number: number < 0}
)
def digits() -> st.SearchStrategy[int]:
    """0 to 9."""
    return st.integers(0, 9)


@given(digit=digits())
def draws_one(kata, digit):
    """One digit an example."""


@given(some=st.tuples(digits(), digits()), one=digits(), other=st.booleans())
def draws_three(kata, some, one, other):
    """Three digits an example."""


@given(number=st.integers())
def draws_unnamed(kata, number):
    """Nothing that has a class."""


def share(test, name):
    """The share of a class of digits."""
    return shares([test])[Class("digits", name)]


def test_a_share_is_that_of_the_examples_in_which_a_class_is_met():
    """Once or several times; a class that is never met has a share as well."""
    assert 0.4 < share(draws_one, "even") < 0.6
    assert 0.8 < share(draws_three, "even") < 0.95
    assert share(draws_one, "negative") == 0.0


def test_of_several_properties_the_largest_share_counts():
    """A strategy may be drawn by one that asks of it once in a while."""
    assert shares([draws_one, draws_three, draws_unnamed]) == shares([draws_three])


def test_a_class_that_is_drawn_too_rarely_is_named():
    """With its strategy and its share."""
    assert rare(shares([draws_three])) == ["digits draws “negative” in 0.0% of the examples, and should in 5% or more"]


def test_a_property_without_classes_is_named():
    """All that it draws has no name."""
    assert unnamed([draws_one, draws_three, draws_unnamed]) == ["draws_unnamed"]


def test_no_class_of_a_kata_is_rare(slug):
    """`dojo check` shows the shares in five times as many examples."""
    assert rare(shares(marked(imported(katas()[slug])), number=200)) == []
