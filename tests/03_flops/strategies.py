"""What hypothesis draws for kata 03: shapes of products, equations of einsum, counts."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ..shared.shapes import (
    Shape,
    huge_sizes,
    narrowed,
    pick,
    shapes,
    sizes,
    two_sizes,
)


@st.composite
def broadcast_shapes(draw: DrawFn) -> list[Shape]:
    """One to three shapes that broadcast together."""
    widest = draw(shapes())
    return [narrowed(draw, widest) for _ in range(draw(st.integers(1, 3)))]


@st.composite
def unbroadcastable_shapes(draw: DrawFn) -> list[Shape]:
    """Two or three shapes of which two disagree about a dimension."""
    left, right = draw(shapes(2)), draw(shapes(2))
    here, there = two_sizes(draw)
    a, b = (*left, here, *right), (there, *narrowed(draw, right, drop=False))
    return pick(draw, [[a, b], [b, a], [a, (), b], [b, right, a]])


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
