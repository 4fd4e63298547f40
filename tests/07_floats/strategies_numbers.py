"""What hypothesis draws for kata 07: numbers at and between those that a format has, to be encoded or rounded.

Every wrong answer shows itself at some edge of some format, and an edge that is drawn one at a time is drawn too
rarely: an example asks all edges of one format.
"""

from __future__ import annotations

import functools
import math

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import pick
from . import truth
from .formats import FLOAT32, Format, name_of
from .strategies_formats import TEN, formats


def narrowed(value: float) -> float:
    """The float32 that is nearest."""
    return torch.tensor(value, dtype=torch.float64).float().item()


def beside(value: float) -> list[float]:
    """The float32 below, this one, and the one above."""
    here = torch.tensor(value, dtype=torch.float32)
    towards = [torch.tensor(end, dtype=torch.float32) for end in (-math.inf, math.inf)]
    below, above = (torch.nextafter(here, end).item() for end in towards)
    return [below, here.item(), above]


@functools.cache
def edges(fmt: Format) -> list[float]:
    """Where a rounding to the format turns: at the largest number, beyond it, and around the smallest one.

    Of each the neighbours in float32 as well, and all with both signs; what float32 does not hold is left out.
    """
    most, smallest = truth.largest(fmt), truth.number(1, fmt)
    above = most + (most - truth.number(truth.top(fmt) - 1, fmt)) / 2
    normal = truth.number(2 ** fmt[1], fmt)
    turns = [1.0, normal, 1.5 * smallest, smallest / 2, smallest, most, above]
    held = [value for value in turns if narrowed(value) == value]
    every = [*held, 0.0, math.inf, *(near for value in held for near in beside(value))]
    return [value for near in dict.fromkeys(every) for value in (near, -near)]


@functools.cache
@classes({name_of(fmt): lambda case, fmt=fmt: case[0] == fmt for fmt in TEN})  # type: ignore[misc]
@st.composite
def edge_numbers(draw: DrawFn) -> tuple[Format, list[float]]:
    """A format and all of its edges."""
    fmt = draw(formats())
    return fmt, turned(draw, edges(fmt))


def turned(draw: DrawFn, every: list[float]) -> list[float]:
    """All of them, from any one on: a wrong answer ends an example, and would never be asked of the later ones."""
    first = draw(st.integers(0, len(every) - 1))
    return every[first:] + every[:first]


BY_HAND = [464.0, 480.0, 61439.0, 61440.0, 65504.0, 65519.0, 65520.0, 248.0, 7.0, 28.0, 30.0, 1e-8, 1e8]
"""Where some format overflows, and what float16 cannot hold."""


OFF = [2.0**n for n in (-29, -31, -39, -47, -51, -55, -58, -59, -62, -78, -93, -94, -95, -101, -102, -109)]
"""Powers of two of which math.log(x, 2), a quotient of two rounded logarithms, is a little too small."""


@functools.lru_cache(maxsize=10_000)
def share(x: float, fmt: Format) -> float:
    """How far between its two neighbours a number lies; 0 where the format has it, or it has no two neighbours."""
    if not abs(x) < truth.largest(fmt):
        return 0.0
    below, above = truth.around(x, fmt)
    return (x - below) / (above - below)


@functools.lru_cache(maxsize=10_000)
def is_odd(x: float, fmt: Format) -> bool:
    """Whether the neighbour towards zero has an odd mantissa."""
    return bool((truth.nearest([truth.around(abs(x), fmt)[0]], fmt)[0] or 0) % 2)


