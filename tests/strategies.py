"""What hypothesis draws: descriptions such as shapes, never tensors, so that a failing example can be typed.

Strategies are made once and kept: hypothesis checks each new one, which costs more than to draw from it.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

T = TypeVar("T")
Shape = tuple[int, ...]


def pick(draw: DrawFn, options: Sequence[T]) -> T:
    """One of these; the first is the simplest."""
    return options[draw(st.integers(0, len(options) - 1))]


@st.composite
def beside(draw: DrawFn, drawn: SearchStrategy[T], *known: T) -> T:
    """What is drawn, and in one of four examples one of these known cases.

    Not `@example`: where one of those fails hypothesis draws nothing, and a handful of calls fits beliefs that no
    further call would. A known case that fails is what the learner sees, since it takes the fewest draws.
    """
    at_hand: bool = pick(draw, (False, False, False, True))
    return pick(draw, known) if at_hand else draw(drawn)


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
