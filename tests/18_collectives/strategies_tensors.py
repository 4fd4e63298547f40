"""What hypothesis draws for kata 18 of tensors, one for each rank."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable
from typing import NamedTuple

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from torch import Tensor

from dojo.judging.classes import classes

from ..shared.shapes import Shape, pick

SIZES = (2, 3, 4, 2, 5, 6, 7, 8, 1)
"""How many ranks there are."""

SHAPES: tuple[Shape, ...] = ((3,), (2, 3), (4, 2), (7,), (8,), (1,), (0,), (5, 0), (2, 2, 2), (0, 3))
WITH_NUMBERS = (*SHAPES, (), ())

DTYPES = ("int64", "float32", "float64", "int32")
ABOVE = {"int64": 2**55, "int32": 2**26, "float64": 2**40, "float32": 0}
"""Whole numbers that a narrower float would round, and of which eight can be added exactly."""


class Tensors(NamedTuple):
    """A tensor for each rank, by their shapes. seed: 0 for numbers of which each says whose it is.

    root: of a broadcast; None where it is not given. large: the numbers are those above ABOVE. again: the
    function is called once more, with twice the numbers.
    """

    shapes: tuple[Shape, ...]
    dtype: str
    seed: int
    root: int | None = None
    large: bool = False
    again: bool = False

    @property
    def size(self) -> int:
        """How many ranks."""
        return len(self.shapes)

    @property
    def xs(self) -> list[Tensor]:
        """The tensors: whole numbers, or quarters of them, of which every sum is exact."""
        numbers = random.Random(self.seed)
        dtype = getattr(torch, self.dtype)
        found = []
        for rank, shape in enumerate(self.shapes):
            count = math.prod(shape)
            told = [10 * (rank + 1) + place for place in range(count)]
            values: list[float] = [numbers.randint(-99, 99) for _ in range(count)] if self.seed else [*told]
            if self.seed and dtype.is_floating_point:
                values = [value / 4 for value in values]
            if self.large:
                values = [ABOVE[self.dtype] + value for value in values]
            found.append(torch.tensor(values, dtype=dtype).reshape(shape))
        return found

    @property
    def rough(self) -> list[Tensor]:
        """As many floats of which no sum is exact; in some places all of them are -0.0."""
        numbers = random.Random(self.seed)
        zeros = [numbers.random() < 1 / 3 for _ in range(math.prod(self.shapes[0]))]
        made = [
            [-0.0 if zero else numbers.uniform(-1, 1) * 10 ** numbers.randint(0, 4) for zero in zeros]
            for _ in self.shapes
        ]
        return [
            torch.tensor(values, dtype=getattr(torch, self.dtype)).reshape(shape)
            for values, shape in zip(made, self.shapes, strict=True)
        ]


def _draw(draw: DrawFn, shapes: tuple[Shape, ...], dtypes: tuple[str, ...] = DTYPES) -> Tensors:
    size, shape, dtype = pick(draw, SIZES), pick(draw, shapes), pick(draw, dtypes)
    seed = pick(draw, (0, draw(st.integers(1, 999))))
    large = pick(draw, (False, True, True)) and bool(ABOVE[dtype])
    again = pick(draw, (False, False, False, True))
    return Tensors((shape,) * size, dtype, seed, large=large, again=again)


RANKS: dict[str, Callable[[Tensors], object]] = {
    "one rank": lambda case: case.size == 1,
    "two ranks": lambda case: case.size == 2,
    "an odd number of ranks": lambda case: case.size % 2 and case.size > 1,
    "no power of two": lambda case: case.size in (3, 5, 6, 7),
    "eight ranks": lambda case: case.size == 8,
    "int32": lambda case: case.dtype == "int32",
    "float32": lambda case: case.dtype == "float32",
    "float64": lambda case: case.dtype == "float64",
    "nothing in it": lambda case: any(0 in shape for shape in case.shapes),
    "several dimensions": lambda case: len(case.shapes[0]) > 1,
    "no rows, of some numbers each": lambda case: any(
        len(shape) > 1 and shape[0] == 0 < math.prod(shape[1:]) for shape in case.shapes
    ),
    "numbers that are not whole": lambda case: case.seed and "float" in case.dtype and math.prod(case.shapes[0]) > 0,
    "once more": lambda case: case.again and case.size > 1,
    "numbers that a float64 would round": lambda case: case.large and case.dtype == "int64",
    "numbers that a float32 would round": lambda case: case.large and case.dtype != "int64",
}

PARTS: dict[str, Callable[[Tensors], object]] = {
    "parts of the same size": lambda case: case.shapes[0] and case.shapes[0][0] % case.size == 0 < case.shapes[0][0],
    "parts that differ": lambda case: (
        case.shapes[0] and case.shapes[0][0] % case.size and case.shapes[0][0] > case.size
    ),
    "fewer rows than ranks": lambda case: case.shapes[0] and 0 < case.shapes[0][0] < case.size,
}


@functools.cache
@classes(RANKS | PARTS)
def scattered() -> SearchStrategy[Tensors]:
    """One shape for all ranks, of one dimension or more."""
    return _scattered()


@st.composite
def _scattered(draw: DrawFn) -> Tensors:
    return _draw(draw, SHAPES)


NUMBER = {"a single number": lambda case: case.shapes[0] == ()}


@functools.cache
@classes(RANKS | PARTS | NUMBER)
def reduced() -> SearchStrategy[Tensors]:
    """One shape for all ranks, of any dimensions."""
    return _reduced()


@st.composite
def _reduced(draw: DrawFn) -> Tensors:
    return _draw(draw, WITH_NUMBERS)


@functools.cache
@classes(
    {
        "three ranks or more": lambda case: case.size > 2,
        "float32": lambda case: case.dtype == "float32",
        "-0.0 on all ranks": lambda case: bool((torch.stack(case.rough) == 0).any()),
    }
)
def rough() -> SearchStrategy[Tensors]:
    """Floats, for ranks that may add them in another order each."""
    return _rough()


@st.composite
def _rough(draw: DrawFn) -> Tensors:
    size, shape = pick(draw, (3, 4, 5, 6, 7, 8)), pick(draw, ((3,), (7,), (2, 3), ()))
    return Tensors((shape,) * size, pick(draw, ("float32", "float64")), draw(st.integers(1, 999)))


@functools.cache
@classes(
    RANKS
    | {
        "as many rows each": lambda case: case.size > 1 and len({*case.shapes}) == 1,
        "other numbers of rows": lambda case: len({*case.shapes}) > 1,
        "one without rows": lambda case: any(shape[0] == 0 for shape in case.shapes) and any(s[0] for s in case.shapes),
    }
)
def gathered() -> SearchStrategy[Tensors]:
    """Shapes that may differ in dimension 0."""
    return _gathered()


@st.composite
def _gathered(draw: DrawFn) -> Tensors:
    case = _draw(draw, SHAPES)
    if pick(draw, (True, True, False)):
        rows = [draw(st.integers(0, 4)) for _ in case.shapes]
        return case._replace(shapes=tuple((count, *case.shapes[0][1:]) for count in rows))
    return case


@functools.cache
@classes(
    RANKS
    | NUMBER
    | {
        "root is not given": lambda case: case.root is None,
        "root is 0": lambda case: case.root == 0,
        "root is another one": lambda case: case.root,
        "root is the last one": lambda case: case.root and case.root == case.size - 1,
    }
)
def spread() -> SearchStrategy[Tensors]:
    """One tensor, and whose it is."""
    return _spread()


@st.composite
def _spread(draw: DrawFn) -> Tensors:
    case = _draw(draw, WITH_NUMBERS)
    root = pick(draw, (None, case.size - 1, draw(st.integers(0, case.size - 1)), 0, case.size // 2))
    return case._replace(root=root)
