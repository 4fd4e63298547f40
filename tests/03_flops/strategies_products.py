"""What hypothesis draws for kata 03 of products: shapes that torch.matmul multiplies, or refuses.

No tensor has 2**64 elements, so counts beyond that are drawn as small sizes with a factor for each: what torch counts
at the small ones is scaled (`truth.scaled`).
"""

from __future__ import annotations

import functools
import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared import shapes as shared
from ..shared.shapes import Shape, grown, in_order, narrowed, pick, shapes, sizes, two_sizes

Operands = tuple[Shape, Shape]

BEYOND = {
    "product beyond 2**53": lambda case: math.prod(case[1]) > 2**53,
    "product beyond 2**64": lambda case: math.prod(case[1]) > 2**64,
}
"""Classes of cases whose second part is the factors."""


def _stretched(case: Operands) -> set[str]:
    """Return which sides of two batches, matched from the right, are stretched."""
    pairs = zip(case[0][-3::-1], case[1][-3::-1], strict=False)
    return {"a" if left == 1 else "b" for left, right in pairs if left != right}


@functools.cache
@classes(
    {
        "no batch": lambda case: len(case[0]) == len(case[1]) == 2,
        "a batch of a alone": lambda case: len(case[0]) > 2 == len(case[1]),
        "a batch of b alone": lambda case: len(case[1]) > 2 == len(case[0]),
        "a batch of a that is stretched": lambda case: "a" in _stretched(case),
        "a batch of b that is stretched": lambda case: "b" in _stretched(case),
        "batches that stretch each other": lambda case: len(_stretched(case)) == 2,
        "several batch dimensions": lambda case: max(map(len, case)) > 3,
        "an inner size of 0": lambda case: case[0][-1] == 0,
        "an inner size of 1": lambda case: case[0][-1] == 1,
        "a batch that stretches to 0": lambda case: any(
            {*pair} == {0, 1} for pair in zip(case[0][-3::-1], case[1][-3::-1], strict=False)
        ),
        "square": lambda case: len({*case[0][-2:], *case[1][-2:]}) == 1,
        "a matrix beside a batch that might be vectors, one for each": lambda case: (
            (*case[0][:-2], case[0][-1]) == case[1] or (*case[1][:-2], case[1][-2]) == case[0]
        ),
    }
)
@st.composite
def matmul_shapes(draw: DrawFn, *, empty: bool = False) -> Operands:
    """Shapes of matrices, and of batches of them that broadcast, that torch.matmul multiplies; a batch may be empty."""
    drawn = draw(shared.matmul_shapes(empty=empty))
    if empty or pick(draw, (True,) * 5 + (False,)):
        return drawn
    rows, side = draw(sizes(simplest=2)), pick(draw, (3, 2, 4, 5))
    return pick(draw, [((side, rows, side), (side, side)), ((side, side), (side, side, rows))])


@functools.cache
@classes(
    {
        "two vectors": lambda case: len(case[0]) == len(case[1]) == 1,
        "a matrix and a vector": lambda case: (len(case[0]), len(case[1])) == (2, 1),
        "a vector and a matrix": lambda case: (len(case[0]), len(case[1])) == (1, 2),
        "a batch and a vector": lambda case: len(case[0]) > 2,
        "a vector and a batch": lambda case: len(case[1]) > 2,
        "as many rows as columns": lambda case: case[0][-2:] == case[1][-1:] * 2 or case[1][-2:] == case[0][-1:] * 2,
    }
)
@st.composite
def vector_shapes(draw: DrawFn) -> Operands:
    """Shapes that torch.matmul multiplies, one or both of them of a vector."""
    m, k, n = (draw(sizes(simplest=size)) for size in (2, 3, 4))
    batch = draw(shapes(2, simplest=5))
    return pick(draw, [((k,), (k,)), ((*batch, m, k), (k,)), ((k,), (*batch, k, n))])


