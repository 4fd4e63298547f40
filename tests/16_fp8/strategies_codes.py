"""What hypothesis draws for kata 16 of fp8 and int8: numbers at codes, between them and beyond, and what comes back."""

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

from ..shared.described import Lines
from ..shared.shapes import Shape, pick, shapes
from . import truth
from .numbers import numbers, written
from .strategies_scales import FP8, HUGE, TINY


class Quantized(NamedTuple):
    """A program that quantizes, and what its numbers are."""

    lines: Lines
    fp8: str
    dtype: str
    kinds: tuple[str, ...]
    scales: str
    dims: int = 2
    scale_dims: int = 2
    is_tiny: bool = False
    is_far: bool = False

    def followed(self) -> Quantized:
        """The same with another call after it."""
        return self._replace(lines=[*self.lines, self.lines[-1].replace("q = quantize(x", "quantize(-x")])


EXACT = (
    "between",
    "a tie",
    "a code",
    "just above a tie",
    "just below a tie",
    "subnormal",
    "next to nothing",
    "beyond",
    "inf",
    "nan",
    "zero",
    "a tie",
    "near a subnormal tie",
    "just below the largest",
)
NEAR = ("between", "a tie", "a tie", "between", "a tie", "beyond", "zero", "nan")
LAYOUTS = ("0-d", "one", "rows", "columns", "each", "vector")


