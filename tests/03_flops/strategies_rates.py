"""What hypothesis draws for kata 03: counts, durations, peaks, and the sizes behind an intensity."""

from __future__ import annotations

import functools
import operator

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.rates import positives
from ..shared.shapes import Shape, enlarged, factors, grown, integers, pick
from .strategies_products import BEYOND


@functools.cache
@classes(
    BEYOND
    | {
        "a single column": lambda case: enlarged(*case)[2] == 1,
        "sizes that differ": lambda case: len({*enlarged(*case)}) == 3,
        "one size": lambda case: len({*enlarged(*case)}) == 1,
    }
)
@st.composite
def intensity_cases(draw: DrawFn) -> tuple[Shape, Shape]:
    """m, k and n, and how many times larger each is made."""
    small = draw(st.tuples(*(integers(size, 8) for size in (2, 3, 6))))
    ones, three = (1, 1, 1), draw(st.tuples(*[factors()] * 3))
    if pick(draw, (False,) * 11 + (True,)):  # where no matrix can be told from another by its shape
        return small[:1] * 3, pick(draw, (ones, three[:1] * 3))
    return small, pick(draw, (ones, ones, grown(draw, 3), three))


@functools.cache
@classes({f"{size} bytes": functools.partial(operator.eq, size) for size in (1, 2, 4, 8, 16)})
def bytes_per_element() -> SearchStrategy[int]:
    """Sizes that some dtype has."""
    return st.sampled_from((4, 2, 8, 16, 1))


@functools.cache
@classes(
    {
        "0": lambda quantity: quantity == 0,
        "an int": lambda quantity: type(quantity) is int and quantity > 0,
        "an int beyond 2**64": lambda quantity: type(quantity) is int and quantity > 2**64,
        "a float": lambda quantity: type(quantity) is float,
        "below 1": lambda quantity: 0 < quantity < 1,
    }
)
def quantities(simplest: int = 12) -> SearchStrategy[float]:
    """Counts and rates as they occur: 0, integers, and floats up to the FLOPs of a large training run."""
    return st.one_of(
        integers(simplest, 10**6),
        st.integers(2**64, 10**25),
        st.floats(1e-3, 1e25),
        st.floats(1e-3, 1),
        st.sampled_from((0, 0)),  # drawn like the others: without a draw it would be the simplest
        st.sampled_from((0, 0)),
    )


@functools.cache
@classes(
    {
        "computing takes longer": lambda case: case[0] * case[3] > case[1] * case[2],
        "moving takes longer": lambda case: case[0] * case[3] < case[1] * case[2],
        "both take as long, within a factor of 10": lambda case: (
            0 < case[0] * case[3] / 10 < case[1] * case[2] < case[0] * case[3] * 10
        ),
        "nothing to compute": lambda case: case[0] == 0 < case[1],
        "nothing to move": lambda case: case[1] == 0 < case[0],
        "nothing to do": lambda case: case[0] == case[1] == 0,
        "less than a second": lambda case: max(case[0] / case[2], case[1] / case[3]) < 1,
        "more than a second": lambda case: max(case[0] / case[2], case[1] / case[3]) > 1,
        "a time that is no whole number": lambda case: max(case[0] / case[2], case[1] / case[3]) % 1 != 0,
        "ints alone": lambda case: {*map(type, case)} == {int},
    }
)
@st.composite
def roofs(draw: DrawFn) -> tuple[float, float, float, float]:
    """Arguments of roofline_seconds: work and peaks of any size; in one of four cases both times are close."""
    flops, nbytes, peak_flops, peak_bandwidth = draw(
        st.tuples(quantities(12), quantities(10), positives(3), positives(2))
    )
    if pick(draw, (False, False, False, True)):
        flops, nbytes = draw(st.tuples(integers(600, 1000), integers(800, 1000)))
        peak_flops, peak_bandwidth = draw(st.tuples(integers(300, 800, 200), integers(200, 800, 200)))
    return flops, nbytes, peak_flops, peak_bandwidth


@functools.cache
@classes(
    {
        "a share above 1": lambda case: case[0] > case[1] * case[2],
        "a share below 1": lambda case: 0 < case[0] < case[1] * case[2],
        "a share between a tenth and 1": lambda case: case[1] * case[2] / 10 < case[0] < case[1] * case[2],
        "nothing done": lambda case: case[0] == 0,
        "less than a second": lambda case: case[1] < 1,
        "less than a nanosecond": lambda case: case[1] < 1e-9,
        "ints alone": lambda case: {*map(type, case)} == {int},
    }
)
@st.composite
def shares_of_a_peak(draw: DrawFn) -> tuple[float, float, float]:
    """Arguments of mfu: work, time and peak of any size; in one of four cases the share is not extreme."""
    seconds = draw(pick(draw, (*[positives(4)] * 9, st.floats(1e-12, 9e-10))))
    flops, peak_flops = draw(quantities(6)), draw(positives(3))
    if pick(draw, (False, False, False, True)):
        flops, seconds, peak_flops = draw(st.tuples(integers(100, 1000), integers(10, 40, 10), integers(20, 40, 10)))
    return flops, seconds, peak_flops


@functools.cache
@classes({"4096": functools.partial(operator.eq, 4096), "8192": functools.partial(operator.eq, 8192)})
def sides() -> SearchStrategy[int]:
    """Sizes of square matrices that keep a GPU busy."""
    return st.sampled_from((4096, 8192))
