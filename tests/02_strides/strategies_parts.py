"""What hypothesis draws for kata 02: transposes, selections and slices."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import OFTEN_EMPTY, Shape, integers, pick
from .strategies_views import in_use, no_float_holds, strided


def dims(rank: int) -> SearchStrategy[int]:
    """Every way to name one of `rank` dimensions, from either end."""
    return st.integers(-rank, rank - 1)


@functools.cache
def outside(size: int) -> SearchStrategy[int]:
    """Numbers that name none of `size` dimensions or indices, from either end."""
    edges = st.sampled_from((size, -size - 1))
    return st.one_of(st.integers(size, size + 2), integers(-size - 1, -size - 1, -size - 3), edges)


@functools.cache
def bounds(size: int) -> SearchStrategy[int | None]:
    """Starts and stops of a slice: None, within, at and beyond both ends."""
    return st.one_of(st.none(), st.integers(-size - 2, size + 2), st.sampled_from((0, -(2**40), 2**40)))


def _apart(case: tuple[Shape, Shape, int, int]) -> int:
    shape, _, dim0, dim1 = case
    return abs(dim0 % len(shape) - dim1 % len(shape))


@functools.cache
@classes(
    {
        "a dimension with itself": lambda case: _apart(case) == 0,
        "a dimension with itself, by another name": lambda case: _apart(case) == 0 and case[2] != case[3],
        "others between them": lambda case: _apart(case) > 1,
        "others beside them": lambda case: _apart(case) == 1 and len(case[0]) > 2,
        "counted from the end": lambda case: min(case[2:]) < 0,
        "counted from both ends": lambda case: min(case[2:]) < 0 <= max(case[2:]),
        "without elements": lambda case: 0 in case[0],
        "a stride that no float holds": lambda case: no_float_holds(stride for _, stride in in_use(*case[:2])),
    }
)
@st.composite
def transpositions(draw: DrawFn) -> tuple[Shape, Shape, int, int]:
    """Arguments of transpose."""
    shape, strides, _ = draw(strided(fewest_dims=1))
    return shape, strides, draw(dims(len(shape))), draw(dims(len(shape)))


def _is_dim(dim: int, rank: int) -> bool:
    return -rank <= dim < rank


@functools.cache
@classes(
    {
        "the first is none": lambda case: _is_dim(case[3], len(case[0])),
        "the second is none": lambda case: _is_dim(case[2], len(case[0])),
        "the same number twice": lambda case: case[2] == case[3],
        "one beyond the last": lambda case: max(case[2:]) == len(case[0]) > 0,
        "one below the first": lambda case: min(case[2:]) == -len(case[0]) - 1 < -1,
        "0-d": lambda case: case[0] == (),
        "without elements": lambda case: 0 in case[0],
    }
)
@st.composite
def refused_transpositions(draw: DrawFn) -> tuple[Shape, Shape, int, int]:
    """Arguments of transpose where one or both dims do not exist."""
    shape, strides, _ = draw(strided())
    good = draw(dims(len(shape))) if shape else 0
    # torch treats a 0-d tensor as having one dimension here, Python does not: only what both refuse is tested.
    wrong = draw(outside(max(len(shape), 1)))
    return shape, strides, *pick(draw, ((good, wrong), (wrong, good), (wrong, wrong)))


@functools.cache
@classes(
    {
        "a dimension counted from the end": lambda case: case[3] < 0,
        "the last dimension, as -1": lambda case: case[3] == -1,
        "neither the first nor the last dimension": lambda case: 0 < case[3] % len(case[0]) < len(case[0]) - 1,
        "an index counted from the end": lambda case: case[4] < 0,
        "the first index": lambda case: case[4] % case[0][case[3]] == 0,
        "an index behind the first": lambda case: case[4] % case[0][case[3]] > 0 < case[1][case[3]],
        "with an offset": lambda case: case[2] > 0,
        "the only dimension": lambda case: len(case[0]) == 1,
        "no elements to show": lambda case: 0 in case[0],
        "a stride that no float holds": lambda case: no_float_holds(stride for _, stride in in_use(*case[:2])),
        "an offset that no float holds": lambda case: 0 not in case[0] and no_float_holds(case[2:3]),
    }
)
@st.composite
def selections(draw: DrawFn) -> tuple[Shape, Shape, int, int, int]:
    """Arguments of select: a view, a dimension of it that is not empty, and an index in it."""
    shape, strides, offset = draw(strided(fewest_dims=1))
    dim = draw(dims(len(shape)))
    if shape[dim] == 0:  # it has no index: make it one longer
        shape = tuple(1 if place == dim % len(shape) else size for place, size in enumerate(shape))
    return shape, strides, offset, dim, draw(dims(shape[dim]))


def _refused_index(case: tuple[Shape, Shape, int, int, int]) -> bool:
    return _is_dim(case[3], len(case[0]))


@functools.cache
@classes(
    {
        "no dimension": lambda case: not _refused_index(case),
        "no index": _refused_index,
        "one dimension beyond the last": lambda case: case[3] == len(case[0]) > 0,
        "one dimension below the first": lambda case: case[3] == -len(case[0]) - 1 < -1,
        "0-d": lambda case: case[0] == (),
        "0-d, and dimension 0 or -1": lambda case: case[0] == () and case[3] in (0, -1),
        "one index beyond the last": lambda case: _refused_index(case) and case[4] == case[0][case[3]] > 0,
        "one index below the first": lambda case: _refused_index(case) and case[4] == -case[0][case[3]] - 1 < -1,
        "index 0 or -1 of none": lambda case: _refused_index(case) and case[0][case[3]] == 0 and case[4] in (0, -1),
        "no index, and another dimension is empty": lambda case: (
            _refused_index(case) and case[0][case[3]] > 0 and 0 in case[0]
        ),
        "no dimension of no elements": lambda case: not _refused_index(case) and 0 in case[0],
    }
)
@st.composite
def refused_selections(draw: DrawFn, wrong: str) -> tuple[Shape, Shape, int, int, int]:
    """Arguments of select: a view, and a wrong "dimension", or a wrong "index" in a dimension."""
    shape, strides, offset = draw(strided(fewest_dims=int(wrong == "index"), twists=OFTEN_EMPTY))
    if wrong == "dimension":
        return shape, strides, offset, draw(outside(len(shape))), 0
    dim = draw(dims(len(shape)))
    return shape, strides, offset, dim, draw(outside(shape[dim]))


Slice = tuple[Shape, Shape, int, int, int | None, int | None, int]


def _part(case: Slice) -> range:
    shape, _, _, dim, start, stop, _ = case
    return range(shape[dim])[start:stop]


@functools.cache
@classes(
    {
        "all of it": lambda case: case[4] is None and case[5] is None,
        "a start alone": lambda case: case[4] is not None and case[5] is None,
        "a stop alone": lambda case: case[4] is None and case[5] is not None,
        "a start counted from the end": lambda case: case[4] is not None and case[4] < 0,
        "a stop counted from the end": lambda case: case[5] is not None and case[5] < 0,
        "a start below the first": lambda case: case[4] is not None and case[4] < -case[0][case[3]],
        "a stop of 0, behind which there is something": lambda case: (
            case[5] == 0 not in case[0] and len(range(case[0][case[3]])[case[4] :]) > 0
        ),
        "a stop below the first": lambda case: case[5] is not None and case[5] < -case[0][case[3]],
        "a start beyond the end": lambda case: case[4] is not None and case[4] > case[0][case[3]],
        "a stop beyond the end": lambda case: case[5] is not None and case[5] > case[0][case[3]],
        "nothing of something": lambda case: len(_part(case)) == 0 < case[0][case[3]],
        "of an empty dimension": lambda case: case[0][case[3]] == 0,
        "of a view that has no elements elsewhere": lambda case: case[0][case[3]] > 0 and 0 in case[0],
        "a step of 1": lambda case: case[6] == 1,
        "a step that ends early": lambda case: len(_part(case)) % case[6] > 0,
        "a step that fits": lambda case: case[6] > 1 and len(_part(case)) % case[6] == 0 < len(_part(case)),
        "a step longer than the part": lambda case: case[6] > len(_part(case)) > 0,
        "two elements and more, behind the first": lambda case: (
            _part(case).start > 0 and len(_part(case)[:: case[6]]) > 1 and case[1][case[3]] > 0
        ),
        "a dimension counted from the end": lambda case: case[3] < 0,
        "neither the first nor the last dimension": lambda case: 0 < case[3] % len(case[0]) < len(case[0]) - 1,
        "with an offset": lambda case: case[2] > 0,
        "a stride that no float holds": lambda case: no_float_holds(stride for _, stride in in_use(*case[:2])),
        "an offset that no float holds": lambda case: 0 not in case[0] and no_float_holds(case[2:3]),
    }
)
@st.composite
def slices(draw: DrawFn) -> Slice:
    """Arguments of slice_dim: half of the slices start after index 0 and hold at least two elements."""
    shape, strides, offset = draw(strided(fewest_dims=1))
    dim = draw(dims(len(shape)))
    inside: bool = draw(st.booleans())
    if not inside:
        size = pick(draw, (shape[dim],) * 7 + (0,))
        shape = tuple(size if place == dim % len(shape) else other for place, other in enumerate(shape))
        bound = bounds(size)
        drawn = draw(bound), draw(bound)
        ends = pick(draw, (drawn, drawn, drawn, drawn, (None, None), (None, 0)))
        return shape, strides, offset, dim, *ends, pick(draw, (1, 1, 2, 3, 7))
    step, start = pick(draw, (1, 1, 2, 3)), draw(st.integers(1, 3))
    stop = start + step * draw(st.integers(1, 2)) + draw(st.integers(1, step))
    size = stop + pick(draw, (0, 0, 1, 2))
    shape = tuple(size if place == dim % len(shape) else max(other, 1) for place, other in enumerate(shape))
    start_told = pick(draw, (start, start - size))
    stop_told = pick(draw, (stop, None) if stop == size else (stop, stop - size))
    return shape, strides, offset, dim, start_told, stop_told, step


@functools.cache
@classes(
    {
        "a step of 0": lambda case: case[6] == 0,
        "a step of -1": lambda case: case[6] == -1,
        "a step below -1": lambda case: case[6] < -1,
        "a step of 0 through nothing": lambda case: case[6] == 0 and len(_part(case)) == 0,
        "a step below 0 that would find elements": lambda case: (
            case[6] < 0 and len(range(case[0][case[3]])[case[4] : case[5] : case[6]]) > 0
        ),
        "a step below 0 that would find none": lambda case: (
            case[6] < 0 and len(range(case[0][case[3]])[case[4] : case[5] : case[6]]) == 0
        ),
    }
)
@st.composite
def backward_slices(draw: DrawFn) -> Slice:
    """Arguments of slice_dim with a step below 1."""
    *case, _ = draw(slices())
    return *case, pick(draw, (0, -1, 0, -2, -3))


@functools.cache
@classes(
    {
        "one beyond the last": lambda case: case[3] == len(case[0]) > 0,
        "one below the first": lambda case: case[3] == -len(case[0]) - 1 < -1,
        "0-d": lambda case: case[0] == (),
        "0-d, and dimension 0 or -1": lambda case: case[0] == () and case[3] in (0, -1),
        "all of it": lambda case: case[4] is None and case[5] is None,
    }
)
@st.composite
def slices_of_no_dimension(draw: DrawFn) -> Slice:
    """Arguments of slice_dim with a dimension that does not exist."""
    view = draw(strided())
    return *view, draw(outside(len(view[0]))), *pick(draw, ((0, 1), (None, None), (1, None))), pick(draw, (1, 2))
