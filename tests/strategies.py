"""What hypothesis draws: descriptions such as shapes, never tensors, so that a failing example can be typed.

Strategies are made once and kept: hypothesis checks each new one, which costs more than to draw from it.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import TypeVar

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

T = TypeVar("T")
Shape = tuple[int, ...]
View = tuple[Shape, Shape, int]


def pick(draw: DrawFn, options: Sequence[T]) -> T:
    """One of these; the first is the simplest."""
    return options[draw(st.integers(0, len(options) - 1))]


# Shapes


@functools.cache
def sizes(largest: int = 5) -> SearchStrategy[int]:
    """Sizes of a dimension: mostly 1 or more, since one 0 makes all that follows from a shape 0."""
    return st.integers(1, 8 * largest + 7).map(lambda n: 0 if n > 8 * largest + 3 else (n - 1) % largest + 1)


@functools.cache
def huge_sizes(smallest: int = 2**25, largest: int = 2**26) -> SearchStrategy[int]:
    """Sizes at which counts leave 64 bits, and leave what a float holds exactly, though no tensor's numel does.

    One in four is small, so that an example which is wrong at every size shrinks to a small one.
    """
    return st.one_of(st.integers(1, 5), *(st.integers(smallest + n, largest) for n in range(3)))


OFTEN_PLAIN = ("plain", "plain", "one", "zero")
OFTEN_ONE = ("one", "plain", "one", "zero")
OFTEN_EMPTY = ("zero", "plain", "zero", "one")


@functools.cache
def shapes(
    most_dims: int = 4, largest: int = 5, fewest_dims: int = 0, twists: tuple[str, ...] = OFTEN_PLAIN
) -> SearchStrategy[Shape]:
    """Shapes, 0-d among them. A twist makes one dimension 1 or 0, often: errors hide there, and in no third place."""
    return _shapes(most_dims, largest, fewest_dims, twists)


@st.composite
def _shapes(draw: DrawFn, most_dims: int, largest: int, fewest_dims: int, twists: tuple[str, ...]) -> Shape:
    rank = draw(st.integers(fewest_dims, most_dims))
    shape = [draw(st.integers(1, largest)) for _ in range(rank)]
    twist = pick(draw, twists)
    if rank and twist != "plain":
        shape[draw(st.integers(0, rank - 1))] = 1 if twist == "one" else 0
    return tuple(shape)


def narrowed(draw: DrawFn, shape: Shape, drop: bool = True) -> Shape:
    """A shape that broadcasts to the given one or beyond it: leading dimensions dropped, some others made 1."""
    kept = shape[pick(draw, (0, 0, *range(len(shape) + 1))) :] if drop else shape
    return tuple(pick(draw, (size, size, 1)) for size in kept)


def two_sizes(draw: DrawFn) -> tuple[int, int]:
    """Two sizes that do not broadcast: they differ, and neither is 1."""
    return pick(draw, list(itertools.permutations((2, 3, 4, 0), 2)))


@st.composite
def broadcast_shapes(draw: DrawFn) -> list[Shape]:
    """One to three shapes that broadcast together."""
    widest = draw(shapes())
    return [narrowed(draw, widest) for _ in range(draw(st.integers(1, 3)))]


@st.composite
def empty_broadcast_shapes(draw: DrawFn) -> tuple[Shape, Shape]:
    """Two shapes of which one has a 1 where the other has a 0: what stretches is not always the smaller."""
    left, right = draw(shapes(1)), draw(shapes(1))
    a, b = (0, *narrowed(draw, right, drop=False)), (*left, 1, *right)
    return pick(draw, [(a, b), (b, a)])


@st.composite
def unbroadcastable_shapes(draw: DrawFn) -> list[Shape]:
    """Two or three shapes of which two disagree about a dimension."""
    left, right = draw(shapes(2)), draw(shapes(2))
    here, there = two_sizes(draw)
    a, b = (*left, here, *right), (there, *narrowed(draw, right, drop=False))
    return pick(draw, [[a, b], [b, a], [a, (), b], [b, right, a]])


# FLOPs


@st.composite
def matmul_shapes(draw: DrawFn, *, empty: bool = False) -> tuple[Shape, Shape]:
    """Shapes of matrices that torch.matmul multiplies, and of batches of them that broadcast; a batch may be empty."""
    m, k, n = (draw(sizes()) for _ in range(3))
    batch = draw(shapes(3, fewest_dims=1))
    a, b = draw(empty_broadcast_shapes()) if empty else (narrowed(draw, batch), narrowed(draw, batch))
    return (*a, m, k), (*b, k, n)


@st.composite
def vector_shapes(draw: DrawFn) -> tuple[Shape, Shape]:
    """Shapes that torch.matmul multiplies, one or both of a vector."""
    m, k, n = (draw(sizes()) for _ in range(3))
    batch = draw(shapes(2))
    return pick(draw, [((k,), (k,)), ((*batch, m, k), (k,)), ((k,), (*batch, k, n))])


@st.composite
def huge_matmul_shapes(draw: DrawFn) -> tuple[Shape, Shape]:
    """Shapes of two matrices of huge sizes."""
    m, k, n = (draw(huge_sizes()) for _ in range(3))
    return (m, k), (k, n)


@st.composite
def refused_matmul_shapes(draw: DrawFn, kind: str) -> tuple[Shape, Shape]:
    """Shapes that torch.matmul refuses: a 0-d operand, inner sizes that differ, or batches that do not broadcast."""
    m, k, n = (draw(sizes()) for _ in range(3))
    other = pick(draw, [size for size in range(6) if size != k])
    batch = draw(shapes(2))
    if kind == "0-d":
        return pick(draw, [((), (k,)), ((k,), ()), ((), ()), ((m, k), ()), ((), (*batch, k, n))])
    if kind == "inner":
        return (*batch, m, k), (*narrowed(draw, batch), other, n)
    if kind == "inner of a vector":
        return pick(draw, [((k,), (other,)), ((*batch, m, k), (other,)), ((k,), (*batch, other, n))])
    here, there = two_sizes(draw)
    a, b = (*batch[:1], here, *batch[1:]), (there, *narrowed(draw, batch[1:], drop=False))
    a, b = pick(draw, [(a, b), (b, a)])
    return (*a, m, k), (*b, k, n)


@st.composite
def einsum_cases(draw: DrawFn, *, as_product: bool = False) -> tuple[str, Shape, Shape]:
    """An equation of two operands, and their shapes: an index at most once in each, at least one contracted.

    as_product: only what torch lowers to one matrix product: both operands keep an index of their own, an index that is
    summed away stands in both, and no size is 1, since torch drops those. Sizes are larger then.
    """
    names = draw(st.permutations("ijkbKI"))
    contracted = names[: draw(st.integers(1, 2))]
    batch = names[2 : 2 + draw(st.integers(0, 1))]
    left = names[3 : 3 + draw(st.integers(int(as_product), 1))]
    right = names[4 : 4 + draw(st.integers(int(as_product), 1))]
    a = "".join(draw(st.permutations(contracted + batch + left)))
    b = "".join(draw(st.permutations(contracted + batch + right)))
    free = draw(st.permutations(batch + left + right))
    kept = "".join(free if as_product else free[: draw(st.integers(0, len(free)))])
    size_of = {name: draw(st.integers(2**13, 2**15) if as_product else sizes(4)) for name in names[:5]}
    return f"{a},{b}->{kept}", tuple(size_of[i] for i in a), tuple(size_of[i] for i in b)


@st.composite
def refused_einsum_cases(draw: DrawFn) -> tuple[str, Shape, Shape, str]:
    """An equation and shapes that do not fit it, and what is wrong with them."""
    equation, a_shape, b_shape = draw(einsum_cases())
    a, b = equation.partition("->")[0].split(",")
    if draw(st.booleans()):
        extra = (draw(sizes()),)
        wrong = [
            (a_shape + extra, b_shape),
            (a_shape, b_shape + extra),
            (a_shape[1:], b_shape),
            (a_shape, b_shape[:-1]),
        ]
        a_shape, b_shape = pick(draw, wrong)
        return equation, a_shape, b_shape, f"{a!r} and {b!r} are not the ranks of {a_shape} and {b_shape}"
    shared = pick(draw, sorted(set(a) & set(b)))
    # Never 1 against another size: torch broadcasts that, and whether it "disagrees" is a matter of taste.
    here, there = two_sizes(draw)
    a_shape = tuple(here if index == shared else size for index, size in zip(a, a_shape, strict=True))
    b_shape = tuple(there if index == shared else size for index, size in zip(b, b_shape, strict=True))
    return equation, a_shape, b_shape, f"index {shared!r} has the sizes {here} and {there}"


@functools.cache
def quantities() -> SearchStrategy[float]:
    """Counts and rates as they occur: 0, integers, and floats up to the FLOPs of a large training run."""
    return st.one_of(st.just(0), st.integers(1, 10**6), st.floats(1e-3, 1e25))


@functools.cache
def positives() -> SearchStrategy[float]:
    """Peaks and durations: above 0."""
    return st.one_of(st.integers(1, 10**6), st.floats(1e-6, 1e18))


@functools.cache
def not_positives() -> SearchStrategy[float]:
    """What is no peak and no duration."""
    return st.one_of(st.just(0), st.just(0.0), st.integers(-(10**6), -1), st.floats(-1e18, -1e-6))


# Views


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
    """Shape and strides of a fresh tensor, of a permuted one, or of one in which one stride is another.

    That other stride is often one that is never used: then the view is as contiguous as before.
    """
    shape = draw(shapes(twists=OFTEN_ONE))
    x = torch.empty(shape, device="meta")
    change = pick(draw, ("none", "permuted", "stride", "stride"))
    if change == "permuted" and x.ndim:
        x = x.permute(pick(draw, list(itertools.permutations(range(x.ndim)))))
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
    """Arguments of slice_dim."""
    shape, strides, offset = draw(strided(fewest_dims=1))
    dim = draw(dims(len(shape)))
    bound = bounds(shape[dim])
    return shape, strides, offset, dim, draw(bound), draw(bound), pick(draw, (1, 1, 2, 3, 7))


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
    if draw(st.integers(0, 7)) == 7:
        return shape, strides, draw(shapes())
    return shape, strides, reshaped(draw, shape)


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


def view_of(x: torch.Tensor) -> View:
    """What torch stores of a view."""
    return tuple(x.shape), x.stride(), int(x.storage_offset())


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
