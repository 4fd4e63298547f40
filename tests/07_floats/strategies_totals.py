"""What hypothesis draws for kata 07: values to add up, and weights to be updated."""

from __future__ import annotations

import functools
import itertools
import math
import sys
from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dojo.judging.classes import classes

from ..shared.shapes import pick
from . import truth
from .formats import FLOAT32, FORMATS, SUMS, Format
from .strategies_formats import formats, formats_to_add_in
from .strategies_numbers import narrowed, share, turned


def _total(case: tuple[Format, list[tuple[float, int]]]) -> float:
    return truth.accumulated(written_out(case[1]), case[0])


@functools.cache
@classes(
    {
        "no value": lambda case: not case[1],
        "a value that the format lacks": lambda case: any(share(x, case[0]) not in (0, 1) for x, _ in case[1]),
        "one value 200 times and more": lambda case: any(times > 200 for _, times in case[1]),
        "it overflows": lambda case: abs(sum(x * times for x, times in case[1])) > 1.001 * truth.largest(case[0]),
        "infinity, though the sum is not": lambda case: (
            math.isinf(_total(case)) and abs(sum(written_out(case[1]))) <= truth.largest(case[0])
        ),
        "a little above the largest number": lambda case: (
            math.isfinite(_total(case))
            and any(abs(total) > truth.largest(case[0]) for total in itertools.accumulate(written_out(case[1])))
        ),
        "subnormal numbers of float16": lambda case: (
            case[0] == FORMATS["FLOAT16"] and any(0 < abs(x) < 2**-14 for x, _ in case[1])
        ),
        "a value that overflows": lambda case: any(
            abs(x) < math.inf and math.isinf(truth.accumulated([x], case[0])) for x, _ in case[1]
        ),
        "subnormal numbers of another format": lambda case: (
            case[0] != FORMATS["FLOAT16"] and any(0 < abs(x) < 2**-126 for x, _ in case[1])
        ),
        "a negative value that vanishes, alone": lambda case: (
            len(case[1]) == 1 and case[1][0][0] < 0 and truth.accumulated([case[1][0][0]], case[0]) == 0
        ),
        "-0.0 alone": lambda case: bool(case[1]) and all(str(x) == "-0.0" for x, _ in case[1]),
        "a value and its negative": lambda case: [x for x, _ in case[1][1:]] == [-x for x, _ in case[1][:1]],
        "bfloat16": lambda case: case[0] == FORMATS["BFLOAT16"],
        "float16": lambda case: case[0] == FORMATS["FLOAT16"],
        "float32": lambda case: case[0] == FLOAT32,
    }
)
@st.composite
def sums(draw: DrawFn) -> tuple[Format, list[tuple[float, int]]]:
    """A format, and values to add up, each with how often it comes; no total is NaN."""
    fmt = pick(draw, SUMS)
    eighths = st.integers(-800, 800).map(lambda n: n / 8)
    tenths = st.integers(-(10**6), 10**6).map(lambda n: narrowed(n / 1000))
    kinds = ("none", "zeros", "vanishing", "pair", "many", "large", "beyond", "edge", "edge", *["any"] * 6)
    kind = pick(draw, kinds)
    if kind == "none":
        return fmt, []
    if kind == "zeros":
        return fmt, [(-0.0, draw(st.integers(1, 3)))]
    if kind in ("vanishing", "beyond"):
        fmt = pick(draw, SUMS[:2])  # float32 holds every value
    smallest, most = truth.number(1, fmt), truth.largest(fmt)
    last = most - truth.number(truth.top(fmt) - 1, fmt)
    if kind == "vanishing":
        return fmt, [(-smallest * pick(draw, (0.25, 0.5, 2**-10)), draw(st.integers(1, 3)))]
    if kind == "beyond":  # what comes then would lead back to a number
        sign, value = pick(draw, (1, -1)), pick(draw, (most + last / 2, 1e8 if fmt[0] == 5 else truth.largest(FLOAT32)))
        return fmt, [(sign * value, 1), *((-sign * back, 1) for back in pick(draw, ([most], [most, 1.0], [1.0, most])))]
    # Eighths of the smallest number of float16 or of this format; float32 holds no eighths of its own.
    unit = pick(draw, (2**-27, 2**-27, max(smallest / 8, 2**-149)))
    tiny = st.integers(-4000, 4000).map(lambda n: n * unit)
    value = draw(tenths)
    if kind == "pair":
        return fmt, [(value, 1), (-value, 1)]
    if kind == "many":
        return fmt, [(pick(draw, (1.0, -1.0, 0.25, 3.0, narrowed(0.1))), draw(st.integers(257, 300)))]
    if kind in ("large", "edge"):
        sign = pick(draw, (1, -1))
        fmt = pick(draw, (FORMATS["FLOAT16"], FORMATS["FLOAT16"], fmt))
        most = truth.largest(fmt)
        last = most - truth.number(truth.top(fmt) - 1, fmt)
        little = narrowed(last * 0.49)
        if kind == "edge":  # an overflow stays, though what comes then would lead back
            step, back = pick(draw, (little, last / 2, most, little)), pick(draw, ([most], [last], [most], []))
            return fmt, [(sign * most, 1), (sign * step, 1), *((-sign * value, 1) for value in back)]
        parts = [most, most / 2, last, last / 2, little, pick(draw, (65520.0, 1e8))]
        # All of one sign: infinity less infinity would be NaN.
        return fmt, [(sign * pick(draw, parts), 1) for _ in range(3)]
    one = pick(draw, (st.one_of(eighths, tenths), tiny))
    return fmt, draw(st.lists(st.tuples(one, st.integers(1, 3)), min_size=1, max_size=6))


