"""What hypothesis draws for kata 16 of four bits: values, bytes, and sizes of tensors."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from torch import Tensor

from dojo.judging.classes import classes

from ..shared.shapes import Shape, integers, pick, shapes
from .numbers import written


class Integers(NamedTuple):
    """A tensor of small integers, of that dtype."""

    values: tuple[int, ...]
    shape: Shape
    dtype: str

    def tensor(self) -> Tensor:
        """As a tensor."""
        return torch.tensor(self.values, dtype=getattr(torch, self.dtype)).reshape(self.shape)

    def code(self) -> str:
        """The code that makes it."""
        return written(self.values, self.shape, self.dtype)


INT4 = (1, 2, 3, -1, 5, 7, -8, 6, 4, -2, -3, -4, -5, -6, -7, 0)


def _ints(draw: DrawFn, shape: Shape) -> Integers:
    count = math.prod(shape)
    return Integers(tuple(INT4[(draw(st.integers(0, 15)) + place) % 16] for place in range(count)), shape, "int8")


SHAPES = {
    "odd": lambda case: case.shape[-1] % 2,
    "even": lambda case: case.shape[-1] and case.shape[-1] % 2 == 0,
    "several odd rows": lambda case: case.shape[-1] % 2 and math.prod(case.shape[:-1]) > 1,
    "three dimensions": lambda case: len(case.shape) == 3,
    "rows of nothing": lambda case: case.shape[-1] == 0,
    "no rows": lambda case: 0 in case.shape[:-1],
}


@functools.cache
@classes(
    {
        **SHAPES,
        "negative ones": lambda case: min(case.values, default=0) < 0,
        "both ends": lambda case: {-8, 7} <= {*case.values},
        "four dimensions": lambda case: len(case.shape) == 4,
        "many values": lambda case: case.shape[-1] > 32,
    }
)
def unpacked() -> SearchStrategy[Integers]:
    """int4 values in int8."""
    return _unpacked()


@st.composite
def _unpacked(draw: DrawFn) -> Integers:
    shape = draw(shapes(4, 5, fewest_dims=1, simplest=3))
    return _ints(draw, pick(draw, (shape,) * 9 + ((2, 35),)))


@functools.cache
@classes(
    {
        "8": lambda case: 8 in case.values,
        "-9": lambda case: -9 in case.values,
        "15": lambda case: 15 in case.values,
        "too small": lambda case: min(case.values) < -8,
        "too large": lambda case: max(case.values) > 7,
        "three dimensions": lambda case: len(case.shape) == 3,
        "behind many others": lambda case: all(-8 <= value <= 7 for value in case.values[:8]),
        "in the last place": lambda case: not -8 <= case.values[-1] <= 7,
        "too small and too large by the same": lambda case: (
            min(case.values) < -8 and min(case.values) + max(case.values) == -1
        ),
    }
)
def no_int4() -> SearchStrategy[Integers]:
    """Values of which one does not fit four bits."""
    return _no_int4()


@st.composite
def _no_int4(draw: DrawFn) -> Integers:
    right = _ints(draw, pick(draw, ((3,), (2, 2), (4,), (1, 3), (1,), (2, 2, 2), (2, 10), (2, 10))))
    place = draw(st.integers(0, len(right.values) - 1))
    values = [*right.values]
    values[place] = pick(draw, (8, -9, 15, 127, -128, 16, -16, 8, -9))
    columns = right.shape[-1]
    if columns > 1 and pick(draw, (False, False, True)):  # so that the sum of the row tells nothing
        values[place - 1 if place % columns else place + 1] = -1 - values[place]
    return Integers(tuple(values), right.shape, "int8")


class Packed(NamedTuple):
    """Bytes, and how many values of each row are in them."""

    values: tuple[int, ...]
    shape: Shape
    size: int

    def tensor(self) -> Tensor:
        """As a tensor."""
        return torch.tensor(self.values, dtype=torch.uint8).reshape(self.shape)

    def code(self) -> str:
        """The code that makes it."""
        return written(self.values, self.shape, "uint8")


@functools.cache
@classes(
    {
        "an odd size": lambda case: case.size % 2,
        "an even size": lambda case: case.size and case.size % 2 == 0,
        "something in the unused half": lambda case: case.size % 2 and any(byte > 15 for byte in case.values),
        "a size of 0": lambda case: case.size == 0,
        "several rows": lambda case: math.prod(case.shape[:-1]) > 1,
        "no rows": lambda case: 0 in case.shape[:-1],
        "three dimensions": lambda case: len(case.shape) == 3,
        "four dimensions": lambda case: len(case.shape) == 4,
        "many values": lambda case: case.size > 16,
        "a value of -8": lambda case: any(byte % 16 == 8 or byte // 16 == 8 for byte in case.values),
    }
)
def packed() -> SearchStrategy[Packed]:
    """Any bytes, for as many values as they may hold."""
    return _packed()


@st.composite
def _packed(draw: DrawFn, wrong: bool = False) -> Packed:
    size, rows = pick(draw, (3, 4, 5, 1, 7, 2, 0, 6, 35, 18, 0)), draw(shapes(3, 3))
    given = -(-size // 2)
    if wrong:
        given = max(given + pick(draw, (1, -1, 2, -given, size - given)), 0)
        given += given == -(-size // 2)
    count = math.prod(rows) * given
    values = tuple((draw(st.integers(0, 255)) + 33 + 17 * place) % 256 for place in range(count))
    return Packed(values, (*rows, given), size)


@functools.cache
@classes(
    {
        "a byte for each value": lambda case: case.shape[-1] == case.size > 1,
        "too many bytes": lambda case: case.shape[-1] > -(-case.size // 2),
        "too few": lambda case: case.shape[-1] < -(-case.size // 2),
        "one too few, of an odd size": lambda case: case.size % 2 and case.shape[-1] == case.size // 2,
        "no rows": lambda case: 0 in case.shape[:-1],
        "a size of 0": lambda case: case.size == 0,
        "three dimensions": lambda case: len(case.shape) == 3,
        "one more byte": lambda case: case.shape[-1] == -(-case.size // 2) + 1,
    }
)
def not_packed() -> SearchStrategy[Packed]:
    """Too many bytes, or too few."""
    return _packed(wrong=True)


class Sized(NamedTuple):
    """A tensor by its shape, and how it is stored; None where that is left out."""

    shape: Shape
    bits: int
    group: int | None
    scale_bytes: int | None

    def arguments(self) -> tuple[object, ...]:
        """As they are given."""
        scale = [] if self.scale_bytes is None else [self.scale_bytes]
        return (self.shape, self.bits, *([self.group] if scale or self.group is not None else []), *scale)


def _values(case: Sized) -> int:
    return case.shape[-1] if case.shape else 1


@functools.cache
@classes(
    {
        "0-d": lambda case: case.shape == (),
        "rows that fill no whole bytes": lambda case: _values(case) * case.bits % 8 and math.prod(case.shape[:-1]) > 1,
        "three dimensions": lambda case: len(case.shape) == 3,
        "bits that divide no byte": lambda case: 8 % case.bits and case.bits % 8,
        "more than 8 bits": lambda case: case.bits > 8,
        "one scale": lambda case: case.group is None,
        "one scale of other bytes": lambda case: case.group is None and case.scale_bytes,
        "a short last group": lambda case: case.group and _values(case) % case.group,
        "several groups": lambda case: case.group and _values(case) > case.group,
        "a group larger than a row": lambda case: case.group and 0 < _values(case) < case.group,
        "no values, in groups": lambda case: case.group and not math.prod(case.shape),
        "four dimensions": lambda case: len(case.shape) == 4,
        "more than 32 bits": lambda case: case.bits > 32,
        "a large group": lambda case: case.group and case.group > 16 and _values(case) > case.group,
        "scales of more than 4 bytes": lambda case: (case.scale_bytes or 0) > 4,
        "scales of other bytes": lambda case: case.scale_bytes not in (None, 2),
    }
)
def stored_tensors() -> SearchStrategy[Sized]:
    """Small tensors, in any number of bits."""
    return _stored_tensors()


@st.composite
def _stored_tensors(draw: DrawFn) -> Sized:
    shape = draw(shapes(4, 7, simplest=3))
    shape, group = pick(draw, ((shape, pick(draw, (None, 2, 3, 4, 1, 16))),) * 9 + (((2, 70), 32),))
    if group is None and not math.prod(shape):
        group = 2
    return Sized(shape, pick(draw, (4, 3, 1, 2, 5, 6, 8, 12, 16, 64)), group, pick(draw, (None, 1, 2, 4, 3, 8)))


class Enlarged(NamedTuple):
    """A small tensor, how many times as many rows and values a row a huge one has, and so how many times the bytes."""

    small: Sized
    rows: int
    values: int

    def huge(self) -> Sized:
        """The huge one."""
        rows, values = self.small.shape
        return self.small._replace(shape=(rows * self.rows, values * self.values))


@functools.cache
@classes(
    {
        "beyond what a float holds": lambda case: math.prod(case.huge().shape) > 2**54,
        "many rows": lambda case: case.rows > 1,
        "long rows": lambda case: case.values > 1,
        "an odd number of bits": lambda case: case.small.bits % 2,
        "one scale": lambda case: case.small.group is None,
    }
)
def huge_tensors() -> SearchStrategy[Enlarged]:
    """Tensors of one scale or in groups, whose rows and groups are whole, so that bytes grow with the sizes."""
    return _huge_tensors()


@st.composite
def _huge_tensors(draw: DrawFn) -> Enlarged:
    group = pick(draw, (2, 8, None, 4, 1))
    small = Sized((draw(integers(3, 5)), 8 * draw(integers(2, 4))), pick(draw, (4, 3, 5, 8)), group, pick(draw, (2, 1)))
    rows, values = pick(draw, ((0, 61), (31, 30), (61, 0), (40, 33)))
    return Enlarged(
        small, 2**rows + draw(st.integers(0, 9)) if rows else 1, 2**values + draw(st.integers(0, 9)) if values else 1
    )
