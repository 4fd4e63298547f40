"""What hypothesis draws for kata 02: views as numbers, (shape, strides, offset), and what is done to them."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import View, view_of
from ..shared.shapes import (
    OFTEN_EMPTY,
    OFTEN_ONE,
    OFTEN_PLAIN,
    Shape,
    beside,
    huge_sizes,
    pick,
    shapes,
    sizes,
)
from ..shared.views import places


def _numel(shape: Sequence[int]) -> int:
    return math.prod(shape)


def _used(shape: Shape, strides: Shape) -> list[tuple[int, int]]:
    """The sizes and strides of the dimensions in which there is somewhere to go."""
    return [] if 0 in shape else [(size, stride) for size, stride in zip(shape, strides, strict=True) if size > 1]


def _in_order(shape: Shape, strides: Shape) -> bool:
    """Whether the strides fall from left to right, wherever one is used."""
    used = [stride for _, stride in _used(shape, strides)]
    return used == sorted(used, reverse=True)


def _has_gaps(shape: Shape, strides: Shape) -> bool:
    """Whether there are places between the first and the last that no element has; for views that are in order."""
    reached = 0
    for size, stride in sorted(_used(shape, strides), key=lambda both: both[1]):
        if stride > reached + 1:
            return True
        reached += (size - 1) * stride
    return False


@functools.lru_cache(maxsize=4)  # several classes ask it of one case
def _is_balanced(shape: Shape, strides: Shape) -> bool:
    used = _used(shape, strides)
    ends_alike = sum((size - 1) * stride for size, stride in used) + 1 == _numel(shape)
    if not ends_alike or not _in_order(shape, strides) or strides[-1:] != (1,):
        return False
    return len({*places(shape, strides)}) < _numel(shape)


# Views


@functools.cache
@classes(
    {
        "0-d": lambda view: view[0] == (),
        "without elements": lambda view: 0 in view[0],
        "without elements, and with an offset": lambda view: 0 in view[0] and view[2] > 0,
        "two sizes of 0, and an offset": lambda view: view[0].count(0) > 1 and view[2] > 0,
        "with an offset": lambda view: view[2] > 0,
        "without an offset": lambda view: view[2] == 0,
        "a size of 1": lambda view: 1 in view[0],
        "elements that are repeated": lambda view: any(stride == 0 for _, stride in _used(*view[:2])),
        "strides that do not fall": lambda view: not _in_order(*view[:2]),
        "gaps between elements": lambda view: _has_gaps(*view[:2]),
        "two strides alike": lambda view: len({stride for _, stride in _used(*view[:2])}) < len(_used(*view[:2])),
        "a last stride that is not 1": lambda view: any(stride > 1 for _, stride in _used(*view[:2])[-1:]),
    }
)
def strided(most_dims: int = 4, fewest_dims: int = 0, twists: tuple[str, ...] = OFTEN_PLAIN) -> SearchStrategy[View]:
    """Views (shape, strides, offset): fresh, permuted, stepped, expanded, or with any strides at all.

    A dimension of size 1, and a view without elements, may have any stride.
    """
    return _strided(most_dims, fewest_dims, twists)


@st.composite
def _strided(draw: DrawFn, most_dims: int, fewest_dims: int, twists: tuple[str, ...]) -> View:
    shape = draw(shapes(most_dims, fewest_dims=fewest_dims, twists=twists))
    offset = pick(draw, (0, 0, 1, 5))
    layout = pick(draw, ("rows", "rows", "permuted", "any", "close"))
    if layout in ("any", "close"):
        return shape, tuple(draw(st.integers(0, 12 if layout == "any" else 3)) for _ in shape), offset
    # Laid out evenly in some order of the dimensions, where a dimension may have a gap behind it or be repeated.
    order: Sequence[int] = range(len(shape))[::-1]
    if layout == "permuted":
        order = pick(draw, list(itertools.permutations(order)))
    strides = [0] * len(shape)
    step = pick(draw, (1, 1, 2, 3))
    for dim in order:
        how = pick(draw, ("dense", "dense", "dense", "gap", "repeated"))
        strides[dim] = 0 if how == "repeated" else step
        step *= 1 if how == "repeated" else max(shape[dim], 1) + (how == "gap")
        if shape[dim] == 1:
            strides[dim] = pick(draw, (strides[dim], 0, 7, step))
    return shape, tuple(strides), offset


@functools.cache
@classes(
    {
        "contiguous": lambda view: torch.empty(0, device="meta").as_strided(*view).is_contiguous(),
        "not contiguous": lambda view: not torch.empty(0, device="meta").as_strided(*view).is_contiguous(),
        "0-d": lambda view: view[0] == (),
        "without elements": lambda view: 0 in view[0],
        "without elements, and strides of no fresh tensor": lambda view: (
            0 in view[0] and view[1] != torch.empty(view[0], device="meta").stride()
        ),
        "contiguous but for strides that are never used": lambda view: (
            0 not in view[0]
            and view[1] != torch.empty(view[0], device="meta").stride()
            and torch.empty(0, device="meta").as_strided(*view).is_contiguous()
        ),
        "strides that do not fall": lambda view: not _in_order(*view),
        "strides that fall, and gaps": lambda view: _in_order(*view) and _has_gaps(*view),
        "elements that are repeated": lambda view: any(stride == 0 for _, stride in _used(*view)),
        "strides that fall, no gaps, and elements that meet": lambda view: _is_balanced(*view),
        "every second element": lambda view: [stride for _, stride in _used(*view)][-1:] == [2],
    }
)
@st.composite
def nearly_contiguous(draw: DrawFn) -> tuple[Shape, Shape]:
    """Shape and strides of a fresh tensor, of a permuted one, of a part of a larger one, or with one stride changed.

    That other stride is often one that is never used: then the view is as contiguous as before. Others are balanced,
    show every second element, or the same elements again and again.
    """
    change = pick(draw, ("none", "permuted", "stride", "stride", "part", "balanced", "double", "repeated"))
    if change == "balanced":
        return balanced(draw)
    rearranged = change in ("permuted", "part", "repeated")
    shape = draw(shapes(fewest_dims=2 if rearranged else 0, twists=OFTEN_ONE))
    if rearranged and draw(st.booleans()):  # sizes of 1 may be permuted, or cut off, without a trace
        shape = tuple(max(size, 2) for size in shape)
    x = torch.empty(shape, device="meta")
    if change == "permuted":
        x = x.permute(pick(draw, list(itertools.permutations(range(x.ndim)))[1:]))
    if change == "part":
        dim = draw(st.integers(0, x.ndim - 1))
        larger = torch.empty((*shape[:dim], shape[dim] + 1, *shape[dim + 1 :]), device="meta")
        x = larger.narrow(dim, 0, shape[dim])
    if change == "repeated":
        dim = draw(st.integers(0, x.ndim - 1))
        x = torch.empty((*x.shape[:dim], 1, *x.shape[dim + 1 :]), device="meta").expand(x.shape)
    strides = [stride * (2 if change == "double" else 1) for stride in x.stride()]
    if change == "stride" and x.ndim:
        unused = [dim for dim, size in enumerate(shape) if size == 1 or 0 in shape]
        in_vain: bool = draw(st.booleans())
        dim = pick(draw, unused if unused and in_vain else range(x.ndim))
        strides[dim] = draw(st.integers(0, 12))
    return tuple(x.shape), tuple(strides)


def balanced(draw: DrawFn) -> tuple[Shape, Shape]:
    """Shape and strides of a view that ends where a fresh tensor would, whose strides fall, and whose elements meet.

    One stride of a fresh tensor is larger by as much as that of another dimension of the same size is smaller:
    (2, 2, 2), (3, 3, 1) and (5, 1, 1) reach as far as (4, 2, 1).
    """
    size, rank = draw(st.integers(2, 3)), draw(st.integers(3, 4))
    shape = (size,) * rank
    strides = list(torch.empty(shape, device="meta").stride())
    dim = draw(st.integers(0, rank - 3))
    left, right = strides[dim : dim + 2]
    lower = max(right - strides[dim + 2], 0)  # the right one falls to what lies right of it at most
    by = pick(draw, [*range(1, (left - right) // 2 + 1), *range(-lower, 0)])
    strides[dim : dim + 2] = left - by, right + by
    return shape, tuple(strides)


@functools.cache
@classes(
    {
        "0-d": lambda shape: shape == (),
        "one dimension": lambda shape: len(shape) == 1,
        "a size of 0 that is not the first": lambda shape: 0 in shape[1:],
        "two sizes of 0": lambda shape: shape.count(0) > 1,
        "a size of 1": lambda shape: 1 in shape,
        "a size of 0 and one of 1": lambda shape: {0, 1} <= {*shape},
        "a stride beyond 2**53": lambda shape: _numel(shape[1:]) > 2**53,
    }
)
def fresh_shapes() -> SearchStrategy[Shape]:
    """Shapes of fresh tensors, huge ones among them."""
    huge = st.tuples(sizes(3), huge_sizes(), huge_sizes(), st.integers(2**8, 2**9))
    return st.one_of(shapes(5), shapes(5, twists=("zeros", "zero", "zeros", "one")), huge)


# Elements


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
    }
)
@st.composite
def indices(draw: DrawFn) -> tuple[Shape, View]:
    """An index, and a view that has such an element."""
    shape, strides, offset = draw(strided())
    shape = tuple(max(size, 1) for size in shape)
    return tuple(draw(st.integers(0, size - 1)) for size in shape), (shape, strides, offset)


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
        "the last of several": lambda case: case[0] == _numel(case[1]) - 1 > 0,
        "in between": lambda case: 0 < case[0] < _numel(case[1]) - 1,
        "beyond 2**53": lambda case: case[0] > 2**53,
        "three dimensions and more": lambda case: len(case[1]) > 2,
        "a size of 1": lambda case: 1 in case[1],
    }
)
@st.composite
def elements(draw: DrawFn) -> tuple[int, Shape]:
    """The number of an element, and a shape that has it."""
    huge = st.tuples(huge_sizes(), st.integers(1, 2**9), huge_sizes())
    shape = tuple(max(size, 1) for size in draw(st.one_of(shapes(5), huge)))
    last = _numel(shape) - 1
    return draw(st.one_of(st.integers(0, last), st.integers(max(0, last - 3), last))), shape


@functools.cache
@classes(
    {
        "one beyond the last": lambda case: case[0] == _numel(case[1]),
        "further beyond": lambda case: case[0] > _numel(case[1]),
        "-1": lambda case: case[0] == -1,
        "below -1": lambda case: case[0] < -1,
        "below what counts from the end": lambda case: case[0] < -_numel(case[1]),
        "0-d": lambda case: case[1] == (),
        "of no elements": lambda case: 0 in case[1],
        "the first of no elements": lambda case: case[0] == 0,
    }
)
@st.composite
def no_elements(draw: DrawFn) -> tuple[int, Shape]:
    """A number, and a shape that has no such element."""
    shape, beyond = draw(shapes(twists=OFTEN_EMPTY)), pick(draw, (0, 0, 1, 2, 100))
    return (-1 - beyond if draw(st.booleans()) else _numel(shape) + beyond), shape


def dims(rank: int) -> SearchStrategy[int]:
    """Every way to name one of `rank` dimensions, from either end."""
    return st.integers(-rank, rank - 1)


@functools.cache
def outside(size: int) -> SearchStrategy[int]:
    """What names none of `size` dimensions or places, from either end."""
    return st.one_of(st.integers(size, size + 2), st.integers(-size - 3, -size - 1))


@functools.cache
def bounds(size: int) -> SearchStrategy[int | None]:
    """Starts and stops of a slice: None, within, at and beyond both ends."""
    return st.one_of(st.none(), st.integers(-size - 2, size + 2), st.sampled_from((-(2**40), 2**40)))


# Transposes, selections and slices


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
    """Arguments of transpose of which one or both are no dimension."""
    shape, strides, _ = draw(strided())
    good = draw(dims(len(shape))) if shape else 0
    # torch treats a 0-d tensor as having one dimension here, Python does not: only what both refuse is asked.
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
    }
)
@st.composite
def selections(draw: DrawFn) -> tuple[Shape, Shape, int, int, int]:
    """Arguments of select: a view, a dimension of it that is not empty, and an index in it."""
    shape, strides, offset = draw(strided(fewest_dims=1))
    dim = draw(dims(len(shape)))
    if shape[dim] == 0:  # there is no index in it: make it one longer
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
    """Arguments of select: a view, and what is no "dimension" of it, or no "index" in a dimension."""
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
    }
)
@st.composite
def slices(draw: DrawFn) -> Slice:
    """Arguments of slice_dim: half of the slices start behind the first place and hold two at least."""
    shape, strides, offset = draw(strided(fewest_dims=1))
    dim = draw(dims(len(shape)))
    inside: bool = draw(st.booleans())
    if not inside:
        bound = bounds(shape[dim])
        whole = pick(draw, (False, False, False, False, False, True))
        ends = (None, None) if whole else (draw(bound), draw(bound))
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
    """Arguments of slice_dim with a dimension that is none."""
    view = draw(strided())
    return *view, draw(outside(len(view[0]))), *pick(draw, ((0, 1), (None, None), (1, None))), pick(draw, (1, 2))


# Expanding and viewing


def _kept(case: tuple[Shape, Shape, Shape]) -> list[tuple[int, int]]:
    """Old and new size of each old dimension; none where the new shape is too short."""
    shape, _, new_shape = case
    added = len(new_shape) - len(shape)
    return [] if added < 0 else list(zip(shape, new_shape[added:], strict=True))


@functools.cache
@classes(
    {
        "0-d": lambda case: case[0] == (),
        "a new dimension": lambda case: len(case[2]) > len(case[0]),
        "two new dimensions": lambda case: len(case[2]) > len(case[0]) + 1,
        "a new dimension of size 0": lambda case: 0 in case[2][: len(case[2]) - len(case[0])],
        "a new dimension of size 1": lambda case: 1 in case[2][: len(case[2]) - len(case[0])],
        "no new dimension": lambda case: len(case[2]) == len(case[0]) > 0,
        "1 that grows": lambda case: any(old == 1 < new for old, new in _kept(case)),
        "1 that becomes 0": lambda case: (1, 0) in _kept(case),
        "1 that stays, as -1": lambda case: (1, -1) in _kept(case),
        "more than 1 that stays, as -1": lambda case: any(old > 1 and new == -1 for old, new in _kept(case)),
        "more than 1 that stays": lambda case: any(old == new > 1 for old, new in _kept(case)),
        "0 that stays": lambda case: (0, 0) in _kept(case) or (0, -1) in _kept(case),
    }
)
@st.composite
def expansions(draw: DrawFn, fewest_dims: int = 0) -> tuple[Shape, Shape, Shape]:
    """Arguments of expand_strides that torch accepts."""
    shape, strides, _ = draw(strided(3, fewest_dims, OFTEN_ONE))
    wider = [pick(draw, (2, 0, 3, 1, -1) if size == 1 else (size, size, -1)) for size in shape]
    return shape, strides, (*draw(shapes(2)), *wider)


def _new(case: tuple[Shape, Shape, Shape]) -> Shape:
    """The sizes of the new dimensions."""
    return case[2][: max(len(case[2]) - len(case[0]), 0)]


@functools.cache
@classes(
    {
        "too few dimensions": lambda case: len(case[2]) < len(case[0]),
        "no dimensions left": lambda case: case[2] == () != case[0],
        "without a first dimension of size 1": lambda case: len(case[2]) < len(case[0]) and case[0][0] == 1,
        "a new dimension of -1": lambda case: -1 in _new(case),
        "a new dimension of -2 and below": lambda case: min(_new(case), default=0) < -1,
        "below 0 behind another new dimension": lambda case: min(_new(case)[1:], default=0) < 0,
        "a multiple": lambda case: any(old > 1 and new > old and new % old == 0 for old, new in _kept(case)),
        "no multiple": lambda case: any(old > 1 and new > old and new % old > 0 for old, new in _kept(case)),
        "more than 1 that becomes 1": lambda case: any(old > 1 == new for old, new in _kept(case)),
        "more than 1 that becomes 0": lambda case: any(old > 1 and new == 0 for old, new in _kept(case)),
        "0 that grows": lambda case: any(old == 0 < new for old, new in _kept(case)),
        "0 that becomes 1": lambda case: (0, 1) in _kept(case),
        "1 that becomes -2": lambda case: (1, -2) in _kept(case),
        "more than 1 that becomes -2": lambda case: any(old > 1 and new == -2 for old, new in _kept(case)),
        "0-d": lambda case: case[0] == (),
    }
)
@st.composite
def refused_expansions(draw: DrawFn, kind: str) -> tuple[Shape, Shape, Shape]:
    """Arguments of expand_strides that torch refuses: "fewer" dimensions, a "size" that changes, a "new" one below 0.

    Where nothing has to match, torch takes negative sizes that it should not: a -2 where the result is empty, and a -1
    for a 0-d view. Those are left out.
    """
    below_0 = kind == "new"
    old = new = 1
    if kind == "size":
        old, new = pick(draw, CHANGED)(draw(st.integers(2, 4)))
        below_0 = new < 0
    twists = ("plain", "one") if below_0 else OFTEN_ONE
    shape, strides, _ = draw(strided(2 if kind == "size" else 3, int(kind == "fewer"), twists))
    kept = tuple(pick(draw, (2, 3, 1, -1) if size == 1 else (size, size, -1)) for size in shape)
    added = draw(shapes(2, twists=twists))
    if kind == "fewer":
        return shape, strides, kept[draw(st.integers(1, len(shape))) :]
    if kind == "new":
        return shape, strides, (*pick(draw, (added, added, ())), pick(draw, (-1, -2, -3)), *added[:1], *kept)
    dim = draw(st.integers(0, len(shape)))
    strides = (*strides[:dim], draw(st.integers(0, 12)), *strides[dim:])
    return (*shape[:dim], old, *shape[dim:]), strides, (*added, *kept[:dim], new, *kept[dim:])


CHANGED: tuple[Callable[[int], tuple[int, int]], ...] = (
    lambda size: (size, 2 * size),
    lambda size: (size, size + 1),
    lambda size: (size, 1),
    lambda size: (size, 0),
    lambda size: (size, -2),
    lambda size: (0, size),
    lambda size: (0, 1),
    lambda size: (1, -2),
)
"""Old and new sizes that do not fit, of a size above 1."""


Reshape = tuple[Shape, Shape, Shape]


@functools.lru_cache(maxsize=4)  # several classes ask it of one case
def _can_view(case: Reshape) -> bool:
    shape, strides, new_shape = case
    if _numel(shape) != _numel(new_shape):
        return False
    try:
        torch.empty(0, device="meta").as_strided(shape, strides).view(new_shape)
    except RuntimeError:
        return False
    return True


@functools.lru_cache(maxsize=4)  # several classes ask it of one case
def _pieces(shape: Shape, new_shape: Shape) -> int:
    """Of the sizes above 1, into how many new ones the one is cut that is cut into most."""
    if 0 in shape or _numel(shape) != _numel(new_shape):
        return 0
    old, new = ({_numel(each[dim:]) for dim in range(len(each) + 1)} for each in (shape, new_shape))
    return max((sum(low < end <= high for end in new) for low, high in itertools.pairwise(sorted(old))), default=0)


SAME: dict[str, Callable[[Reshape], object]] = {
    "can be viewed": _can_view,
    "cannot be viewed": lambda case: _numel(case[0]) == _numel(case[2]) and not _can_view(case),
    "sizes merged": lambda case: _pieces(case[2], case[0]) > 1 and _can_view(case),
    "sizes that cannot be merged": lambda case: _pieces(case[2], case[0]) > 1 and not _can_view(case),
    "the same sizes but for 1s": lambda case: (
        case[0] != case[2] and [n for n in case[0] if n != 1] == [n for n in case[2] if n != 1]
    ),
    "not contiguous, and can be viewed": lambda case: (
        0 not in case[0] and _can_view(case) and not torch.empty(0, device="meta").as_strided(*case[:2]).is_contiguous()
    ),
    "elements that are repeated, and can be viewed": lambda case: (
        any(stride == 0 for _, stride in _used(*case[:2])) and _can_view(case)
    ),
    "0-d, or becomes so": lambda case: () in (case[0], case[2]),
    "without elements": lambda case: 0 in case[0],
}


@functools.cache
@classes(SAME)
def reshapes() -> SearchStrategy[Reshape]:
    """Arguments of view_strides with as many elements, found by merging and splitting."""
    return beside(_reshapes(), ((2, 3), (0, 0), (6,)), ((2, 3), (6, 2), (6,)), ((2, 3), (3, 1), (3, 2)))


@st.composite
def _reshapes(draw: DrawFn) -> Reshape:
    shape, strides, _ = draw(strided())
    return shape, strides, reshaped(draw, shape)


@functools.cache
@classes(
    {
        "fewer elements": lambda case: _numel(case[2]) < _numel(case[0]),
        "more elements": lambda case: _numel(case[2]) > _numel(case[0]),
        "from elements to none": lambda case: 0 not in case[0] and 0 in case[2],
        "from none to elements": lambda case: 0 in case[0] and 0 not in case[2],
        "without elements, in another shape": lambda case: 0 in case[0] and 0 in case[2] and case[0] != case[2],
        "a size split": lambda case: _pieces(case[0], case[2]) > 1 and _can_view(case),
        "a size split into three": lambda case: _pieces(case[0], case[2]) > 2 and _can_view(case),
        "three sizes merged": lambda case: _pieces(case[2], case[0]) > 2 and _can_view(case),
        "three sizes of which two can be merged": lambda case: _pieces(case[2], case[0]) > 2 and not _can_view(case),
        "strides that fall, no gaps, and elements that meet": lambda case: _is_balanced(*case[:2]),
    }
)
@st.composite
def odd_reshapes(draw: DrawFn) -> Reshape:
    """Arguments of view_strides that are seldom found: another number of elements, or three sizes for one."""
    kind = pick(draw, ("other", "other", "split", "merged", "nearly merged", "balanced", "empty", "none"))
    if kind == "balanced":
        shape, strides = balanced(draw)
        return shape, strides, pick(draw, ((_numel(shape),), reshaped(draw, shape)))
    shape, strides, _ = draw(strided(4 if kind in ("other", "empty", "none") else 2, twists=("plain", "one")))
    if kind in ("empty", "none"):
        shape, strides, new_shape = shape or (2,), strides or (1,), draw(shapes(fewest_dims=1, twists=("plain", "one")))
        old, new = (True, True) if kind == "empty" else pick(draw, ((True, False), (False, True)))
        return _emptied(draw, shape) if old else shape, strides, _emptied(draw, new_shape) if new else new_shape
    if kind == "other":
        new_shape = pick(draw, (reshaped(draw, shape), draw(shapes()))) or (1,)
        dim = pick(draw, range(len(new_shape)))
        other = pick(draw, (max(new_shape[dim] - 1, 1), new_shape[dim] + 1, 2 * new_shape[dim]))
        return shape, strides, (*new_shape[:dim], other, *new_shape[dim + 1 :])
    pieces = tuple(draw(st.integers(2, 3)) for _ in range(pick(draw, (3, 2, 3))))
    dim, stride = draw(st.integers(0, len(shape))), draw(st.integers(0, 4))
    steps = [_numel(pieces[place:]) * stride for place in range(1, len(pieces) + 1)]
    if kind == "nearly merged":
        steps[pick(draw, (0, 0, len(pieces) - 2))] += pick(draw, (1, stride))
    with_one = (*shape[:dim], _numel(pieces), *shape[dim:]), (*strides[:dim], stride, *strides[dim:])
    with_several = (*shape[:dim], *pieces, *shape[dim:]), (*strides[:dim], *steps, *strides[dim:])
    return (*with_one, with_several[0]) if kind == "split" else (*with_several, with_one[0])


def _emptied(draw: DrawFn, shape: Shape) -> Shape:
    """A shape with one size made 0."""
    dim = pick(draw, range(len(shape)))
    return (*shape[:dim], 0, *shape[dim + 1 :])


def reshaped(draw: DrawFn, shape: Shape) -> Shape:
    """A shape with as many elements: neighbours merged, sizes split, ones strewn in and left out."""
    merged: list[int] = []
    for size in shape:
        join: bool = draw(st.booleans())
        if merged and join:
            merged[-1] *= size
        else:
            merged.append(size)
    result: list[int] = []
    for size in merged:
        if size > 1:
            for _ in range(pick(draw, (0, 1, 2))):
                factor = pick(draw, [n for n in range(1, size + 1) if size % n == 0])
                result.append(factor)
                size //= factor
            result.append(size)
        elif size == 0 or draw(st.booleans()):
            result.append(size)
    return (*pick(draw, ((), (), (1,))), *result)


# Two views


@functools.lru_cache(maxsize=4)  # several classes ask it of one case
def _meet(case: tuple[View, View]) -> bool:
    return not {*places(*case[0])}.isdisjoint(places(*case[1]))


@functools.lru_cache(maxsize=4)  # several classes ask it of one case
def _ranges_meet(case: tuple[View, View]) -> bool:
    a, b = (places(*view) for view in case)
    return bool(a and b) and min(a) <= max(b) and min(b) <= max(a)


KNOWN_PAIRS = (
    (((3,), (1,), 3), ((3,), (3,), 1)),  # a row and a column
    (((2, 2), (4, 1), 0), ((2, 2), (4, 1), 2)),  # the left and the right half of a matrix
    (((2, 3), (3, 1), 0), ((2, 3), (3, 1), 2)),  # six places each, four of them shared
    (((3,), (2,), 0), ((2,), (2,), 1)),  # even and odd places
)


@functools.cache
@classes(
    {
        "an element in common": _meet,
        "ranges that meet, and no element in common": lambda case: _ranges_meet(case) and not _meet(case),
        "ranges that do not meet": lambda case: 0 not in case[0][0] + case[1][0] and not _ranges_meet(case),
        "one without elements": lambda case: 0 in case[0][0] + case[1][0],
        "one without elements, whose offset the other has": lambda case: any(
            0 in one[0] and one[2] in places(*other) for one, other in itertools.permutations(case)
        ),
        "another first place, and an element in common": lambda case: case[0][2] != case[1][2] and _meet(case),
        "a first place that the other does not show, and an element in common": lambda case: (
            case[0][2] not in places(*case[1]) and case[1][2] not in places(*case[0]) and _meet(case)
        ),
        "a single element in common": lambda case: len({*places(*case[0])} & {*places(*case[1])}) == 1,
        "a 0-d view": lambda case: () in (case[0][0], case[1][0]),
        "one view that ends where the other begins, or just before": lambda case: any(
            0 not in one[0] and max(places(*one)) in (other[2], other[2] - 1)
            for one, other in itertools.permutations(case)
        ),
        "elements that are repeated": lambda case: any(
            stride == 0 for shape, strides, _ in case for _, stride in _used(shape, strides)
        ),
        "two dimensions and more": lambda case: min(len(_used(*view[:2])) for view in case) > 1,
    }
)
def view_pairs() -> SearchStrategy[tuple[View, View]]:
    """Two views of one storage."""
    return beside(_view_pairs(), *KNOWN_PAIRS)


@st.composite
def _view_pairs(draw: DrawFn) -> tuple[View, View]:
    """Two views of one storage: parts of one view, a row and a column, near each other, interleaved, or far apart."""
    kind = pick(draw, ("two", "two", "parts", "split", "point", "cross"))
    if kind == "parts":
        whole = draw(strided(3, 1))
        return part_of(draw, whole), part_of(draw, whole)
    if kind == "split":
        return split(draw)
    if kind == "cross":
        x = torch.empty((draw(st.integers(2, 5)), draw(st.integers(2, 5))), device="meta")
        return view_of(x.select(0, draw(dims(x.shape[0])))), view_of(x.select(1, draw(dims(x.shape[1]))))
    if kind == "point":
        whole = draw(strided(3))
        return pick(draw, ((whole, near(draw, whole)), (near(draw, whole), whole)))
    a, b = draw(strided(3)), draw(strided(3))
    step = pick(draw, (1, 1, 2, 3))  # both on a grid of this step: shifted by less, they interleave
    shift = draw(st.integers(0, pick(draw, (3, 3, 40))))
    a_view = (a[0], tuple(stride * step for stride in a[1]), a[2])
    b_view = (b[0], tuple(stride * step for stride in b[1]), a[2] + shift)
    return pick(draw, [(a_view, b_view), (b_view, a_view)])


def part_of(draw: DrawFn, view: View) -> View:
    """A view with one or two of its dimensions sliced: halves, rows, columns, every other place."""
    x = torch.empty(0, device="meta").as_strided(*view)
    for dim in {draw(st.integers(0, x.ndim - 1)) for _ in range(2)}:
        start = draw(st.integers(0, x.shape[dim]))
        length = draw(st.integers(0, x.shape[dim] - start))
        index = (slice(None),) * dim + (slice(start, start + length, pick(draw, (1, 1, 2))),)
        x = x[index]
    return view_of(x)


def near(draw: DrawFn, view: View) -> View:
    """A single element: one of the view's, or one beside it."""
    x = torch.empty(0, device="meta").as_strided(*view)
    if x.numel():
        for size in x.shape:
            x = x.select(0, draw(st.integers(0, size - 1)))
    return (), (), int(x.storage_offset()) + pick(draw, (0, 0, 1))


def split(draw: DrawFn) -> tuple[View, View]:
    """A matrix cut in two along one dimension: the parts lie between each other, or meet in one row or column."""
    rows, columns = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    x = torch.empty((rows, columns), device="meta")
    dim = draw(st.integers(0, 1))
    cut = draw(st.integers(1, x.shape[dim] - 1))
    parts = (x.narrow(dim, 0, cut + pick(draw, (0, 0, 1))), x.narrow(dim, cut, x.shape[dim] - cut))
    left, right = map(view_of, parts)
    return pick(draw, ((left, right), (right, left)))
