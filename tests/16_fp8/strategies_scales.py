"""What hypothesis draws for kata 16 of scales: tensors with blocks, and amaxes of steps."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from torch import Tensor

from dojo.judging.classes import classes

from ..shared.shapes import Shape, pick, shapes, sizes
from .numbers import SPECIAL, numbers, written

WIDE = ("float32", "bfloat16", "float16")
FP8 = ("float8_e4m3fn", "float8_e5m2")
TINY, HUGE = 2.0**-88, 2.0**100
"""Times these, a number is smaller than any that somebody adds to a scale, and its square is none of float32."""
FACTORS = {
    "float32": (1.0, 1.0, 4 / 3, 4 / 3 * TINY, 4 / 3 * HUGE),
    "bfloat16": (1.0, 1.0, TINY, HUGE),
    "float16": (1.0, 2.0**6, 2.0**-24, 2.0**6, 2.0**-10, *[2.0**-24] * 3),
}
"""What the numbers of a dtype are multiplied with; 4 / 3 makes some that only float32 holds."""
FILLS = ("numbers", "nan", "inf", "special", "zeros", "numbers", "largest", "largest")


class Scaled(NamedTuple):
    """A tensor by its numbers, the sizes of its blocks, and the dtype that its scales are for, "" by default."""

    values: tuple[float, ...]
    shape: Shape
    dtype: str
    block: tuple[int, int] | None
    fp8: str

    def tensor(self) -> Tensor:
        """The tensor."""
        return torch.tensor(self.values, dtype=getattr(torch, self.dtype)).reshape(self.shape)

    def code(self) -> str:
        """The code that makes it."""
        return written(self.values, self.shape, self.dtype)


def _scaled(draw: DrawFn, shape: Shape, block: tuple[int, int] | None, dtypes: tuple[str, ...] = WIDE) -> Scaled:
    count = math.prod(shape)
    fill = pick(draw, FILLS if count < 16 else FILLS[:-2])  # few numbers show as much as many
    values = [0.0] * count if fill == "zeros" else numbers(draw, count, SPECIAL if fill == "special" else ())
    if fill in ("nan", "inf") and count:
        values[draw(st.integers(0, count - 1))] = pick(draw, (1, -1)) * float(fill)
    dtype = pick(draw, dtypes)
    factor = pick(draw, FACTORS[dtype])
    if fill == "largest":  # each is finite, and the sum of any two is not
        values, factor = [math.frexp(value)[0] for value in values], 2.0**16 if dtype == "float16" else 2.0**128
    elif factor == 2.0**-24 and fill in ("zeros", "special"):
        # They are smaller than the normal numbers of float16, and many become 0.
        values = numbers(draw, count)
    return Scaled(tuple(value * factor for value in values), shape, dtype, block, pick(draw, ("", *FP8)))


def _sum_is_inf(case: Scaled) -> bool:
    largest = torch.finfo(getattr(torch, case.dtype)).max
    return largest < sum(map(abs, case.values)) < math.inf


KINDS: dict[str, Callable[[Scaled], object]] = {
    "bfloat16": lambda case: case.dtype == "bfloat16",
    "float16": lambda case: case.dtype == "float16",
    "for e5m2": lambda case: case.fp8 == "float8_e5m2",
    "for e4m3 by default": lambda case: not case.fp8,
    "the largest magnitude is negative": lambda case: -min(case.values, default=0.0) > max(case.values, default=0.0),
    "inf": lambda case: math.inf in map(abs, case.values),
    "nan, and no inf": lambda case: any(map(math.isnan, case.values)) and math.inf not in map(abs, case.values),
    "tiny numbers": lambda case: 0 < max((abs(x) for x in case.values if x == x), default=0.0) < 2.0**-40,
    "huge numbers": lambda case: max((abs(x) for x in case.values if math.isfinite(x)), default=0.0) > 2.0**80,
    "float32 numbers that bfloat16 has not": lambda case: (
        case.dtype == "float32" and any(x != torch.tensor(x).bfloat16().item() for x in case.values if math.isfinite(x))
    ),
    "float16 numbers beyond 2**12": lambda case: (
        case.dtype == "float16" and max((abs(x) for x in case.values if math.isfinite(x)), default=0.0) > 2**12
    ),
    "subnormal float16 numbers": lambda case: (
        case.dtype == "float16" and 2.0**-24 <= max((abs(x) for x in case.values), default=0.0) < 2.0**-14
    ),
    "numbers whose sum is beyond their dtype": _sum_is_inf,
    "zeros": lambda case: case.values and not any(case.values),
    "no values": lambda case: not case.values,
}


@functools.cache
@classes(
    {
        **KINDS,
        "0-d": lambda case: case.shape == (),
        "three dimensions": lambda case: len(case.shape) == 3,
        "four dimensions": lambda case: len(case.shape) == 4,
        "many numbers": lambda case: len(case.values) > 64,
    }
)
def whole() -> SearchStrategy[Scaled]:
    """Tensors of any shape, with one scale."""
    return _whole()


@st.composite
def _whole(draw: DrawFn) -> Scaled:
    shape = draw(shapes(4, 3))
    return _scaled(draw, pick(draw, (shape,) * 9 + ((70,),)), None)


def _ragged(dim: int) -> Callable[[Scaled], object]:
    return lambda case: case.block and case.shape[dim] % case.block[dim] and case.shape[dim] > case.block[dim]


def _some_bad(case: Scaled) -> bool:
    return not all(map(math.isfinite, case.values)) and any(map(math.isfinite, case.values))


@functools.cache
@classes(
    {
        **KINDS,
        "a short last row of blocks": _ragged(0),
        "a short last column of blocks": _ragged(1),
        "a block that is larger than x": lambda case: case.block and case.block[0] > case.shape[0] > 0,
        "rows": lambda case: case.block and case.block[0] == 1 and case.block[1] >= case.shape[1] > 1,
        "some not finite": _some_bad,
        "many rows": lambda case: case.shape[0] > 8,
        "large blocks": lambda case: case.block and case.block[0] > 8,
        "blocks are no squares": lambda case: case.block and case.block[0] != case.block[1],
    }
)
def blocked() -> SearchStrategy[Scaled]:
    """Matrices, with a scale for each block."""
    return _blocked()


@st.composite
def _blocked(draw: DrawFn) -> Scaled:
    shape = pick(draw, ((draw(sizes(5, 3)), draw(sizes(5, 4))),) * 7 + ((19, 2),))
    mixed = (draw(st.sampled_from((2, 1, 3, 4, 7))), draw(st.sampled_from((3, 2, 1, 4, 8))))
    block = pick(draw, (mixed,) * 6 + ((1, 8), (1, 8), (9, 2)))
    return _scaled(draw, shape, block)


@functools.cache
@classes(
    {
        "in blocks": lambda case: case.block,
        "whole": lambda case: not case.block,
        "whole, and some not finite": lambda case: not case.block and not all(map(math.isfinite, case.values)),
        "whole, of float32, and some negative": lambda case: (
            not case.block and case.dtype == "float32" and min(case.values) < 0
        ),
        "0-d": lambda case: case.shape == (),
    }
)
def any_scaled() -> SearchStrategy[Scaled]:
    """Tensors with one scale, and matrices with one for each block."""
    return _any_scaled()


@st.composite
def _any_scaled(draw: DrawFn) -> Scaled:
    shape = pick(draw, ((2, 3), (3, 2), (2, 4), (4, 3), (2, 2, 3), (3,), ()))
    block = pick(draw, (None, (2, 1), (1, 8), (2, 3))) if len(shape) == 2 else None
    return _scaled(draw, shape, block, ("float32", *WIDE))


class Steps(NamedTuple):
    """The amaxes of steps, a window, and the largest number, None by default."""

    amaxes: list[float]
    window: int
    largest: float | None

    def arguments(self) -> tuple[object, ...]:
        """As they are given."""
        return (self.amaxes, self.window, *([] if self.largest is None else [self.largest]))


def _zeros_fill_the_window(case: Steps) -> bool:
    good = [amax for amax in case.amaxes if math.isfinite(amax)]
    ends = range(case.window, len(good))
    return any(not any(good[end - case.window : end]) and any(good[:end]) for end in ends)


@functools.cache
@classes(
    {
        "no steps": lambda case: not case.amaxes,
        "a window of 1": lambda case: case.window == 1,
        "a window that is longer than the steps": lambda case: case.window > len(case.amaxes) > 1,
        "more steps than the window": lambda case: len(case.amaxes) > case.window + 1,
        "inf": lambda case: math.inf in case.amaxes,
        "nan": lambda case: any(map(math.isnan, case.amaxes)),
        "begins with 0": lambda case: case.amaxes[:1] == [0.0],
        "begins with inf or nan": lambda case: case.amaxes and not math.isfinite(case.amaxes[0]),
        "nothing but 0 in the window, after something": _zeros_fill_the_window,
        "smaller than what somebody adds to a scale": lambda case: any(0 < amax < 2**-40 for amax in case.amaxes),
        "a window of many steps that are there": lambda case: len(case.amaxes) > case.window + 1 > 17,
        "float64 numbers": lambda case: any(
            amax != torch.tensor(amax).item() for amax in case.amaxes if math.isfinite(amax)
        ),
        "huge": lambda case: any(2.0**80 < amax < math.inf for amax in case.amaxes),
        "beyond float32": lambda case: any(1e40 < amax < math.inf for amax in case.amaxes),
        "above 0, and 0 in float32": lambda case: any(0 < amax < 1e-46 for amax in case.amaxes),
        "of e4m3 by default": lambda case: case.largest is None,
        "of e5m2": lambda case: case.largest == 57344.0,
    }
)
def steps() -> SearchStrategy[Steps]:
    """Amaxes of up to nine steps."""
    return _steps()


@st.composite
def _steps(draw: DrawFn) -> Steps:
    window = pick(draw, (2, 3, 1, 4, 2, 10))
    special: tuple[float, ...] = pick(draw, ((), (0.0,), (0.0,), (math.inf, math.nan), (0.0, math.inf, math.nan)))
    unit = pick(draw, (1.0, 1.0, 1.0, TINY, 4 / 3, HUGE, 1e45, 1e-50))
    amaxes = [abs(amax) * unit for amax in numbers(draw, draw(st.sampled_from((4, 3, 6, 9, 1, 0))))]
    if pick(draw, (*[False] * 9, True)):  # one step is long the largest
        window = pick(draw, (35, 18))
        amaxes += [place % 7 * unit / 2**14 for place in range(40)]
    for place in range(len(amaxes)):
        if len(special) > 0 and pick(draw, (False, False, True)):
            amaxes[place] = pick(draw, special)
    if 0.0 in special and pick(draw, (False, False, True)):
        start = draw(st.integers(0, 3))
        amaxes[start : start + window] = [0.0] * len(amaxes[start : start + window])
    return Steps(amaxes, window, pick(draw, (None, 57344.0, 6.0)))


@functools.cache
@classes(
    {
        "0": lambda case: case.window == 0,
        "negative": lambda case: case.window < 0,
        "no steps": lambda case: not case.amaxes,
    }
)
def no_windows() -> SearchStrategy[Steps]:
    """Windows of less than a step."""
    return st.builds(Steps, st.sampled_from(([3.0, 5.0], [2.0], [])), st.sampled_from((0, -1, -3)), st.none())
