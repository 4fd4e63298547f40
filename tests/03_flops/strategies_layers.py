"""What hypothesis draws for kata 03: linear layers, attention, and networks of linear layers."""

from __future__ import annotations

import functools
import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, enlarged, factors, grown, pick, shapes, sizes
from .strategies_products import BEYOND


@functools.cache
@classes(
    BEYOND
    | {
        "one row": lambda case: len(case[0]) == 2,
        "several dimensions of rows": lambda case: len(case[0]) > 3,
        "more dimensions of rows than three": lambda case: len(case[0]) > 5,
        "all sizes are huge": lambda case: min(case[1]) > 1,
        "no rows": lambda case: 0 in case[0][:-2],
        "no inputs": lambda case: case[0][-2] == 0,
        "no outputs": lambda case: case[0][-1] == 0,
        "rows beyond 2**32": lambda case: math.prod(enlarged(*case)[:-2]) > 2**32,
    }
)
def linear_cases() -> SearchStrategy[tuple[Shape, Shape]]:
    """The sizes of x followed by the number of outputs, and how many times larger each is made."""
    return _linear_cases()


@st.composite
def _linear_cases(draw: DrawFn) -> tuple[Shape, Shape]:
    few, many = shapes(fewest_dims=1, largest=4), shapes(7, 3, 5)
    x_shape = draw(pick(draw, (few, few, few, many)))
    case = (*x_shape, draw(st.one_of(sizes(simplest=5), st.integers(0, 1))))
    ones, some = (1,) * len(case), grown(draw, len(case))
    return case, pick(draw, (ones, ones, some, tuple(draw(factors()) for _ in case)))


@functools.cache
@classes(
    BEYOND
    | {
        "a size of 0": lambda case: 0 in case[0],
        "a size of 1": lambda case: 1 in enlarged(*case),
        "more queries than keys": lambda case: enlarged(*case)[2] > enlarged(*case)[3] > 0,
        "more keys than queries": lambda case: enlarged(*case)[3] > enlarged(*case)[2] > 0,
    }
)
@st.composite
def attention_cases(draw: DrawFn) -> tuple[Shape, Shape]:
    """Batch, heads, q_len, kv_len and head_dim, and how many times larger each is made.

    Batch and heads stay so small that an answer may loop over them.
    """
    small = tuple(draw(sizes(6, size)) for size in (2, 3, 4, 5, 6))
    if not draw(st.booleans()):
        return small, (1,) * 5
    return tuple(max(size, 1) for size in small), (*(pick(draw, (1, 64)) for _ in range(2)), *grown(draw, 3))


@functools.cache
@classes(
    {
        "one width": lambda case: len(case[1]) == 1,
        "two widths": lambda case: len(case[1]) == 2,
        "three widths and more": lambda case: len(case[1]) > 2,
        "more widths than six": lambda case: len(case[1]) > 6,
        "an empty batch": lambda case: case[0] == 0,
        "a width of 0": lambda case: 0 in case[1],
        "a width of 0 in the middle": lambda case: 0 in case[1][1:-1],
        "a width of 1": lambda case: 1 in case[1],
    }
)
def mlp_cases() -> SearchStrategy[tuple[int, Shape]]:
    """Batches and widths."""
    return _mlp_cases()


@st.composite
def _mlp_cases(draw: DrawFn) -> tuple[int, Shape]:
    few, many = shapes(5, 6, 1, simplest=3), shapes(12, 3, 7, simplest=3)
    return draw(st.one_of(sizes(), st.integers(0, 1))), draw(pick(draw, (few, few, few, few, few, many)))


@functools.cache
@classes(
    {
        "product beyond 2**64": lambda case: case[0] * case[1] ** 2 > 2**64,
        "product of two widths beyond 2**64": lambda case: case[1] ** 2 > 2**64,
        "product of two sizes between 2**53 and 2**64": lambda case: 2**53 < case[1] * max(case[:2]) < 2**64,
    }
)
def huge_mlp_cases() -> SearchStrategy[tuple[int, int, int, Shape]]:
    """How many times larger a batch and all widths are made, and a small batch and widths."""
    return st.tuples(
        factors(), factors(), st.integers(1, 4), st.lists(st.integers(1, 4), min_size=2, max_size=4).map(tuple)
    )
