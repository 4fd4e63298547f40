"""What torch says of patterns and numbers: measured on the same case, never recomputed by the formula under test."""

from __future__ import annotations

import functools
import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction

import torch
from torch import Tensor

from .formats import FLOAT32, FORMATS, Format, magnitudes

DTYPES = {FORMATS[dtype.upper()]: getattr(torch, dtype.lower()) for dtype in FORMATS if hasattr(torch, dtype.lower())}
"""The formats that torch can cast to; it has fp6 not at all, and fp4 in pairs alone."""
INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32}
"""The integers with as many bytes as a dtype."""


# Patterns


def numbers(patterns: Sequence[int], fmt: Format) -> list[float]:
    """What torch shows for these patterns, as Python floats."""
    return _shown(torch.tensor(patterns, dtype=torch.int64), fmt).tolist()


def number(bits: int, fmt: Format) -> float:
    """What torch shows for one pattern."""
    return numbers([bits], fmt)[0]


def _shown(patterns: Tensor, fmt: Format) -> Tensor:
    dtype = DTYPES.get(fmt)
    if dtype is not None:
        return patterns.to(INTEGERS[dtype.itemsize]).view(dtype).double()
    _, mantissa_bits, bias, special = fmt
    sign, rest = patterns // magnitudes(fmt), patterns % magnitudes(fmt)
    # The fields in the places of a float64, whose own subnormals do what this format's do.
    found = (rest << (52 - mantissa_bits)).view(torch.float64) * 2.0 ** (1023 - bias)
    infinity = magnitudes(fmt) - 2**mantissa_bits
    if special == "ieee":
        found[rest == infinity] = math.inf
        found[rest > infinity] = math.nan
    elif special == "fn":
        found[rest == magnitudes(fmt) - 1] = math.nan
    found = torch.where(sign == 1, -found, found)
    if special == "fnuz":
        found[patterns == magnitudes(fmt)] = math.nan
    return found


@functools.cache
def positives(fmt: Format) -> list[float]:
    """Every finite number of a format of 16 bits at most, from 0.0 on, sorted; a number's place is its pattern."""
    found = [value for value in numbers(range(magnitudes(fmt)), fmt) if math.isfinite(value)]
    assert found == sorted(found)
    return found


@functools.cache
def largest(fmt: Format) -> float:
    """The largest number."""
    return torch.finfo(torch.float32).max if fmt == FLOAT32 else positives(fmt)[-1]


@functools.cache
def top(fmt: Format) -> int:
    """The pattern of the largest number."""
    return nearest([largest(fmt)], FLOAT32)[0] if fmt == FLOAT32 else len(positives(fmt)) - 1  # type: ignore[return-value]


@functools.cache
def limits(fmt: Format) -> dict[str, float]:
    """The limits of a format: of float32 as torch.finfo has them, of any other as its sorted numbers show them."""
    normal = number(2 ** fmt[1], fmt)
    if fmt == FLOAT32:
        about, zero = torch.finfo(torch.float32), torch.zeros(())
        smallest = torch.nextafter(zero, zero + 1).item()
        assert normal == about.smallest_normal
        return {"max": about.max, "smallest_normal": normal, "smallest_subnormal": smallest, "eps": about.eps}
    every = positives(fmt)
    eps = every[bisect_right(every, 1.0)] - 1.0
    return {"max": every[-1], "smallest_normal": normal, "smallest_subnormal": every[1], "eps": eps}


def around(x: float, fmt: Format) -> tuple[float, float]:
    """The largest number that is x or less, and the next larger one, for |x| < max."""
    if fmt == FLOAT32:
        value = torch.tensor(x, dtype=torch.float32)
        return value.item(), torch.nextafter(value, torch.full((), math.inf)).item()
    every = positives(fmt)
    if x >= 0:
        place = bisect_right(every, x)
        return every[place - 1], every[place]
    place = bisect_left(every, -x)
    return -every[place], 0.0 - every[place - 1]


# Roundings


