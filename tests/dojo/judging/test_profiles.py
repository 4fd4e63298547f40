"""How the profiles draw: each example by itself, and the same ones from the same seed wherever they are drawn."""

import importlib
import itertools
import json
import subprocess
import sys

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase

from dojo.catalog import ROOT
from dojo.judging import profiles
from dojo.judging.profiles import quick

NUMBERS = st.integers(-(10**30), 10**30)


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


def numbers(**changes):
    """The numbers that the profile grade draws from seed 1."""
    drawn = []

    @seed(1)
    @settings(settings.get_profile("grade"), **changes)
    @given(NUMBERS, st.floats(0, 10**9))
    def property_(number, real):
        drawn.append([number, real])

    property_()
    return drawn


def test_a_run_of_few_examples_is_the_beginning_of_one_of_many():
    """So what few reject, many do: the gates ask few first."""
    assert numbers(max_examples=5) == numbers(max_examples=100)[:5]


def test_a_seed_gives_the_same_examples_whatever_is_imported(tmp_path, monkeypatch):
    """Hypothesis would otherwise draw what stands in the source of modules, or what another test has kept of it."""
    before = numbers(max_examples=2000)
    (tmp_path / "another.py").write_text("NUMBER = 123456789123456789\nREAL = 12345.678\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("hypothesis.internal.conjecture.providers.is_local_module_file", lambda path: True)
    importlib.import_module("another")
    numbers(max_examples=2000, backend="hypothesis")
    assert numbers(max_examples=2000) == before


def test_a_seed_gives_the_same_examples_in_every_process():
    """Another process has imported other modules, and has another seed for the hashes of strings."""
    program = "from tests.dojo.judging.test_profiles import *; profiles.register(); print(json.dumps(numbers()))"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == numbers()


def failing_calls(database):
    """What was asked of a property that fails here and there, and was found and reported under the profile learn."""
    asked = []

    @settings(settings.get_profile("learn"), database=database)
    @given(n=st.integers(0, 10**9))
    def property_(n):
        asked.append(n)
        assert n < 1000 or n * 2654435761 % 2**32 > 2**30  # the smallest example that fails is seldom found

    with pytest.raises(AssertionError):
        property_()
    return asked


def test_a_second_run_of_the_same_mistake_reports_the_same_example():
    """The one that is remembered is asked before any other, wherever the shrinking of the first run has ended."""
    reported = set()
    for _ in range(20):
        database = InMemoryExampleDatabase()
        first, second = failing_calls(database), failing_calls(database)
        assert set(second) == {first[-1]}
        reported.add(first[-1])
    assert len(reported) > 1  # from first runs that do not all end at the same


def test_every_profile_draws_independently():
    """One that did not would be weaker without anybody noticing."""
    profiles.register()
    for name in ("learn", "grade", "deep", "quick"):
        assert settings.get_profile(name).backend == "independent"
