"""Peaks, durations and other rates that hypothesis draws, valid and invalid."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dojo.judging.classes import classes

from .shapes import integers


@functools.cache
@classes(
    {
        "an int": lambda rate: type(rate) is int,
        "a float": lambda rate: type(rate) is float,
        "below 1": lambda rate: rate < 1,
        "above 10**9": lambda rate: rate > 10**9,
    }
)
def positives(simplest: int = 2) -> SearchStrategy[float]:
    """Return peaks and durations: numbers above 0."""
    return st.one_of(integers(simplest, 10**6), st.floats(1e-6, 1e18), st.floats(1e-6, 1))


@functools.cache
@classes(
    {
        "0": lambda rate: rate == 0,
        "an int below 0": lambda rate: type(rate) is int and rate < 0,
        "a float below 0": lambda rate: type(rate) is float and rate < 0,
        "above -1": lambda rate: -1 < rate < 0,
    }
)
def not_positives() -> SearchStrategy[float]:
    """Return numbers of 0 or less, which are invalid as a peak or a duration."""
    return st.one_of(st.just(0), st.just(0.0), st.integers(-(10**6), -1), st.floats(-1e18, -1e-6), st.floats(-1, -1e-6))