def nearest(values: Sequence[float], fmt: Format, saturate: bool = False) -> list[int | None]:
    """The patterns that torch casts these numbers to; None where it is a NaN, of which any will do."""
    dtype = DTYPES.get(fmt)
    if dtype is None:
        return [_nearest_of_few(value, fmt) for value in values]
    wide = torch.tensor(values, dtype=torch.float64).float()
    if saturate:
        wide = wide.clamp(-largest(fmt), largest(fmt))
    cast = wide.to(dtype)
    bits = cast.view(INTEGERS[dtype.itemsize]).long() % (2 * magnitudes(fmt))
    nan = cast.double().isnan()
    if fmt == FORMATS["FLOAT8_E4M3FN"]:
        nan |= wide.abs() > 464  # torch < 2.13 makes NaN of these, and torch 2.13 makes 448
    return [None if no else pattern for no, pattern in zip(nan.tolist(), bits.tolist(), strict=True)]


def _nearest_of_few(value: float, fmt: Format) -> int:
    """The pattern that is nearest to a number that is not NaN: torch casts to no format of 4 or 6 bits."""
    every = positives(fmt)
    magnitude = min(abs(value), every[-1])

    def distance(bits: int) -> tuple[Fraction, int]:
        return abs(Fraction(magnitude) - Fraction(every[bits])), bits % 2

    sign = magnitudes(fmt) if math.copysign(1, value) < 0 else 0
    place = bisect_left(every, magnitude)
    return sign + min(range(max(place - 1, 0), place + 1), key=distance)


def accumulated(values: Sequence[float], fmt: Format) -> float:
    """A loop over torch's own scalars of that dtype."""
    dtype = DTYPES[fmt]
    total = torch.zeros((), dtype=dtype)
    for value in torch.tensor(values, dtype=torch.float32).to(dtype).unbind():
        total = total + value
    return total.item()


def added(p: float, u: float, fmt: Format) -> float:
    """p + u in torch: by its own addition, or in float32 and rounded where it has none."""
    dtype = DTYPES[fmt]
    left, right = (torch.tensor(value, dtype=torch.float32).to(dtype) for value in (p, u))
    if dtype.itemsize == 1:
        left, right = left.float(), right.float()
    return (left + right).to(dtype).item()


@functools.lru_cache(maxsize=1000)
def smallest_update(p: float, fmt: Format) -> float:
    """The first of all positive numbers that torch can tell p + u from p by, found by bisection."""

    def moves(bits: int) -> bool:
        return added(p, number(bits, fmt), fmt) != p

    return number(1 + bisect_left(range(1, top(fmt)), True, key=moves), fmt)


def rounded(x: float, fmt: Format, u: float) -> float:
    """x rounded by the random number u, between two neighbours of torch's."""
    if x == largest(fmt):
        return x
    below, above = around(x, fmt)
    if below == x:
        return x
    share = (Fraction(x) - Fraction(below)) / (Fraction(above) - Fraction(below))
    return above if Fraction(u) < share else below


# MX blocks


def dequantized(scale: int, elements: Sequence[int], fmt: Format) -> list[float]:
    """One block, with the scale as torch shows its byte."""
    byte = torch.tensor([scale], dtype=torch.uint8).view(torch.float8_e8m0fnu).double()
    return (byte * torch.tensor(numbers(elements, fmt), dtype=torch.float64)).tolist()


def exponent(value: float) -> int:
    """floor(log2(value)), by torch.frexp."""
    return int(torch.frexp(torch.tensor(value, dtype=torch.float64)).exponent) - 1


def shared_exponent(values: Sequence[float], fmt: Format) -> int:
    """The exponent of the scale of a block that is not all zeros."""
    apart = exponent(max(map(abs, values))) - exponent(largest(fmt))
    return int(torch.tensor(apart).clamp(-127, 127))


def quantized(values: Sequence[float], fmt: Format) -> tuple[int, list[int]]:
    """One block, with any scale where all values are zeros."""
    shared = shared_exponent(values, fmt) if any(values) else 0
    scaled = torch.ldexp(torch.tensor(values, dtype=torch.float64), torch.tensor(-shared)).tolist()
    elements = [bits for bits in nearest(scaled, fmt, saturate=True) if bits is not None]
    return shared + 127, elements
