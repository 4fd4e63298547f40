"""What hypothesis draws for kata 11 of averages: values, and how fast they are forgotten."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import pick

BETAS = (0.5, 0.75, 0.9, 0.999, 0.0, 1 - 2**-20, 0.999 + 2**-30, 1e-300)


@classes(
    {
        "no values": lambda case: not case[0],
        "one value": lambda case: len(case[0]) == 1,
        "three values or more": lambda case: len(case[0]) > 2,
        "fifteen values or more": lambda case: len(case[0]) >= 15,
        "values of any size": lambda case: 1e6 in case[0],
        "a beta of 0": lambda case: case[1] == 0,
        "a beta just below 1": lambda case: case[1] > 0.9999,
        "a beta just above 0": lambda case: 0 < case[1] < 1e-9,
        "a beta that differs from another one by little": lambda case: 0 < abs(case[1] - 0.999) < 1e-6,
        "corrected by default": lambda case: len(case) == 2,
        "corrected": lambda case: case[2:] == (True,),
        "not corrected": lambda case: case[2:] == (False,),
    }
)
@st.composite
def averages(draw: DrawFn) -> tuple[Any, ...]:
    """(values, beta) or (values, beta, corrected)."""
    count, times = pick(draw, ((3, 1), (2, 1), (4, 1), (6, 1), (1, 1), (0, 1), (2, 8), (3, 5)))
    return _values(draw, count) * times, pick(draw, BETAS), *pick(draw, ((), (True,), (False,)))


@classes(
    {
        "1": lambda case: case[1] == 1,
        "below 0": lambda case: case[1] < 0,
        "above 1": lambda case: case[1] > 1,
        "of no values": lambda case: not case[0],
    }
)
@st.composite
def refused_betas(draw: DrawFn) -> tuple[Any, ...]:
    """(values, beta) or (values, beta, corrected), with a beta that is refused."""
    values = _values(draw, pick(draw, (2, 1, 3, 0)))
    return values, pick(draw, (1.0, -0.125, 1.5, -1e-10, 1 + 2**-20)), *pick(draw, ((), (True,), (False,)))


def _values(draw: DrawFn, count: int) -> list[float]:
    # Whole numbers up to 20, and the ones that an average cannot hide.
    return [pick(draw, (draw(st.integers(2, 20)) + place / 2.0, 5.0, -5.0, 0.0, 1e6)) for place in range(count)]
