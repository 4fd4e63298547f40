"""What hypothesis draws for kata 03: shapes of elementwise operations that broadcast, or do not."""

from __future__ import annotations

import functools
import itertools
import math

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared import shapes as shared
from ..shared.shapes import Shape, factors, narrowed, pick, shapes, two_sizes
from .strategies_products import Operands


def _disagreeing(case: list[Shape]) -> set[int]:
    """Return the positions of the shapes that cannot broadcast with some other shape."""
    found = set()
    for (i, one), (j, other) in itertools.combinations(enumerate(case), 2):
        if any(x != y and 1 not in (x, y) for x, y in zip(one[::-1], other[::-1], strict=False)):
            found |= {i, j}
    return found


@functools.cache
@classes(
    {
        "one shape": lambda case: len(case) == 1,
        "three shapes": lambda case: len(case) == 3,
        "four shapes": lambda case: len(case) == 4,
        "more shapes": lambda case: len(case) > 4,
        "nothing but ()": lambda case: not any(case),
        "() beside others": lambda case: () in case and any(case),
        "without elements": lambda case: any(0 in shape for shape in case),
        "larger than each operand": lambda case: math.prod(torch.broadcast_shapes(*case)) > max(map(math.prod, case)),
        "the first is not the longest": lambda case: len(case[0]) < max(map(len, case)),
        "a 1 stretches to 0": lambda case: any({0, 1} <= {*column} for column in _columns(case)),
    }
)
@st.composite
def broadcast_shapes(draw: DrawFn) -> list[Shape]:
    """Shapes that broadcast together, few or many; in one of three cases, two of them stretch each other."""
    crossed = pick(draw, (False, False, True))
    widest = draw(shapes(4, fewest_dims=2 if crossed else 0))
    if not crossed:
        return [narrowed(draw, widest) for _ in range(pick(draw, (1, 2, 3, 4, 2, 3, 4, 6, 11)))]
    ones = pick(draw, list(itertools.permutations(range(len(widest)), 2)))
    two = [tuple(1 if place == one else size for place, size in enumerate(widest)) for one in ones]
    return list(draw(st.permutations([*two, *(narrowed(draw, widest) for _ in range(pick(draw, (0, 0, 1, 2))))])))


def _columns(case: list[Shape]) -> list[tuple[int, ...]]:
    """Return the sizes of all the shapes in each place, from the right; a shape that is too short has 1 there."""
    return list(itertools.zip_longest(*(shape[::-1] for shape in case), fillvalue=1))


def empty_broadcast_shapes() -> SearchStrategy[Operands]:
    """Two shapes, one with a 1 where the other has a 0."""
    return shared.empty_broadcast_shapes()


@functools.cache
@classes(
    {
        "two that stretch each other": lambda case: sum(size > 2**26 for size in case[0]) == 1,
        "beyond 2**53": lambda case: math.prod(torch.broadcast_shapes(*case)) > 2**53,
        "beyond 2**64": lambda case: math.prod(torch.broadcast_shapes(*case)) > 2**64,
    }
)
@st.composite
def huge_broadcast_shapes(draw: DrawFn) -> list[Shape]:
    """One or two shapes with huge sizes, as large as each other or stretching each other."""
    first, second = ((draw(st.integers(1, 3)), draw(factors())) for _ in range(2))
    # Multiplied twice, the two n are equal and not the same object.
    m, n, n_again = (size * factor for size, factor in (first, second, second))
    return pick(draw, [[(m, n)], [(m, 1), (n,)], [(n,), (m, 1)], [(m, n), (n_again,)]])


@functools.cache
@classes(
    {
        "the last shape agrees with all": lambda case: len(case) - 1 not in _disagreeing(case),
        "the first shape agrees with all": lambda case: 0 not in _disagreeing(case),
        "the first shape is 0-d": lambda case: case[0] == (),
        "the first two agree": lambda case: not {0, 1} <= _disagreeing(case),
        "only neighbours agree": lambda case: len(case) == 3 and _disagreeing(case) == {0, 2},
        "in the last dimension": lambda case: _disagreement(_columns(case)[0]),
        "not in the last dimension": lambda case: not _disagreement(_columns(case)[0]),
        "not in the first dimension that two have": lambda case: (
            not _disagreement(_columns(case)[sorted(map(len, case))[-2] - 1])
        ),
        "a size that is a multiple of the other": lambda case: any(
            _disagreement(column) and max(column) % min(size for size in column if size > 1) == 0
            for column in _columns(case)
            if 0 not in column
        ),
        "0 against another size": lambda case: any(0 in column and max(column) > 1 for column in _columns(case)),
        "without elements elsewhere": lambda case: (
            any(_disagreement(column) and 0 not in column for column in _columns(case))
            and any(0 in shape for shape in case)
        ),
        "one longer than the other": lambda case: len({len(shape) for shape in case if shape}) > 1,
        "only shapes behind the fourth disagree": lambda case: min(_disagreeing(case)) > 3,
    }
)
@st.composite
def unbroadcastable_shapes(draw: DrawFn) -> list[Shape]:
    """Shapes, two of which disagree about a dimension; the others, none or many, are anywhere and agree with both."""
    left, right = draw(shapes(2)), draw(shapes(2))
    here, there = two_sizes(draw)
    before = pick(draw, ((), (), left[-1:], (1,) * len(left[-1:])))  # where b has a size to the left of the other one
    a, b = (*left, here, *right), (*before, there, *narrowed(draw, right, drop=False))
    agreeing = pick(draw, ((), (1,), right, (1, *right)))
    order = pick(draw, (("a", "b"), ("b", "a"), *itertools.permutations(("a", "b", "neither"))))
    others = [agreeing] * pick(draw, (0, 0, 0, 0, 0, 4, 9))
    return [*others, *({"a": a, "b": b, "neither": agreeing}[which] for which in order)]


def _disagreement(column: tuple[int, ...]) -> bool:
    """Return whether two of these sizes in one place do not broadcast."""
    return len({*column} - {1}) > 1
