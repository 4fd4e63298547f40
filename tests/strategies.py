"""What hypothesis draws: descriptions such as shapes, never tensors, so that a failing example can be typed."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Shape = tuple[int, ...]


def sizes(largest: int = 5) -> SearchStrategy[int]:
    """Sizes of a dimension: mostly 1 or more, since one 0 makes all that follows from a shape 0."""
    some = st.integers(1, largest)
    return st.one_of(some, some, some, some, some, st.integers(0, 1))


def huge_sizes() -> SearchStrategy[int]:
    """Sizes at which counts leave 64 bits, and leave what a float holds exactly, though no tensor's numel does."""
    return st.integers(1, 2**26)


def shapes(most_dims: int = 4, largest: int = 5, fewest_dims: int = 0) -> SearchStrategy[Shape]:
    """Shapes, 0-d, zero-size and size-1 dimensions among them."""
    return st.lists(sizes(largest), min_size=fewest_dims, max_size=most_dims).map(tuple)


@st.composite
def narrowed(draw: DrawFn, shape: Shape) -> Shape:
    """A shape that broadcasts to the given one or beyond it: leading dimensions dropped, some others made 1."""
    kept = shape[draw(st.integers(0, len(shape))) :]
    return tuple(draw(st.sampled_from((size, size, 1))) for size in kept)


@st.composite
def broadcast_shapes(draw: DrawFn) -> list[Shape]:
    """One to three shapes that broadcast together."""
    widest = draw(shapes())
    return draw(st.lists(narrowed(widest), min_size=1, max_size=3))


@st.composite
def unbroadcastable_shapes(draw: DrawFn) -> list[Shape]:
    """Two or three shapes of which two disagree about a dimension."""
    widest = draw(shapes(3, fewest_dims=1))
    where = draw(st.integers(0, len(widest) - 1))
    here, there = draw(st.permutations((0, 2, 3, 4)))[:2]
    before = draw(shapes(1))
    a = (*before, *widest[:where], here, *widest[where + 1 :])
    b = (there, *draw(narrowed(widest[where + 1 :]).filter(lambda rest: len(rest) == len(widest) - where - 1)))
    return draw(st.permutations([a, b, *draw(st.lists(st.just(()), max_size=1))]))


@st.composite
def matmul_shapes(draw: DrawFn) -> tuple[Shape, Shape]:
    """Shapes that torch.matmul multiplies: vectors, matrices, batches that broadcast, and matrices of huge sizes."""
    kind = draw(st.sampled_from(["matrices", "batches", "batches", "vectors", "huge"]))
    m, k, n = (draw(huge_sizes() if kind == "huge" else sizes()) for _ in range(3))
    if kind in ("matrices", "huge"):
        return (m, k), (k, n)
    if kind == "vectors":
        batch = draw(shapes(2))
        matrix_left, matrix_right = (*batch, m, k), (*batch, k, n)
        return draw(st.sampled_from([((k,), (k,)), (matrix_left, (k,)), ((k,), matrix_right)]))
    batch = draw(shapes(2, fewest_dims=1))
    return (*draw(narrowed(batch)), m, k), (*draw(narrowed(batch)), k, n)


@st.composite
def refused_matmul_shapes(draw: DrawFn) -> tuple[Shape, Shape]:
    """Shapes that torch.matmul refuses: a 0-d operand, inner sizes that differ, or batches that do not broadcast."""
    kind = draw(st.sampled_from(["0-d", "inner", "inner vector", "batch"]))
    m, k, n = (draw(sizes()) for _ in range(3))
    other = draw(sizes().filter(lambda size: size != k))
    batch = draw(shapes(2))
    if kind == "0-d":
        return draw(st.sampled_from([((), (k,)), ((k,), ()), ((), ()), ((m, k), ()), ((), (*batch, k, n))]))
    if kind == "inner":
        return (*batch, m, k), (*draw(narrowed(batch)), other, n)
    if kind == "inner vector":
        return draw(st.sampled_from([((k,), (other,)), ((*batch, m, k), (other,)), ((k,), (*batch, other, n))]))
    here, there = draw(st.permutations((0, 2, 3, 4)))[:2]
    return (*draw(shapes(1)), here, m, k), (there, k, n)


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
    size_of = {name: draw(st.integers(2, 5000) if as_product else sizes(4)) for name in names[:5]}
    return f"{a},{b}->{kept}", tuple(size_of[i] for i in a), tuple(size_of[i] for i in b)


@st.composite
def refused_einsum_cases(draw: DrawFn) -> tuple[str, Shape, Shape, str]:
    """An equation and shapes that do not fit it, and what is wrong with them."""
    equation, a_shape, b_shape = draw(einsum_cases())
    a, b = equation.partition("->")[0].split(",")
    if draw(st.booleans()):
        extra = (draw(sizes()),)
        a_shape, b_shape = draw(
            st.sampled_from([(a_shape + extra, b_shape), (a_shape, b_shape + extra), (a_shape[1:], b_shape)])
        )
        return equation, a_shape, b_shape, f"{a!r} and {b!r} are not the ranks of {a_shape} and {b_shape}"
    shared = draw(st.sampled_from(sorted(set(a) & set(b))))
    # Never 1 against another size: torch broadcasts that, and whether it "disagrees" is a matter of taste.
    here, there = draw(st.permutations((2, 3, 4, 5)))[:2]
    a_shape = tuple(here if index == shared else size for index, size in zip(a, a_shape, strict=True))
    b_shape = tuple(there if index == shared else size for index, size in zip(b, b_shape, strict=True))
    return equation, a_shape, b_shape, f"index {shared!r} has the sizes {here} and {there}"


def quantities() -> SearchStrategy[float]:
    """Counts and rates as they occur: 0, integers, and floats up to the FLOPs of a large training run."""
    return st.one_of(st.just(0), st.integers(1, 10**6), st.floats(1e-3, 1e25))


def positives() -> SearchStrategy[float]:
    """Peaks and durations: above 0."""
    return st.one_of(st.integers(1, 10**6), st.floats(1e-6, 1e18))


def not_positives() -> SearchStrategy[float]:
    """What is no peak and no duration."""
    return st.one_of(st.just(0), st.just(0.0), st.integers(-(10**6), -1), st.floats(-1e18, -1e-6))
