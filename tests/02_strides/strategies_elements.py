"""What hypothesis draws for kata 02: indices and numbers of elements."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.described import View
from ..shared.shapes import OFTEN_EMPTY, Shape, huge_sizes, integers, pick, shapes
from .strategies_views import long_shapes, no_float_holds, numel, strided


@functools.cache
@classes(
    {
        "0-d": lambda case: case[0] == (),
        "without an offset": lambda case: case[1][2] == 0,
        "with an offset": lambda case: case[1][2] > 0,
        "the first element": lambda case: not any(case[0]),
        "behind the first in two dimensions": lambda case: sum(place > 0 for place in case[0]) > 1,
        "a stride of 0": lambda case: any(
            place > 0 == stride for place, stride in zip(case[0], case[1][1], strict=True)
        ),
        "a last stride that is not 1": lambda case: case[0][-1:] > (0,) and case[1][1][-1] > 1,
        "a step that no float holds": lambda case: no_float_holds(
            place * stride for place, stride in zip(case[0], case[1][1], strict=True)
        ),
        "an offset that no float holds": lambda case: no_float_holds(case[1][2:]),
    }
)
@st.composite
def indices(draw: DrawFn) -> tuple[Shape, View]:
    """An index, and a view that has such an element."""
    shape, strides, offset = draw(strided())
    shape = tuple(max(size, 1) for size in shape)
    return tuple(draw(integers(size - 1, size - 1, 0)) for size in shape), (shape, strides, offset)


@functools.cache
@classes(
    {
        "too short": lambda case: len(case[0]) < len(case[1]),
        "too long": lambda case: len(case[0]) > len(case[1]),
        "no index at all": lambda case: case[0] == (),
        "no strides": lambda case: case[1] == (),
        "a single place for several strides": lambda case: len(case[0]) == 1 < len(case[1]),
        "too long by places that are 0": lambda case: len(case[0]) > len(case[1]) and not any(case[0][len(case[1]) :]),
    }
)
@st.composite
def misfitting_indices(draw: DrawFn) -> tuple[Shape, Shape, int]:
    """An index of another length than the strides, and an offset."""
    index, strides = draw(shapes(twists=("plain", "zero"))), draw(shapes())
    if len(index) == len(strides):
        index = (*index, 0)
    return index, strides, draw(st.integers(0, 9))


@functools.cache
@classes(
    {
        "0-d": lambda case: case[1] == (),
        "the first": lambda case: case[0] == 0,
        "the last of several": lambda case: case[0] == numel(case[1]) - 1 > 0,
        "in between": lambda case: 0 < case[0] < numel(case[1]) - 1,
        "beyond 2**53": lambda case: case[0] > 2**53,
        "a size that no float holds": lambda case: no_float_holds(case[1]),
        "three dimensions and more": lambda case: len(case[1]) > 2,
        "a size of 1": lambda case: 1 in case[1],
    }
)
@st.composite
def elements(draw: DrawFn) -> tuple[int, Shape]:
    """The number of an element, and a shape that has it."""
    huge = st.tuples(huge_sizes(), integers(3, 2**9), huge_sizes(simplest=4))
    shape = tuple(max(size, 1) for size in draw(st.one_of(shapes(5), huge, long_shapes())))
    last = numel(shape) - 1
    return draw(st.one_of(integers(max(0, last - 1), last, 0), st.integers(max(0, last - 3), last))), shape


@functools.cache
@classes(
    {
        "one beyond the last": lambda case: case[0] == numel(case[1]),
        "further beyond": lambda case: case[0] > numel(case[1]),
        "-1": lambda case: case[0] == -1,
        "below -1": lambda case: case[0] < -1,
        "below what counts from the end": lambda case: case[0] < -numel(case[1]),
        "0-d": lambda case: case[1] == (),
        "of no elements": lambda case: 0 in case[1],
        "the first of no elements": lambda case: case[0] == 0,
        "one beyond the last of more than a float holds": lambda case: case[0] == numel(case[1]) > 2**53,
    }
)
@st.composite
def no_elements(draw: DrawFn) -> tuple[int, Shape]:
    """A number, and a shape that has no such element."""
    some = draw(shapes(twists=OFTEN_EMPTY))
    shape, beyond = pick(draw, (some, some, draw(long_shapes()))), pick(draw, (0, 0, 1, 2, 100))
    return (-1 - beyond if draw(st.booleans()) else numel(shape) + beyond), shape
