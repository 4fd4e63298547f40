"""What hypothesis draws for kata 22 of what is clipped."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import Shape, pick, shapes
from .typed import tensor, values


class Clip(NamedTuple):
    """A tensor and the norm that it may have."""

    shape: Shape
    numbers: list[float]
    dtype: str
    limit: float
    turned: bool = False

    @property
    def made(self) -> str:
        """The line that makes x; turned: its last two dimensions lie in memory the other way round."""
        if self.turned:
            *lead, rows, columns = self.shape
            return f"x = {tensor((*lead, columns, rows), self.numbers, self.dtype)}.mT"
        return f"x = {tensor(self.shape, self.numbers, self.dtype)}"

    @property
    def norm(self) -> float:
        """How long it is."""
        return math.hypot(*self.numbers)


@functools.cache
@classes(
    {
        "longer": lambda case: case.norm > case.limit,
        "a little longer": lambda case: case.limit < case.norm < 2 * case.limit,
        "longer by less than a hundredth": lambda case: case.limit * 1.001 < case.norm < case.limit * 1.01,
        "shorter": lambda case: 0 < case.norm < case.limit,
        "a little shorter": lambda case: case.limit / 2 < case.norm < case.limit,
        "as long": lambda case: 0 < case.norm == case.limit,
        "zeros": lambda case: math.prod(case.shape) > 0 == case.norm,
        "no elements": lambda case: 0 in case.shape,
        "0-d": lambda case: case.shape == (),
        "longer by the sum of its elements alone": lambda case: case.norm < case.limit < sum(map(abs, case.numbers)),
        "several dimensions": lambda case: len(case.shape) > 1 and 0 < case.limit < case.norm,
        "a long one": lambda case: case.norm > 500,
        "turned in memory": lambda case: case.turned and min(case.shape[-2:]) > 1,
        "float32": lambda case: case.dtype == "float32",
        "float64": lambda case: case.dtype == "float64",
    }
)
@st.composite
def clips(draw: DrawFn) -> Clip:
    """What is longer than the limit, or not, zeros and nothing among it."""
    shape = draw(shapes(3, 3))
    turned: bool = len(shape) > 1 and pick(draw, (False, True, False))
    if turned:
        shape = *shape[:-2], max(shape[-2], 2), max(shape[-1], 2)
    dtype = pick(draw, ("float32", "float64"))
    kind = pick(draw, ("any", "close", "any", "close", "zeros", "exact"))
    size = math.prod(shape)
    numbers = [2 * x for x in values(draw, size)]
    if kind == "zeros":
        numbers = [0.0] * size
    if kind == "exact":
        shape, numbers = pick(draw, (((2,), [3.0, 4.0]), ((2, 1), [-3.0, 4.0]), ((), [-5.0]), ((3,), [5.0, 0.0, 0.0])))
        return Clip(shape, numbers, dtype, 5.0)
    times = pick(draw, (1, 1, 1000))
    numbers = [times * x for x in numbers]
    limit = pick(draw, (1.0, 2.5, 0.5, 10.0, 0.125, 100.0))
    if kind == "close" and any(numbers):
        norm, part = math.hypot(*numbers), pick(draw, (0.75, 1.25, 0.995, 0.9, 1.125, 1.5))
        limit = round(norm * part, 3) if part == 0.995 else math.ceil(8 * norm * part) / 8
    return Clip(shape, numbers, dtype, limit, turned)
