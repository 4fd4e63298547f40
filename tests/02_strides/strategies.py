"""What hypothesis draws for kata 02: views as numbers, (shape, strides, offset), and what is done to them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ..shared.described import View, view_of
from ..shared.shapes import OFTEN_ONE, OFTEN_PLAIN, Shape, pick, shapes


@functools.cache
def strided(most_dims: int = 4, fewest_dims: int = 0, twists: tuple[str, ...] = OFTEN_PLAIN) -> SearchStrategy[View]:
    """Views (shape, strides, offset): fresh, permuted, stepped, expanded, or with any strides at all.

    A dimension of size 1, and a view without elements, may have any stride.
    """
    return _strided(most_dims, fewest_dims, twists)


@st.composite
def _strided(draw: DrawFn, most_dims: int, fewest_dims: int, twists: tuple[str, ...]) -> View:
    shape = draw(shapes(most_dims, fewest_dims=fewest_dims, twists=twists))
    offset = pick(draw, (0, 0, 1, 5))
    layout = pick(draw, ("rows", "rows", "permuted", "any"))
    if layout == "any":
        return shape, tuple(draw(st.integers(0, 12)) for _ in shape), offset
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


@st.composite
def nearly_contiguous(draw: DrawFn) -> tuple[Shape, Shape]:
    """Shape and strides of a fresh tensor, of a permuted one, of a part of a larger one, or with one stride changed.

    That other stride is often one that is never used: then the view is as contiguous as before.
    """
    change = pick(draw, ("none", "permuted", "stride", "stride", "part"))
    rearranged = change in ("permuted", "part")
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
    strides = list(x.stride())
    if change == "stride" and x.ndim:
        unused = [dim for dim, size in enumerate(shape) if size == 1 or 0 in shape]
        in_vain: bool = draw(st.booleans())
        dim = pick(draw, unused if unused and in_vain else range(x.ndim))
        strides[dim] = draw(st.integers(0, 12))
    return tuple(x.shape), tuple(strides)


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


@st.composite
def selections(draw: DrawFn) -> tuple[Shape, Shape, int, int, int]:
    """Arguments of select: a view, a dimension of it that is not empty, and an index in it."""
    shape, strides, offset = draw(strided(fewest_dims=1))
    dim = draw(dims(len(shape)))
    if shape[dim] == 0:  # there is no index in it: make it one longer
        shape = tuple(1 if place == dim % len(shape) else size for place, size in enumerate(shape))
    return shape, strides, offset, dim, draw(dims(shape[dim]))


@st.composite
def slices(draw: DrawFn) -> tuple[Shape, Shape, int, int, int | None, int | None, int]:
    """Arguments of slice_dim: half of the slices start behind the first place and hold two at least."""
    shape, strides, offset = draw(strided(fewest_dims=1))
    dim = draw(dims(len(shape)))
    inside: bool = draw(st.booleans())
    if not inside:
        bound = bounds(shape[dim])
        return shape, strides, offset, dim, draw(bound), draw(bound), pick(draw, (1, 1, 2, 3, 7))
    step, start = pick(draw, (1, 1, 2, 3)), draw(st.integers(1, 3))
    stop = start + step * draw(st.integers(1, 2)) + draw(st.integers(1, step))
    size = stop + pick(draw, (0, 0, 1, 2))
    shape = tuple(size if place == dim % len(shape) else max(other, 1) for place, other in enumerate(shape))
    start_told = pick(draw, (start, start - size))
    stop_told = pick(draw, (stop, None) if stop == size else (stop, stop - size))
    return shape, strides, offset, dim, start_told, stop_told, step


@st.composite
def expansions(draw: DrawFn, fewest_dims: int = 0) -> tuple[Shape, Shape, Shape]:
    """Arguments of expand_strides that torch accepts."""
    shape, strides, _ = draw(strided(3, fewest_dims, OFTEN_ONE))
    wider = [pick(draw, (2, 0, 3, 1, -1) if size == 1 else (size, size, -1)) for size in shape]
    return shape, strides, (*draw(shapes(2)), *wider)


@st.composite
def refused_expansions(draw: DrawFn) -> tuple[Shape, Shape, Shape]:
    """Arguments of expand_strides that torch refuses: too few dimensions, a size that cannot grow, a new one unknown.

    Where nothing has to match, torch takes negative sizes that it should not: a -1 for a 0-d view, a -2 for a size of 1
    where the result is empty. Those are left out.
    """
    shape, strides, new_shape = draw(expansions(fewest_dims=1))
    kind = pick(draw, ["size", "size", "fewer", "new"])
    added = len(new_shape) - len(shape)
    if kind == "fewer":
        return shape, strides, new_shape[added + 1 :]
    dim = draw(st.integers(0, len(shape) - 1))
    if kind == "new" or (shape[dim] == 1 and 0 in (*shape, *new_shape)):
        return shape, strides, (-1, *new_shape)
    if shape[dim] == 1:
        return shape, strides, (*new_shape[: added + dim], -2, *new_shape[added + dim + 1 :])
    size = shape[dim]
    other = pick(draw, [other for other in (2 * size, 1, size + 1, 2 * size, 0, -2) if other != size])
    return shape, strides, (*new_shape[: added + dim], other, *new_shape[added + dim + 1 :])


@st.composite
def reshapes(draw: DrawFn) -> tuple[Shape, Shape, Shape]:
    """Arguments of view_strides: mostly shapes of the same number of elements, found by merging and splitting."""
    shape, strides, _ = draw(strided())
    kind = pick(draw, ("same", "same", "same", "fewer", "any"))
    if kind == "any":
        return shape, strides, draw(shapes())
    new_shape = reshaped(draw, shape)
    if kind == "fewer" and new_shape:
        dim = draw(st.integers(0, len(new_shape) - 1))
        return shape, strides, (*new_shape[:dim], max(new_shape[dim] - 1, 1), *new_shape[dim + 1 :])
    return shape, strides, new_shape


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
            factor = pick(draw, [n for n in range(1, size + 1) if size % n == 0])
            result += pick(draw, ([size], [factor, size // factor]))
        elif size == 0 or draw(st.booleans()):
            result.append(size)
    return (*pick(draw, ((), (), (1,))), *result)


@st.composite
def view_pairs(draw: DrawFn) -> tuple[View, View]:
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