def _at(draw: DrawFn, kind: str, dtype: torch.dtype, place: int) -> float:
    """A number of that kind, for a scale of 1; those beside a tie are its neighbours in float32."""
    every, _ = truth.codes(dtype)
    largest = every[-1].item()
    sign = pick(draw, (1.0, -1.0))
    if kind == "between":
        return numbers(draw, place + 1)[-1] if place < 2 else numbers(draw, 1)[0]
    if kind in ("inf", "nan", "zero"):
        return sign * {"inf": math.inf, "nan": math.nan, "zero": 0.0}[kind]
    if kind == "beyond":
        return sign * largest * pick(draw, (1.25, 1.03125, 1.0625, 2.0**70, 1.5, 4.0, 2.0**30, 2.0**70))
    if kind == "just below the largest":
        return sign * largest * pick(draw, (0.984375, 0.96875, 0.9375))
    codes = every[every >= 0].tolist()
    if kind == "next to nothing":
        return float(sign * codes[1]) * pick(draw, (0.25, 0.5, 0.125))
    if kind == "subnormal":
        return float(sign * codes[1]) * pick(draw, (1.0, 1.25, 1.5, 0.75, 2.25))
    if kind == "near a subnormal tie":  # and a tie once its mantissa is rounded as that of a normal number
        return float(sign * codes[1]) * pick(draw, (2.53125, 1.46875, 0.515625, 3.46875))
    at = draw(st.integers(0, len(codes) - 2))
    at = (at + len(codes) * 2 // 3) % (len(codes) - 1)  # simplest: small numbers, and no subnormal ones
    if kind == "a code":
        return float(sign * codes[at])
    tie = torch.tensor((codes[at] + codes[at + 1]) / 2)
    towards = {"a tie": tie, "just above a tie": torch.tensor(math.inf), "just below a tie": torch.tensor(0.0)}[kind]
    return float(sign * torch.nextafter(tie, towards).item())


def _scale_shape(layout: str, shape: Shape) -> Shape:
    rows, columns = (*shape[:-1], 1), (*[1] * (len(shape) - 1), *shape[-1:])
    by_layout = {"0-d": (), "one": (1,), "rows": rows, "columns": columns, "each": shape, "vector": shape[-1:]}
    return by_layout[layout]


def _has(kind: str) -> Callable[[Quantized], bool]:
    return lambda case: kind in case.kinds


CLASSES: dict[str, Callable[[Quantized], object]] = {
    "to e5m2": lambda case: case.fp8 == "float8_e5m2",
    "to e4m3 by default": lambda case: not case.fp8,
    "bfloat16": lambda case: case.dtype == "bfloat16",
    **{f"{layout} scale": lambda case, layout=layout: case.scales == layout for layout in LAYOUTS},  # type: ignore[misc]
}


@functools.cache
@classes(
    {
        **CLASSES,
        **{kind: _has(kind) for kind in dict.fromkeys(EXACT)},
        "empty": lambda case: not case.kinds,
        "no matrix": lambda case: case.dims != 2,
        "scales of three dimensions": lambda case: case.scale_dims == 3,
        "two matrices with the same scales": lambda case: case.dims == 3 and case.scale_dims < 3,
        "far beyond": lambda case: case.is_far,
        "another call after it": lambda case: "(-x" in case.lines[-1],
        "many numbers": lambda case: len(case.kinds) > 16,
        "scales smaller than what somebody adds to them": lambda case: case.is_tiny,
        "a vector of scales, as many as rows": lambda case: case.scales == "vector" and len(case.kinds) in (4, 9),
    }
)
def exact() -> SearchStrategy[Quantized]:
    """Programs whose scales are powers of two, so that there is but one right number."""
    return _exact()


@st.composite
def _exact(draw: DrawFn) -> Quantized:
    fp8 = pick(draw, ("", "float8_e5m2", "float8_e4m3fn", "float8_e5m2"))
    dtype = getattr(torch, fp8 or "float8_e4m3fn")
    bfloat16 = pick(draw, (False, False, True))
    dims, tiny = pick(draw, (2, 2, 3, 1, 2, 0, 3)), pick(draw, (False, False, False, True))
    rows, columns = pick(draw, (2, 1, 2, 0)) if dims > 1 else 1, pick(draw, (3, 2, 4, 1)) if dims else 1
    layout = pick(draw, LAYOUTS[2:] if dims == 3 else (*LAYOUTS, "vector"))
    if layout == "vector" and dims == 2 and rows:  # as many rows as scales
        rows = columns = pick(draw, (3, 3, 2))
    if dims == 2 and pick(draw, (*[False] * 3, True)):
        rows, columns = 3, 6
    whole = (2 if dims == 3 else 1, rows, columns)
    shape = _scale_shape(layout, whole[3 - max(dims, 2) :])
    if dims == 3 and pick(draw, (False, True, False)):  # the same scales for both matrices
        shape = shape[-2:]
    scales = torch.tensor([2.0 ** draw(st.integers(-6, 6)) for _ in range(math.prod(shape))]).reshape(shape)
    scales *= TINY if tiny else 1
    kinds = tuple(pick(draw, EXACT) for _ in range(math.prod(whole)))
    if bfloat16:  # which has no room for a neighbour
        kinds = tuple("a tie" if kind.startswith("just") else kind for kind in kinds)
    unscaled = [_at(draw, kind, dtype, place) for place, kind in enumerate(kinds)]
    x = (torch.tensor(unscaled).reshape(whole) * scales).reshape(whole[3 - dims :])
    scales = scales.reshape(scales.shape[max(scales.ndim - dims, 0) :])
    far = any(abs(value) > 2.0**29 and math.isfinite(value) for value in unscaled)
    program = _program(x, scales, fp8, bfloat16, kinds, layout)
    program = program._replace(dims=dims, scale_dims=scales.ndim, is_tiny=tiny, is_far=far)
    return program.followed() if pick(draw, (*[False] * 5, True)) else program


def _program(x: Tensor, scales: Tensor, fp8: str, bfloat16: bool, kinds: tuple[str, ...], layout: str) -> Quantized:
    dtype = "bfloat16" if bfloat16 else "float32"
    lines = [f"x = {written(x.flatten().tolist(), tuple(x.shape), dtype)}"]
    lines.append(f"scale = {written(scales.flatten().tolist(), tuple(scales.shape))}")
    lines.append(f"q = quantize(x, scale{', torch.' + fp8 if fp8 else ''})")
    return Quantized(lines, fp8, dtype, kinds, layout)


@functools.cache
@classes(CLASSES)
def inexact() -> SearchStrategy[Quantized]:
    """Programs with scales that are no powers of two."""
    return _inexact()


@st.composite
def _inexact(draw: DrawFn) -> Quantized:
    fp8 = pick(draw, ("", "float8_e5m2", "float8_e4m3fn"))
    rows, columns, layout = pick(draw, (2, 1)), pick(draw, (6, 4)), pick(draw, ("0-d", *LAYOUTS))
    shape = _scale_shape(layout, (rows, columns))
    drawn = [abs(value) * (1 + 1 / 3) for value in numbers(draw, math.prod(shape))]
    scales = torch.tensor(drawn).reshape(shape)
    kinds = tuple(pick(draw, NEAR) for _ in range(rows * columns))
    values = [_at(draw, kind, getattr(torch, fp8 or "float8_e4m3fn"), 0) for kind in kinds]
    x = torch.tensor(values).reshape(rows, columns) * scales
    bfloat16 = pick(draw, (True, False, True))  # beside a tie, whose quotient bfloat16 rounds to the tie
    return _program(x.bfloat16() if bfloat16 else x, scales, fp8, bfloat16, kinds, layout)


class Stored(NamedTuple):
    """A program that dequantizes; its arguments."""

    lines: Lines
    dtype: str
    values: tuple[float, ...]
    scales: str
    zero_point: int | None
    dims: int = 2
    is_tiny: bool = False


@functools.cache
@classes(
    {
        **{dtype: lambda case, dtype=dtype: case.dtype == dtype for dtype in ("int8", *FP8)},  # type: ignore[misc]
        **{f"{layout} scale": lambda case, layout=layout: case.scales == layout for layout in ("float", *LAYOUTS)},  # type: ignore[misc]
        "a difference beyond int8": lambda case: any(abs(q - (case.zero_point or 0)) > 128 for q in case.values),
        "codes at both ends": lambda case: case.dtype == "int8" and {-128, 127} & {*case.values},
        "a zero point of -128": lambda case: case.zero_point == -128,
        "a zero point of 127": lambda case: case.zero_point == 127,
        "no zero point": lambda case: case.zero_point is None,
        "inf": lambda case: math.inf in map(abs, case.values),
        "scales smaller than what somebody adds to them": lambda case: case.is_tiny,
        "one dimension": lambda case: case.dims == 1,
        "three dimensions": lambda case: case.dims == 3,
        "many numbers": lambda case: len(case.values) > 16,
        "nan": lambda case: any(map(math.isnan, case.values)),
        "0-d": lambda case: ", dtype" in case.lines[0].partition("]")[0],
        "another call after it": lambda case: "2 * scale" in case.lines[-1],
        "a vector of scales, as many as rows": lambda case: case.scales == "vector" and len(case.values) == 9,
    }
)
def stored() -> SearchStrategy[Stored]:
    """Programs that dequantize fp8 numbers or int8 codes."""
    return _stored()


@st.composite
def _stored(draw: DrawFn) -> Stored:
    dtype = pick(draw, ("int8", "float8_e4m3fn", "int8", "float8_e5m2", "int8"))
    shape: Shape = pick(draw, ((2, 3), (3, 1), (4, 2), (5,), (2, 1, 3), (3, 6), (0, 2), ()))
    layout = pick(draw, ("float", *LAYOUTS)) if shape else pick(draw, ("float", "0-d"))
    if layout == "vector" and len(shape) == 2 and shape[0]:  # as many rows as scales
        shape = (3, 3)
    count = math.prod(shape)
    if dtype == "int8":
        ends = (*range(-128, 128, 17), 127, 127, -128)
        values = [pick(draw, ends) if pick(draw, (True, False)) else draw(st.integers(3, 120)) for _ in range(count)]
        zero_point = pick(draw, (None, 5, -128, 127, -7, 100))
    else:
        every, _ = truth.codes(getattr(torch, dtype))
        numbers_of = [*every[len(every) * 4 // 5 :: 7].tolist(), *every.tolist(), *[math.nan] * 20]
        if dtype == "float8_e5m2":
            numbers_of += [math.inf, -math.inf] * 20
        values = [pick(draw, numbers_of) for _ in range(count)]
        zero_point = pick(draw, (None, None, 0))
    shape_of_scale = _scale_shape(layout, shape) if layout != "float" else ()
    scales = [abs(value) * (1 + 1 / 3) for value in numbers(draw, math.prod(shape_of_scale))]
    tiny = pick(draw, (False, False, False, True))
    scales = [value * TINY if tiny else value for value in scales]
    scale = repr(scales[0]) if layout == "float" else written(scales, shape_of_scale)
    lines = [f"q = {written(values, shape, dtype)}", f"scale = {scale}"]
    rest = "" if zero_point is None else f", {zero_point}"
    lines.append(f"y = dequantize(q, scale{rest})")
    lines += [f"dequantize(q, 2 * scale{rest})"] if pick(draw, (*[False] * 5, True)) else []
    return Stored(lines, dtype, tuple(values), layout, zero_point, len(shape), tiny)


class Ranged(NamedTuple):
    """Numbers to be stored in int8."""

    values: tuple[float, ...]
    shape: Shape
    symmetric: bool | None

    def tensor(self) -> Tensor:
        """As a tensor."""
        return torch.tensor(self.values).reshape(self.shape)

    def code(self) -> str:
        """The code that makes it."""
        return written(self.values, self.shape)


RANGES = ("both", "positive", "a 0", "negative", "halves", "zeros", "far from 0", "halves", "a 0")


@functools.cache
@classes(
    {
        "symmetric by default": lambda case: case.symmetric is None,
        "asymmetric": lambda case: case.symmetric is False,
        "asymmetric, all above 0": lambda case: case.symmetric is False and min(case.values, default=0) > 0,
        "asymmetric, all below 0": lambda case: case.symmetric is False and max(case.values, default=0) < 0,
        "the largest magnitude is negative": lambda case: -min(case.values, default=0) > max(case.values, default=0),
        "a 0 among others": lambda case: 0.0 in case.values and any(case.values),
        "zeros": lambda case: case.values and not any(case.values),
        "no values": lambda case: not case.values,
        "0-d": lambda case: case.shape == (),
        "matrices": lambda case: len(case.shape) == 2,
        "three dimensions": lambda case: len(case.shape) == 3,
        "many numbers": lambda case: len(case.values) > 32,
        "huge numbers": lambda case: max(map(abs, case.values), default=0) > 2.0**80,
        "numbers that bfloat16 has not": lambda case: any(x != torch.tensor(x).bfloat16().item() for x in case.values),
        "numbers smaller than what somebody adds to a scale": lambda case: (
            0 < max(map(abs, case.values), default=0) < 2**-40
        ),
    }
)
def ranged() -> SearchStrategy[Ranged]:
    """Tensors whose numbers are of one sign or of both."""
    return _ranged()


@st.composite
def _ranged(draw: DrawFn) -> Ranged:
    shape = draw(shapes(3, 5, simplest=3))
    shape = pick(draw, (shape,) * 9 + ((40,),))
    count, kind = math.prod(shape), pick(draw, RANGES)
    values = [0.0] * count if kind == "zeros" else numbers(draw, count, (0.0, -0.0))
    if kind == "a 0" and count > 1:  # among others
        values[draw(st.integers(0, count - 1))] = pick(draw, (0.0, -0.0))
    elif kind == "positive":
        values = [abs(value) or 1.0 for value in values]
    elif kind == "negative":
        values = [-abs(value) or -1.0 for value in values]
    elif kind == "far from 0":
        sign = pick(draw, (1, -1))
        values = [sign * (200 + abs(value) % 9) for value in values]
    elif kind == "halves":  # ties, also of the zero point: the scale is 0.25
        low = draw(st.integers(0, 254)) + 0.5
        ends = [-low, 255 - low] if pick(draw, (True, False)) else [-127.0, 127.0]
        middle = [draw(st.integers(-int(low), int(254 - low))) + 0.5 for _ in range(count)]
        values = [value / 4 for value in (*ends, *middle)][:count] if count > 1 else values
    factor = pick(draw, (1.0,) * 9 + (4 / 3, 4 / 3, TINY, TINY, TINY, HUGE, HUGE))
    return Ranged(tuple(value * factor for value in values), shape, pick(draw, (None, False, True, False)))
