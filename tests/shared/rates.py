"""Peaks, durations and other rates that hypothesis draws, right and wrong ones."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy


@functools.cache
def positives() -> SearchStrategy[float]:
    """Peaks and durations: above 0."""
    return st.one_of(st.integers(1, 10**6), st.floats(1e-6, 1e18))


@functools.cache
def not_positives() -> SearchStrategy[float]:
    """What is no peak and no duration."""
    return st.one_of(st.just(0), st.just(0.0), st.integers(-(10**6), -1), st.floats(-1e18, -1e-6))
