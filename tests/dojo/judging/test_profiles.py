"""What the profiles change of hypothesis: each change has an effect that a test sees."""

import importlib
import itertools

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase

from dojo.judging.profiles import quick


def test_the_examples_of_a_run_are_independent():
    """Hypothesis would otherwise make most of them by changing a part of the one before."""
    drawn = []

    @quick(100)
    @given(st.tuples(*[st.integers(0, 9)] * 8))
    def property_(numbers):
        drawn.append(numbers)

    property_()
    alike = [sum(a == b for a, b in zip(one, other, strict=True)) for one, other in itertools.pairwise(drawn)]
    assert sum(n >= 6 for n in alike) < 10


def test_a_seed_gives_the_same_examples_whatever_is_imported(tmp_path, monkeypatch):
    """Hypothesis would otherwise draw what stands in the source of modules: here, of one number alone."""

    def drawn():
        numbers = []

        @seed(1)
        @settings(settings.get_profile("grade"), max_examples=2000)
        @given(st.integers(-(10**30), 10**30))
        def property_(number):
            numbers.append(number)

        property_()
        return numbers

    before = drawn()
    (tmp_path / "another.py").write_text("NUMBER = 123456789123456789\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("hypothesis.internal.conjecture.providers.is_local_module_file", lambda path: True)
    importlib.import_module("another")
    assert drawn() == before


def calls_of(fails, *, examples=100, database=None):
    """The numbers that a property was asked, which fails where `fails` says so, and the one that it failed with."""
    asked = []

    @settings(settings.get_profile("grade"), max_examples=examples, database=database)
    @given(n=st.integers(0, 10**6))
    def property_(n):
        asked.append(n)
        assert not fails(n)

    with pytest.raises(AssertionError):
        property_()
    return asked


def test_what_always_fails_is_asked_often_enough_for_a_diagnosis():
    """Thirty times, and then it shrinks to the smallest."""
    asked = calls_of(lambda n: True)
    assert len(set(asked)) >= 20
    assert asked[-1] == 0


def test_a_remembered_failure_is_asked_as_often():
    """A second run of the same wrong answer is diagnosed like the first."""
    database = InMemoryExampleDatabase()
    first = calls_of(lambda n: n > 50, database=database)
    second = calls_of(lambda n: n > 50, database=database)
    assert first[-1] == second[-1] == 51
    assert len(set(second)) >= 20


def test_a_remembered_failure_that_is_not_found_again_still_fails():
    """It is the only number that fails, and no other one that is drawn does."""
    database = InMemoryExampleDatabase()
    rare = calls_of(lambda n: n > 700_000, database=database)[-1]
    assert calls_of(lambda n: n == rare, database=database)[-1] == rare


@pytest.mark.parametrize("examples", [1, 2, 3])
def test_a_remembered_failure_is_told_where_few_examples_are_drawn(examples):
    """Where what is remembered is as many as the property draws, nothing more is drawn."""
    database = InMemoryExampleDatabase()
    calls_of(lambda n: True, database=database)
    assert calls_of(lambda n: True, examples=examples, database=database)[-1] == 0
