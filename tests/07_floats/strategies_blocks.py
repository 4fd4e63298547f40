"""What hypothesis draws for kata 07: MX blocks, and values to make one of."""

from __future__ import annotations

import functools
import math

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import pick
from . import truth
from .formats import BLOCKS, Format, magnitudes, name_of
from .strategies_formats import edge_patterns, formats
from .strategies_numbers import OFF, share


@functools.cache
@classes(
    {
        "a scale of 0": lambda case: case[0] == 0,
        "a scale of 254": lambda case: case[0] == 254,
        "a scale of 255": lambda case: case[0] == 255,
        "no elements": lambda case: not case[1],
        "more than 32 elements": lambda case: len(case[1]) > 32,
        "a negative zero": lambda case: case[2][3] != "fnuz" and magnitudes(case[2]) in case[1],
        "an element that is no number": lambda case: not all(map(math.isfinite, truth.numbers(case[1], case[2]))),
    }
)
@st.composite
def blocks(draw: DrawFn) -> tuple[int, list[int], Format]:
    """A scale, elements and their format."""
    fmt = draw(formats())
    scale = pick(draw, (0, 1, 126, 127, 128, 254, 255, draw(st.integers(0, 255))))
    few = draw(st.lists(st.integers(0, 2 * magnitudes(fmt) - 1), max_size=4))
    edge = pick(draw, ([], [], [magnitudes(fmt)], edge_patterns(fmt)))
    return scale, few * pick(draw, (1, 1, 1, 33)) + edge, fmt


@functools.cache
@classes(
    {
        "256": lambda case: case[0] == 256,
        "-1": lambda case: case[0] == -1,
        "no elements": lambda case: not case[1],
        "further away": lambda case: not -1 <= case[0] <= 256,
    }
)
@st.composite
def no_blocks(draw: DrawFn) -> tuple[int, list[int], Format]:
    """A scale that is no byte, elements, and their format."""
    fmt = draw(formats())
    scale = pick(draw, (-1, -1, 256, 256, -draw(st.integers(2, 300)), draw(st.integers(257, 1000))))
    return scale, draw(st.lists(st.integers(0, 2 * magnitudes(fmt) - 1), max_size=3)), fmt


def _saturates(case: tuple[list[float], Format]) -> bool:
    values, fmt = case
    return max(map(abs, values)) * 2.0 ** -truth.shared_exponent(values, fmt) > truth.largest(fmt)


def _is_nearly_a_tie(case: tuple[list[float], Format]) -> bool:
    values, fmt = case
    scale = 2.0 ** -truth.shared_exponent(values, fmt)
    return any(0 < abs(share(abs(value * scale), fmt) - 0.5) < 0.001 for value in values)


@st.composite
def _long(draw: DrawFn, mantissa_bits: int) -> float:
    """A number from 128 to 256 with all the bits that float32 has: just below 256, or beside a tie."""
    tie = 128 + 2.0 ** (7 - mantissa_bits) * (draw(st.integers(0, 2**mantissa_bits - 1)) + 0.5)
    return pick(draw, (256 - 2**-16, 256 - 2**-16, tie + 2**-16, tie + 2**-16, tie - 2**-16))


@functools.cache
@classes(
    {name_of(fmt): lambda case, fmt=fmt: case[1] == fmt for fmt in BLOCKS}
    | {
        "one value": lambda case: len(case[0]) == 1,
        "many values": lambda case: len(case[0]) > 8,
        "more than 32 values": lambda case: len(case[0]) > 32,
        "one that saturates": _saturates,
        "the largest is a power of two": lambda case: math.frexp(max(map(abs, case[0])))[0] == 0.5,
        "the largest is negative": lambda case: -min(case[0]) > max(case[0]),
        "a zero among others": lambda case: 0.0 in case[0],
        "so small that the scale is held": lambda case: (
            truth.exponent(max(map(abs, case[0]))) - truth.exponent(truth.largest(case[1])) < -127
        ),
        "beyond 2^120": lambda case: max(map(abs, case[0])) > 2.0**120,
        "a scale of 1": lambda case: truth.shared_exponent(*case) == 0,
        "the largest is just below a power of two": lambda case: math.frexp(max(map(abs, case[0])))[0] > 1 - 2**-16,
        "the largest is a power of two whose logarithm is off": lambda case: max(map(abs, case[0])) in OFF,
        "nearly a tie": _is_nearly_a_tie,
    }
)
@st.composite
def values(draw: DrawFn) -> tuple[list[float], Format]:
    """Values of a block, not all of them zeros, and the format of the elements."""
    fmt = pick(draw, BLOCKS)
    own = truth.exponent(truth.largest(fmt))
    kind = pick(draw, ("any", "any", "any", "any", "long", "long", "off"))
    # 2^at is at most 2^7 above the largest value; the smallest number of float32 is 2^-149.
    ends = pick(draw, [(own, own)] * 3 + [(0, 0), (-20, 20), (-20, 20), (-141, -110), (121, 127)])
    at = math.frexp(pick(draw, OFF))[1] - 1 if kind == "off" else draw(st.integers(*ends))
    size = st.integers(0, 127) if kind == "off" else st.one_of(st.integers(0, 255), st.sampled_from((0, 1, 128)))
    signed: SearchStrategy[float] = st.tuples(size, st.sampled_from((1, -1))).map(math.prod)
    few = draw(st.lists(signed, min_size=1, max_size=4)) * pick(draw, (0, 1, 1, 1, 7, 32))
    if kind == "off":
        leading = 128.0
    elif kind == "long" and at >= -126:
        leading = draw(_long(fmt[1]))
    else:
        leading = pick(draw, (pick(draw, (255, 248, 244, 240, 128, 128, 129, 192)), draw(st.integers(1, 255))))
    leading *= pick(draw, (1, -1))
    place = draw(st.integers(0, len(few)))
    zero = pick(draw, (0.0, -0.0))
    return [math.ldexp(n, at - 7) if n else zero for n in (*few[:place], leading, *few[place:])], fmt


@functools.cache
@classes({"a negative one": lambda case: "-0.0" in map(str, case[0]), "several": lambda case: len(case[0]) > 1})
def zeros() -> SearchStrategy[tuple[list[float], Format]]:
    """Zeros of both signs, and the format of the elements."""
    both: SearchStrategy[float] = st.sampled_from((0.0, -0.0))
    return st.tuples(st.lists(both, min_size=1, max_size=4), st.sampled_from(BLOCKS))


@functools.cache
@classes(
    {
        "no values": lambda case: not case[0],
        "infinity": lambda case: any(abs(value) == math.inf for value in case[0]),
        "NaN": lambda case: any(value != value for value in case[0]),
        "one that is finite first": lambda case: bool(case[0]) and math.isfinite(case[0][0]),
    }
)
@st.composite
def no_values(draw: DrawFn) -> tuple[list[float], Format]:
    """No values, or values of which one is not finite; and the format of the elements."""
    fmt = pick(draw, BLOCKS)
    if pick(draw, (True, False, False)):
        return [], fmt
    bad = pick(draw, (math.nan, math.inf, -math.inf))
    finite = draw(st.lists(st.sampled_from((0.0, 1.0, -3.5, 448.0)), max_size=3))
    return list(draw(st.permutations([bad, *finite]))), fmt