@st.composite
def between(draw: DrawFn, fmt: Format) -> float:
    """A number at one of the format's own, or a quarter, a half, three quarters of the way to the next one; signed."""
    top, mantissa = truth.top(fmt), 2 ** fmt[1]
    exponents = range(1, top // mantissa)
    at = pick(draw, ("any", "any", "small", "power", "before a power"))
    if at == "any" or at == "small" or not exponents:
        bits = draw(st.integers(0, top - 1 if at == "any" else min(2 * mantissa, top - 1)))
    else:
        bits = pick(draw, exponents) * mantissa - (at == "before a power")
    low, high = truth.numbers([bits, bits + 1], fmt)
    x = narrowed(low + (high - low) * pick(draw, (0.0, 0.25, 0.5, 0.5, 0.75)))
    near = beside(x)[pick(draw, (1, 1, 1, 0, 2))]
    # The float32 above float32's own largest number is infinity, which is no number between two.
    return min(near, high) * pick(draw, (1, -1))


@functools.cache
@classes(
    {
        "a tie, down to an even one": lambda case: any(share(abs(x), f) == 0.5 and not is_odd(x, f) for f, x in case),
        "a tie, up from an odd one": lambda case: any(share(abs(x), f) == 0.5 and is_odd(x, f) for f, x in case),
        "nearly a tie": lambda case: any(0 < abs(share(x, f) - 0.5) < 0.01 for f, x in case),
        "below the smallest normal number": lambda case: any(0 < abs(x) < truth.number(2 ** f[1], f) for f, x in case),
        "one that overflows": lambda case: any(abs(x) > truth.largest(f) for f, x in case),
        "one that the format has": lambda case: any(share(x, f) == 0 for f, x in case),
        "a negative one": lambda case: any(x < 0 for f, x in case),
    }
)
@st.composite
def numbers(draw: DrawFn) -> list[tuple[Format, float]]:
    """Numbers to encode, each with a format: two of a kind, and one that is known to be an edge of some format."""
    fmt, other = draw(formats()), draw(formats())
    sign = pick(draw, (1, -1))
    return [(fmt, draw(between(fmt))), (fmt, draw(between(fmt))), (other, sign * narrowed(pick(draw, BY_HAND)))]


@functools.cache
@classes(
    {
        "at a power of two": lambda case: any(math.frexp(x)[0] in (0.5, -0.5) for x in case[1]),
        "not in the format": lambda case: any(share(x, case[0]) != 0 for x in case[1]),
        "a subnormal number": lambda case: any(0 < abs(x) < truth.number(2 ** case[0][1], case[0]) for x in case[1]),
        "float32": lambda case: case[0] == FLOAT32,
        "a power of two whose logarithm is off": lambda case: any(x in OFF for x in case[1]),
    }
)
@st.composite
def numbers_within(draw: DrawFn) -> tuple[Format, list[float]]:
    """A format, and numbers of less than its largest one, edges among them."""
    fmt = draw(formats())
    drawn = [draw(between(fmt)) for _ in range(2)]
    if fmt[0] == 8:
        drawn.append(pick(draw, OFF))
    return fmt, turned(draw, [x for x in (*edges(fmt), *drawn) if abs(x) < truth.largest(fmt)])


@functools.cache
@classes(
    {
        "max itself": lambda case: abs(case[0]) == truth.largest(case[1]),
        "a larger number": lambda case: truth.largest(case[1]) < abs(case[0]) < math.inf,
        "infinity": lambda case: abs(case[0]) == math.inf,
        "NaN": lambda case: case[0] != case[0],
        "a negative one": lambda case: case[0] < 0,
    }
)
@st.composite
def numbers_with_none_above(draw: DrawFn) -> tuple[float, Format]:
    """A number at or beyond the largest one of a format, or NaN; and the format."""
    fmt = draw(formats())
    most = truth.largest(fmt)
    # Beyond float32's own largest number it holds infinity alone.
    large = (most, most, beside(most)[2], narrowed(most * draw(st.integers(1, 1000))), math.inf)
    return pick(draw, (1, 1, -1, -1, math.nan)) * pick(draw, large), fmt


@functools.cache
@classes(
    {
        "in the format": lambda case: share(case[1], case[0]) == 0,
        "between two numbers": lambda case: share(case[1], case[0]) != 0,
        "negative, between two numbers": lambda case: case[1] < 0 and share(case[1], case[0]) != 0,
        "between 0 and the smallest number": lambda case: 0 < abs(case[1]) < truth.number(1, case[0]),
        "max": lambda case: abs(case[1]) == truth.largest(case[0]),
    }
)
@st.composite
def roundings(draw: DrawFn) -> tuple[Format, float, list[float]]:
    """A format, a number, and random numbers: the share of the way between its neighbours, and both sides of it."""
    fmt = draw(formats())
    at = pick(draw, ("between",) * 6 + ("edge", "edge", "max"))
    if at == "between":
        x = draw(between(fmt))
    elif at == "edge":
        x = pick(draw, [x for x in edges(fmt) if abs(x) <= truth.largest(fmt)])
    else:
        x = pick(draw, (1, -1)) * truth.largest(fmt)
    way = share(x, fmt)
    # Not the floats next to the share: (above - below) · u + below is as right a way to compare, and rounds there.
    near = [u for u in (way, way / 2, (1 + way) / 2, way - 2**-12, way + 2**-12) if 0 <= u < 1]
    return fmt, x, [0.0, *near, draw(st.integers(0, 255)) / 256]


@functools.cache
@classes(
    {
        "beyond the largest number": lambda case: case[0] not in (math.inf, -math.inf) and _is_beyond(case),
        "infinity": lambda case: abs(case[0]) == math.inf,
        "NaN": lambda case: case[0] != case[0],
        "u is 1": lambda case: case[2] == 1,
        "u is more than 1": lambda case: case[2] > 1,
        "u is negative": lambda case: case[2] < 0,
        "u is none, and the format has x": lambda case: not 0 <= case[2] < 1 and share(case[0], case[1]) == 0,
        "u is none, and x is the largest": lambda case: not 0 <= case[2] < 1 and abs(case[0]) == truth.largest(case[1]),
        "u is none, and the format lacks x": lambda case: not 0 <= case[2] < 1 and share(case[0], case[1]) != 0,
    }
)
@st.composite
def no_roundings(draw: DrawFn) -> tuple[float, Format, float]:
    """A number, a format and a random number, one of which cannot be used."""
    fmt = draw(formats())
    u = draw(st.integers(0, 255)) / 256
    most = truth.largest(fmt)
    large = pick(draw, (beside(most)[2], narrowed(1.5 * most), math.inf))
    if draw(st.booleans()):
        return pick(draw, (large, -large, large, -large, math.nan)), fmt, u
    x = draw(pick(draw, (between(fmt), between(fmt), st.sampled_from((most, -most)))))
    return x, fmt, pick(draw, (1.0, 1.0, 1.5, -0.25, -1e-9, -1.0, math.inf, -math.inf))


def _is_beyond(case: tuple[float, Format, float]) -> bool:
    return abs(case[0]) > truth.largest(case[1])