def written_out(values: Sequence[tuple[float, int]]) -> list[float]:
    """Each value as often as it comes."""
    return [value for value, times in values for _ in range(times)]


@functools.cache
def starts(fmt: Format) -> list[float]:
    """Numbers of a format to be updated, at its edges: around zero, and at a power of two; signed."""
    one, normal = fmt[2] << fmt[1], 2 ** fmt[1]
    found = truth.numbers([one, one + 1, one + 2, one + normal, one - 1, 0, 1, 2, normal - 1, normal, normal + 1], fmt)
    return [value for near in dict.fromkeys(found) for value in (near, -near)]


@functools.cache
@classes(
    {
        "an odd mantissa": lambda case: any((truth.nearest([p], case[0])[0] or 0) % 2 for p in case[1]),
        "a negative power of two": lambda case: any(math.frexp(p)[0] == -0.5 for p in case[1]),
        "large": lambda case: any(abs(p) > truth.largest(case[0]) / 8 for p in case[1]),
    }
)
@st.composite
def weights(draw: DrawFn) -> tuple[Format, list[float]]:
    """A format, and numbers of it, of half of the largest one at most."""
    fmt = draw(formats_to_add_in())
    most = truth.nearest([truth.largest(fmt) / 2], fmt)[0] or 0
    bits = [draw(st.integers(0, most)), most - draw(st.integers(0, 2 ** fmt[1]))]
    drawn = [number * pick(draw, (1, -1)) for number in truth.numbers(bits, fmt)]
    return fmt, turned(draw, [*starts(fmt), *drawn])


@functools.cache
@classes(
    {
        "NaN": lambda case: case[0] != case[0],
        "infinity": lambda case: abs(case[0]) == math.inf,
        "between two numbers": lambda case: abs(case[0]) < truth.largest(case[1]),
        "larger than the largest": lambda case: truth.largest(case[1]) < abs(case[0]) < math.inf,
        "negative, and larger than the largest": lambda case: -math.inf < case[0] < -truth.largest(case[1]),
        "so large that its double is infinity": lambda case: math.isinf(2 * case[0]) and not math.isinf(case[0]),
        "so small that it would round to 0": lambda case: 0 < abs(case[0]) < truth.number(1, case[1]) / 2,
        "so small that it would round to 0 in float32": lambda case: 0 < abs(case[0]) < 2.0**-150,
        "what the number after the largest would be": lambda case: (
            case[0] == 2 * truth.largest(case[1]) - truth.number(truth.top(case[1]) - 1, case[1])
        ),
        "the next float of Python after a number": lambda case: (
            0 < case[0] < truth.largest(case[1]) and math.nextafter(case[0], 0.0) == truth.around(case[0], case[1])[0]
        ),
        "not even in float32": lambda case: math.isfinite(case[0]) and abs(narrowed(case[0])) != abs(case[0]),
    }
)
@st.composite
def no_weights(draw: DrawFn) -> tuple[float, Format]:
    """A float that is no finite number of a format, and the format."""
    fmt = draw(formats())
    low, high = truth.numbers([bits := draw(st.integers(0, truth.top(fmt) - 1)), bits + 1], fmt)
    most = truth.largest(fmt)
    next_one = 2 * most - truth.number(truth.top(fmt) - 1, fmt)
    between = low + (high - low) * pick(draw, (2**-20, 0.25, 0.5))
    near = math.nextafter(low, math.inf)
    tiny = truth.number(1, fmt) * 2.0 ** -pick(draw, (draw(st.integers(2, 60)), 200, 200)) * pick(draw, (1, -1))
    no_numbers = (math.nan, math.inf, -math.inf)
    huge = sys.float_info.max * pick(draw, (1, -1))
    others = (between, -between, between, near, next_one, 4 * most, -4 * most, huge, tiny, 0.1)
    return pick(draw, no_numbers + others), fmt