@functools.cache
@classes(
    BEYOND
    | {
        "a vector": lambda case: min(map(len, case[0])) == 1,
        "a huge batch": lambda case: any(size > 2**26 for shape in case[0] for size in shape[:-2]),
        "a huge batch that is stretched": lambda case: any(
            size > 2**26 and 1 in (*other[-3::-1][place : place + 1],)
            for shape, other in (case[0], case[0][::-1])
            for place, size in enumerate(shape[-3::-1])
        ),
    }
)
@st.composite
def huge_matmul_shapes(draw: DrawFn) -> tuple[Operands, Shape, Operands]:
    """Shapes that torch.matmul multiplies with two huge sizes, how many times larger they are, and the small shapes."""
    batch = "pq"[: pick(draw, (0, 0, 1, 2))]
    a, b = pick(draw, [(batch + "mk", batch + "kn")] * 3 + [("k", batch + "kn"), (batch + "mk", "k"), ("k", "k")])
    names = "".join(dict.fromkeys(a + b))
    size_of = {name: pick(draw, in_order(4, 2 + place)) for place, name in enumerate(names)}
    factor_of = dict(zip(names, grown(draw, len(names)), strict=True))
    # The side that has a 1 in each batch dimension, if one has.
    alone = {name: pick(draw, ("", "", "a", "b")) if name in a and name in b else "" for name in batch}
    small, large = [], []
    for side, indices in (("a", a), ("b", b)):
        kept = [name for name in indices if alone.get(name) != side]
        small.append(tuple(size_of[name] if name in kept else 1 for name in indices))
        large.append(tuple(size_of[name] * factor_of[name] if name in kept else 1 for name in indices))
    return (large[0], large[1]), tuple(factor_of.values()), (small[0], small[1])


@functools.cache
@classes(
    {
        "an inner size of 1 against another": lambda case: _inner(case) is not None and 1 in (_inner(case) or ()),
        "an inner size of 0 against another": lambda case: _inner(case) is not None and 0 in (_inner(case) or ()),
        "without elements": lambda case: any(0 in shape for shape in case),
        "more batch dimensions than three": lambda case: min(map(len, case)) > 5,
        "batches that agree before they do not": lambda case: (
            len(case[0]) == len(case[1]) > 3 and case[0][0] == case[1][0] != 1 and _inner(case) is None
        ),
        "a 0-d operand beside one without elements": lambda case: () in case and any(0 in shape for shape in case),
    }
)
@st.composite
def refused_matmul_shapes(draw: DrawFn, kind: str) -> Operands:
    """Shapes that torch.matmul refuses: a 0-d operand, inner sizes that differ, or batches that do not broadcast."""
    m, k, n = (draw(sizes(simplest=size)) for size in (2, 3, 4))
    other = pick(draw, [size for size in (5, 2, 3, 4, 1, 0) if size != k])
    batch = draw(shapes(2, simplest=5))
    if kind == "0-d":
        a, b = (*batch, m, k), (*batch, k, n)
        return pick(draw, [((), (k,)), ((k,), ()), ((), ()), (a, ()), ((), b)])
    if kind == "inner":
        return (*batch, m, k), (*narrowed(draw, batch), other, n)
    if kind == "inner of a vector":
        return pick(draw, [((k,), (other,)), ((*batch, m, k), (other,)), ((k,), (*batch, other, n))])
    here, there = two_sizes(draw)
    batch = pick(draw, (batch, batch, draw(shapes(5, 3, 3))))
    a = *batch[:1], here, *batch[1:]
    b = *pick(draw, ((), batch[:1])), there, *narrowed(draw, batch[1:], drop=False)
    a, b = pick(draw, [(a, b), (b, a)])
    return (*a, m, k), (*b, k, n)


def _inner(case: Operands) -> tuple[int, int] | None:
    """Return the two inner sizes if they differ."""
    a, b = case
    if not a or not b or a[-1] == b[-2:][0]:
        return None
    return a[-1], b[-2:][0]
