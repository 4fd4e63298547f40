"""What hypothesis draws for kata 13 of gradients that are stored in 16 bits."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.programs import Program, has
from ..shared.shapes import pick
from .typed import typed, typed_tensor


class Stored(NamedTuple):
    """A program that stores gradients, what kinds they are of, and how they are stored."""

    lines: Lines
    kinds: tuple[str, ...]
    dtype: str
    scale: float


LARGEST, LEAST = torch.finfo(torch.float32).max, 2.0**-149
"""Of float32; the least one is subnormal."""

# What is stored, that is after scaling. Whatever is near to a boundary is so by more than float32 rounds off, be it
# scaled or not.
KINDS: dict[str, dict[str, float]] = {
    dtype: {
        "half of the least": least / 2,
        "a little more than half": least / 2 * (1 + 2**-7),
        "a little less than half": least / 2 * (1 - 2**-7),
        "the least": least,
        "subnormal": 37 * least,
        "ordinary": 0.75,
        "tiny": least / 64,
        "the largest": largest,
        "rounds to the largest": beyond * (1 - 2**-12),
        "half a place beyond": beyond,
        "far beyond": 2.0**200,
        "far below": 2.0**-200,
        "zero": 0.0,
        "inf": math.inf,
        "nan": math.nan,
    }
    for dtype, least, largest, beyond in (
        ("float16", 2.0**-24, 65504.0, 65520.0),
        ("bfloat16", 2.0**-133, torch.finfo(torch.bfloat16).max, (2 - 2**-8) * 2.0**127),
    )
}
SCALES = {"float16": (1.0, 1024.0, 2.0**-6, 65536.0, 2.0**60, 2.0**-40, 1.0), "bfloat16": (1.0, 16.0, 0.125, 256.0)}


def _holds(kind: str) -> Callable[[Stored], bool]:
    return lambda case: kind in case.kinds


@functools.cache
@classes(
    {
        **{kind: _holds(kind) for kind in KINDS["float16"]},
        "half of the least, scaled": lambda case: "half of the least" in case.kinds and case.scale != 1,
        "no gradients": lambda case: not case.kinds,
        "one number": lambda case: any("torch.tensor(" in line and "[" not in line for line in case.lines),
        "not contiguous": lambda case: any(".mT" in line or "::2" in line for line in case.lines),
        "two dimensions": lambda case: any("[[" in line for line in case.lines),
        "four dimensions": lambda case: any("reshape" in line for line in case.lines),
        "more than 2**16": lambda case: any("torch.full(" in line for line in case.lines),
        "bfloat16": lambda case: case.dtype == "bfloat16",
        "a scale below 1": lambda case: case.scale < 1,
        "a scale above 1": lambda case: case.scale > 1,
        "a scale of 2**60": lambda case: case.scale == 2.0**60,
        "a scale of 2**-40": lambda case: case.scale == 2.0**-40,
        "no scale": lambda case: case.lines[-1].count(",") < 2 and "scale" not in case.lines[-1],
        "neither scale nor dtype": lambda case: "," not in case.lines[-1],
        "the scale by its name": lambda case: "scale=" in case.lines[-1],
    }
)
def stored() -> SearchStrategy[Stored]:
    """Programs that count what is lost."""
    return _stored()


@st.composite
def _stored(draw: DrawFn) -> Stored:
    dtype = pick(draw, ("float16", "float16", "bfloat16"))
    scale = pick(draw, SCALES[dtype])
    layout = pick(draw, ("flat", "rows", "flat", "transposed", "sliced", "deep", "flat", "many", "number", "empty"))
    count = {"many": 1, "number": 1, "empty": 0}.get(layout, 6)
    kinds = tuple(pick(draw, tuple(KINDS[dtype])) for _ in range(count))
    signs = draw(st.integers(0, 2**count - 1))
    numbers = [_before(KINDS[dtype][kind], scale) * (-1) ** (signs >> place) for place, kind in enumerate(kinds)]
    if layout == "empty":
        made = pick(draw, ("torch.zeros(0, 3)", "torch.tensor([])"))
    elif layout == "many":  # more than 16 bits count
        made = f"torch.full((7, 10001), {typed(numbers[0])})"
    else:
        made = typed_tensor(numbers, layout)
    settings = pick(draw, ([], [f"torch.{dtype}"])) if dtype == "float16" else [f"torch.{dtype}"]
    if scale != 1 or pick(draw, (False, False, True)):
        settings.append(pick(draw, (f"{scale}", f"scale={scale}")) if settings else f"scale={scale}")
    return Stored([f"grads = {made}", f"lost = lost_gradients({', '.join(['grads', *settings])})"], kinds, dtype, scale)


def _before(number: float, scale: float) -> float:
    """What becomes the number by the scale, or comes as near to it as float32 has it."""
    return min(max(number / scale, LEAST), LARGEST) if number and math.isfinite(number) else number


PEAKS = (1.0, 65520.0, 65519.99609375, 65504.0, 1.5, 65520.00390625, 1.9990234375)
"""Largest gradients up to a power of two: 65520, its two neighbours in float32, and the number 65535 / 2**15."""


class Scaled(NamedTuple):
    """A program that asks for the largest scale, the largest gradient, its part before the power of two, and the sum
    of the gradients."""

    lines: Lines
    largest: float
    peak: float
    total: float


def _peaks(peak: float) -> Callable[[Scaled], bool]:
    return lambda case: case.peak == peak


@functools.cache
@classes(
    {
        **{f"{peak}": _peaks(peak) for peak in PEAKS},
        "the largest is negative": lambda case: case.largest < 0,
        "the scale is below 1": lambda case: abs(case.largest) >= 65520,
        "beyond 2**15": lambda case: abs(case.largest) < 2.0**-10,
        "zeros beside it": lambda case: any("0.0," in line or " 0.0" in line for line in case.lines),
        "one number": lambda case: "[" not in case.lines[0],
        "two dimensions": lambda case: "[[" in case.lines[0],
        "four dimensions": lambda case: "reshape" in case.lines[0],
        "they add up to 0": lambda case: case.total == 0,
        "their sum is inf": lambda case: abs(case.total) > LARGEST,
        "its square is inf": lambda case: abs(case.largest) > 2.0**64,
        "its square is 0": lambda case: abs(case.largest) < 2.0**-75,
    }
)
def scaled() -> SearchStrategy[Scaled]:
    """Programs that ask for the largest scale of some gradients."""
    return _scaled()


@st.composite
def _scaled(draw: DrawFn) -> Scaled:
    peak = pick(draw, PEAKS)
    most = 20 - math.frexp(peak)[1]
    highest = most + 108  # that float32 has
    exponents = (0, -3, most, -draw(st.integers(0, 30 + math.frexp(peak)[1])), most - 1, 100, -100, highest)
    exponent = pick(draw, exponents)
    largest = peak * 2.0**exponent * pick(draw, (1, -1))
    layout = pick(draw, ("flat", "flat", "rows", "transposed", "number", "deep"))
    parts = [0.5, -0.25, pick(draw, (0.0, 2.0**-12)), 0.0][: {"flat": pick(draw, (1, 2, 3))}.get(layout, 3)]
    # Each part is smaller by size, and one is larger by its sign where the largest is negative. At the highest exponent
    # all are the largest, and float32 does not hold what two of them add up to.
    numbers = [largest if exponent == highest else abs(largest) * part for part in parts]
    cancelled = layout != "number" and pick(draw, (False, False, False, True))
    if cancelled:
        numbers = [-largest, *[0.0] * (len(numbers) - 1)]
    numbers.insert(draw(st.integers(0, len(numbers))), largest)
    numbers = [largest] if layout == "number" else numbers
    lines = [f"grads = {typed_tensor(numbers, layout)}", "scale = largest_scale(grads)"]
    return Scaled(lines, largest, peak, math.fsum(numbers))


ZEROS = ("torch.zeros(3)", "torch.tensor(0.0)", "torch.tensor([0.0, -0.0])")
NOTHING = ("torch.tensor([])", "torch.zeros(2, 0)", "torch.zeros(3, 1, 0)")


@functools.cache
@classes(
    {
        "zeros": has("zeros(3)", "-0.0", "tensor(0.0"),
        "nothing": has(*NOTHING),
        "nothing, in rows": has(*NOTHING[1:]),
        "nan beside numbers": has(", math.nan", "nan,"),
        "inf beside numbers": has(", math.inf", ", -math.inf", "inf,"),
        "-inf": has("-math.inf"),
    }
)
def refused_scales() -> SearchStrategy[Program]:
    """Programs with gradients that have no largest scale, and why."""
    return _refused_scales()


@st.composite
def _refused_scales(draw: DrawFn) -> Program:
    made = pick(draw, pick(draw, (ZEROS, NOTHING)))
    if pick(draw, (True, True, False)):
        numbers = [pick(draw, (1.0, 0.0, -3.0)) for _ in range(pick(draw, (2, 1, 3)))]
        numbers.insert(draw(st.integers(0, len(numbers))), pick(draw, (math.nan, math.inf, -math.inf)))
        made = typed_tensor(numbers)
    return [f"grads = {made}", "scale = largest_scale(grads)"], []
