"""The rooms of a new kata. Its files can be read and run; what is still to be written says so behind the mark."""

from __future__ import annotations

STUB = '''\
"""Kata $number: $title. The lesson is in README.md beside this file."""


def $name(n: int) -> int:
    """WRITE: the arguments and the result, with worked examples of shapes, and the errors that bad input raises."""
    raise NotImplementedError("$name")
'''

ROOMS = {
    "katas/$slug/README.md": """\
# $number · $title

WRITE: the question that this kata answers.

## The idea

WRITE: the one idea, with a worked example whose arithmetic can be checked by hand.

## Predict, then measure

WRITE: a number to predict, and a few lines of torch that measure it. One screen for all of the lesson.

## Write

1. `$name`: WRITE: what it returns, and then the other functions, in the order to write them.

Run `pytest katas/$slug`. When stuck, `dojo hint $number`. WRITE: what the next kata does with it.
""",
    "katas/$slug/kata.toml": """\
title = "$title"
forbidden = []

[functions.$name]
title = "WRITE: what it returns, in a few words"
points = 1
hints = [
    "WRITE: a nudge, best a question",
    "WRITE: the idea",
    "WRITE: nearly the answer",
]
""",
    "katas/$slug/$name.py": STUB,
    "dojo/stubs/$slug/$name.py": STUB,
    "solutions/$slug/$name.py": '''\
"""Kata $number, solved: $title."""


def $name(n: int) -> int:
    """WRITE: why this is right, in a line."""
    raise NotImplementedError("$name")  # WRITE: the answer, short
''',
    "tests/test_$slug.py": '''\
"""The properties of kata $number."""

from hypothesis import strategies as st

from dojo.examples import given
from dojo.expect import expect, grades


@grades("$name")
@given(n=st.integers(0, 8))
def test_${name}_is_what_torch_says(kata, n):
    """WRITE: the rule, as a learner reads it below a wrong answer."""
    expect(kata.$name(n), n, "torch says")  # WRITE: what torch measures on the same case (tests/truth.py)
''',
    "tests/misconceptions/$slug.py": '''\
"""Wrong answers that people give to kata $number, each with the belief behind it."""

from dojo.diagnose import believes, solution

solved = solution("$slug")


@believes("WRITE: the belief behind a wrong answer, without a full stop", about="$name")
def answers_one_more(n):
    """WRITE: the advice, in one or two sentences."""
    return solved.$name(n) + 1
''',
    "tests/wheats/$slug.py": '''\
"""Right answers to kata $number in styles that the solution does not use."""

from dojo.diagnose import answers


@answers("$name")
def in_another_style(n):
    raise NotImplementedError  # WRITE: a right answer that looks as little like the solution as it can
''',
    "tests/suite/unmatched/$slug.py": '''\
"""Wrong answers to kata $number that no belief in tests/misconceptions explains."""

from dojo.diagnose import answers, solution

solved = solution("$slug")


@answers("$name")
def returns_twice_as_much(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.$name(n)
''',
    "benchmarks/examples/$name.py": '''\
"""Kata $number by the worked examples of its stub and its lesson."""

from typing import Any


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.$name(0) == 0  # WRITE: each worked example
''',
}
"""The text of each file, by its place."""
