"""Shapes that hypothesis draws. They are descriptions, not tensors, so that a failing example can be typed.

Strategies are made once and kept, because hypothesis checks each new one, which costs more than drawing from it.
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
    """Draw one of these options; the first is the simplest."""
    return options[draw(st.integers(0, len(options) - 1))]


@st.composite
def beside(draw: DrawFn, drawn: SearchStrategy[T], *known: T) -> T:
    """Draw from the strategy, but in one of four examples take one of these known cases.

    This replaces `@example`: if one of those fails, hypothesis draws nothing, and the few calls may fit beliefs that
    further calls would rule out. If a known case fails, the learner sees it, since it takes the fewest draws.
    """
    at_hand: bool = pick(draw, (False, False, False, True))
    return pick(draw, known) if at_hand else draw(drawn)


@functools.cache
def in_order(largest: int, simplest: int = 2) -> Shape:
    """Return the sizes from 1 to the largest, the simplest first and 1 last. If any size fails, the first is shown.

    If several sizes are drawn, each has a different simplest size, so that it can be recognized in the result. A
    `simplest` beyond the largest wraps around to 2.
    """
    first = 2 + (simplest - 2) % max(largest - 1, 1)
    return (*range(first, largest + 1), *range(first - 1, 0, -1))


@functools.cache
def integers(simplest: int, largest: int, smallest: int = 1) -> SearchStrategy[int]:
    """Return integers in these bounds. Those above the simplest shrink towards it; those below it come last."""
    above = largest - simplest
    return st.integers(0, largest - smallest).map(lambda n: simplest + n if n <= above else largest - n)


@functools.cache
def sizes(largest: int = 5, simplest: int = 2) -> SearchStrategy[int]:
    """Return sizes of a dimension: mostly 1 or more, since a single 0 makes most results 0."""
    order = in_order(largest, simplest)
    return st.integers(1, 8 * largest + 7).map(lambda n: 0 if n > 8 * largest + 3 else order[(n - 1) % largest])


@functools.cache
def factors() -> SearchStrategy[int]:
    """Return factors by which sizes are multiplied. The product of two exceeds 2**53, and mostly 2**64."""
    return st.one_of(st.integers(2**27, 2**31), st.integers(2**33, 2**40), st.integers(2**33, 2**40))


def grown(draw: DrawFn, count: int) -> Shape:
    """Draw factors for `count` sizes: two of them huge, the others 1. A single size gets a huge one."""
    huge = pick(draw, list(itertools.combinations(range(count), min(count, 2))))
    return tuple(draw(factors()) if place in huge else 1 for place in range(count))


def enlarged(sizes: Sequence[int], by: Sequence[int]) -> Shape:
    """Return each size times its factor."""
    return tuple(size * factor for size, factor in zip(sizes, by, strict=True))


@functools.cache
def huge_sizes(smallest: int = 2**25, largest: int = 2**26, simplest: int = 2) -> SearchStrategy[int]:
    """Return sizes at which counts exceed 64 bits, and what floats hold exactly, although no tensor's numel does.

    One in four is small, so that an example that is wrong at every size shrinks to a small one.
    """
    return st.one_of(st.sampled_from(in_order(5, simplest)), *(st.integers(smallest + n, largest) for n in range(3)))


OFTEN_PLAIN = ("plain", "plain", "one", "zero")

OFTEN_ONE = ("one", "plain", "one", "zero")

OFTEN_EMPTY = ("zero", "plain", "zeros", "one")


@functools.cache
def shapes(
    most_dims: int = 4,
    largest: int = 5,
    fewest_dims: int = 0,
    twists: tuple[str, ...] = OFTEN_PLAIN,
    simplest: int = 2,
) -> SearchStrategy[Shape]:
    """Return shapes, including 0-d ones. A twist makes one dimension 1 or 0, or two of them 0: errors hide there.

    simplest: the simplest size of the first dimension. That of each further dimension is larger by 1.
    """
    return _shapes(most_dims, largest, fewest_dims, twists, simplest)


@st.composite
def _shapes(
    draw: DrawFn, most_dims: int, largest: int, fewest_dims: int, twists: tuple[str, ...], simplest: int
) -> Shape:
    rank = draw(st.integers(fewest_dims, most_dims))
    shape = [pick(draw, in_order(largest, simplest + place)) for place in range(rank)]
    twist = pick(draw, twists)
    if rank and twist != "plain":
        place = draw(st.integers(0, rank - 1))
        shape[place] = 1 if twist == "one" else 0
        if twist == "zeros" and rank > 1:
            shape[(place + draw(st.integers(1, rank - 1))) % rank] = 0
    return tuple(shape)


def narrowed(draw: DrawFn, shape: Shape, drop: bool = True) -> Shape:
    """Draw a shape that broadcasts to the given one: with leading dimensions dropped, and some others made 1."""
    kept = shape[pick(draw, (0, 0, *range(len(shape) + 1))) :] if drop else shape
    return tuple(pick(draw, (size, size, 1)) for size in kept)


def two_sizes(draw: DrawFn) -> tuple[int, int]:
    """Draw two sizes that do not broadcast: they differ, and neither is 1."""
    return pick(draw, list(itertools.permutations((2, 3, 4, 0), 2)))


@st.composite
def empty_broadcast_shapes(draw: DrawFn) -> tuple[Shape, Shape]:
    """Draw two shapes, one with a 1 where the other has a 0: the larger size is not always the result."""
    left, right = draw(shapes(1, simplest=4)), draw(shapes(1, simplest=5))
    a, b = (0, *narrowed(draw, right, drop=False)), (*left, 1, *right)
    return pick(draw, [(a, b), (b, a)])


@st.composite
def matmul_shapes(draw: DrawFn, *, empty: bool = False) -> tuple[Shape, Shape]:
    """Draw shapes of two batches of matrices that torch.matmul multiplies. With `empty`, the batch is always empty."""
    m, k, n = (draw(sizes(simplest=size)) for size in (2, 3, 4))
    batch = draw(shapes(3, simplest=5))
    a, b = draw(empty_broadcast_shapes()) if empty else (narrowed(draw, batch), narrowed(draw, batch))
    return (*a, m, k), (*b, k, n)
