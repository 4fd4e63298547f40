"""What hypothesis draws for kata 07: formats, patterns, and numbers at and between those that a format has.

Every wrong answer shows itself at some edge of some format, and an edge that is drawn one at a time is drawn too
rarely: an example asks all edges of one format.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import pick
from . import truth
from .formats import BLOCKS, FLOAT32, FORMATS, SUMS, Format, magnitudes, name_of

Formats = Sequence[Format]
TEN = list(FORMATS.values())[::-1]
"""The formats of the stub; the one with the fewest bits is the simplest."""
ADDED = list(truth.DTYPES)[::-1]
"""The formats that torch can add in."""
SPECIALS = ("ieee", "fn", "fnuz", "finite")


def _by_name(formats: Formats) -> dict[str, object]:
    return {name_of(fmt): lambda case, fmt=fmt: case == fmt for fmt in formats}


@functools.cache
@classes(_by_name(TEN))  # type: ignore[arg-type]
def formats() -> SearchStrategy[Format]:
    """The ten of the stub."""
    return st.sampled_from(TEN)


@functools.cache
@classes({special: lambda case, special=special: case[3] == special for special in ("ieee", "fn", "fnuz")})  # type: ignore[misc]
def formats_to_add_in() -> SearchStrategy[Format]:
    """Those that torch can add in: all but the finite ones."""
    return st.sampled_from(ADDED)


@functools.cache
@classes(
    {
        "a mantissa of 1 bit": lambda case: case[1] == 1,
        "an exponent of 5 bits": lambda case: case[0] == 5,
        "a bias of 1": lambda case: case[2] == 1,
        "a bias above that of IEEE": lambda case: case[2] > 2 ** (case[0] - 1) - 1,
        "a bias below that of IEEE": lambda case: case[2] < 2 ** (case[0] - 1) - 1,
        "ieee": lambda case: case[3] == "ieee",
        "finite": lambda case: case[3] == "finite",
    }
)
@st.composite
def other_formats(draw: DrawFn, specials: tuple[str, ...] = SPECIALS) -> Format:
    """Formats that nobody has named, in which 1.0 is a normal number and not the largest."""
    exponent_bits, mantissa_bits, special = draw(st.integers(2, 5)), draw(st.integers(1, 6)), pick(draw, specials)
    # With the largest bias of "fn" the number above 1.0 can be NaN.
    most = 2**exponent_bits - (1 if special in ("finite", "fnuz") else 2)
    return exponent_bits, mantissa_bits, pick(draw, range(1, most + 1)), special


# Patterns


def edge_patterns(fmt: Format) -> list[int]:
    """0, the smallest and the largest subnormal, the smallest normal, 1.0, max, what is above, all ones; all signed."""
    most, normal, one = magnitudes(fmt) - 1, 2 ** fmt[1], fmt[2] << fmt[1]
    top = most - {"ieee": normal, "fn": 1}.get(fmt[3], 0)
    bare = {0, 1, normal - 1, normal, one, top, min(top + 1, most), min(top + 2, most), most}
    return [sign + bits for bits in sorted(bare) for sign in (0, most + 1)]


@functools.cache
@classes(
    {
        "a format of its own": lambda case: case[0] not in TEN,
        "a subnormal number": lambda case: any(0 < bits % magnitudes(case[0]) < 2 ** case[0][1] for bits in case[1]),
        "with the sign bit": lambda case: any(bits >= magnitudes(case[0]) for bits in case[1]),
    }
)
@st.composite
def patterns(draw: DrawFn) -> tuple[Format, list[int]]:
    """A format, and patterns of it."""
    fmt = draw(pick(draw, (formats(), other_formats())))
    return fmt, draw(st.lists(st.integers(0, 2 * magnitudes(fmt) - 1), min_size=1, max_size=3))


@functools.cache
@classes(
    {
        "the first one that is too large": lambda case: case[0] == 2 * magnitudes(case[1]),
        "with a bit too many": lambda case: 2 * magnitudes(case[1]) < case[0] < 4 * magnitudes(case[1]),
        "beyond 64 bits": lambda case: case[0] >= 2**64,
        "-1": lambda case: case[0] == -1,
        "a pattern with a minus": lambda case: -magnitudes(case[1]) < case[0] < -1,
    }
)
@st.composite
def no_patterns(draw: DrawFn) -> tuple[int, Format]:
    """What is no pattern of a format, and the format."""
    fmt = draw(pick(draw, (formats(), other_formats())))
    first = 2 * magnitudes(fmt)
    inside = draw(st.integers(0, first - 1))
    return pick(draw, (first, first, first + inside, first << 64, -1, -1, -1 - inside)), fmt


# Numbers


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
    return fmt, _turned(draw, edges(fmt))


def _turned(draw: DrawFn, every: list[float]) -> list[float]:
    """All of them, from any one on: a wrong answer ends an example, and would never be asked of the later ones."""
    first = draw(st.integers(0, len(every) - 1))
    return every[first:] + every[:first]


BY_HAND = [464.0, 480.0, 61439.0, 61440.0, 65504.0, 65519.0, 65520.0, 248.0, 7.0, 28.0, 30.0, 1e-8, 1e8]
"""Where some format overflows, and what float16 cannot hold."""


@functools.lru_cache(maxsize=10_000)
def _share(x: float, fmt: Format) -> float:
    """How far between its two neighbours a number lies; 0 where the format has it, or it has no two neighbours."""
    if not abs(x) < truth.largest(fmt):
        return 0.0
    below, above = truth.around(x, fmt)
    return (x - below) / (above - below)


@functools.lru_cache(maxsize=10_000)
def _is_odd(x: float, fmt: Format) -> bool:
    """Whether the neighbour towards zero has an odd mantissa."""
    return bool((truth.nearest([truth.around(abs(x), fmt)[0]], fmt)[0] or 0) % 2)


@st.composite
def _between(draw: DrawFn, fmt: Format) -> float:
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
    near = pick(draw, (1, 1, 1, 0, 2))
    return (x if near == 1 else beside(x)[near]) * pick(draw, (1, -1))


@functools.cache
@classes(
    {
        "a tie, down to an even one": lambda case: any(_share(abs(x), f) == 0.5 and not _is_odd(x, f) for f, x in case),
        "a tie, up from an odd one": lambda case: any(_share(abs(x), f) == 0.5 and _is_odd(x, f) for f, x in case),
        "nearly a tie": lambda case: any(0 < abs(_share(x, f) - 0.5) < 0.01 for f, x in case),
        "below the smallest normal number": lambda case: any(0 < abs(x) < truth.number(2 ** f[1], f) for f, x in case),
        "one that overflows": lambda case: any(abs(x) > truth.largest(f) for f, x in case),
        "one that the format has": lambda case: any(_share(x, f) == 0 for f, x in case),
        "a negative one": lambda case: any(x < 0 for f, x in case),
    }
)
@st.composite
def numbers(draw: DrawFn) -> list[tuple[Format, float]]:
    """Numbers to encode, each with a format: two of a kind, and one that is known to be an edge of some format."""
    fmt, other = draw(formats()), draw(formats())
    sign = pick(draw, (1, -1))
    return [(fmt, draw(_between(fmt))), (fmt, draw(_between(fmt))), (other, sign * narrowed(pick(draw, BY_HAND)))]


@functools.cache
@classes(
    {
        "at a power of two": lambda case: any(math.frexp(x)[0] in (0.5, -0.5) for x in case[1]),
        "not in the format": lambda case: any(_share(x, case[0]) != 0 for x in case[1]),
        "a subnormal number": lambda case: any(0 < abs(x) < truth.number(2 ** case[0][1], case[0]) for x in case[1]),
        "float32": lambda case: case[0] == FLOAT32,
    }
)
@st.composite
def numbers_within(draw: DrawFn) -> tuple[Format, list[float]]:
    """A format, and numbers of less than its largest one, edges among them."""
    fmt = draw(formats())
    drawn = [draw(_between(fmt)) for _ in range(2)]
    return fmt, _turned(draw, [x for x in (*edges(fmt), *drawn) if abs(x) < truth.largest(fmt)])


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


# Sums


@functools.cache
@classes(
    {
        "no value": lambda case: not case[1],
        "a value that the format lacks": lambda case: any(_share(x, case[0]) not in (0, 1) for x, _ in case[1]),
        "one value 200 times and more": lambda case: any(times > 200 for _, times in case[1]),
        "it overflows": lambda case: abs(sum(x * times for x, times in case[1])) > 1.001 * truth.largest(case[0]),
        "subnormal numbers of float16": lambda case: (
            case[0] == FORMATS["FLOAT16"] and any(0 < abs(x) < 2**-14 for x, _ in case[1])
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
    kind = pick(draw, ("none", "zeros", "pair", "many", "large", "large", *["any"] * 6))
    if kind == "none":
        return fmt, []
    if kind == "zeros":
        return fmt, [(-0.0, draw(st.integers(1, 3)))]
    tiny = st.integers(-4000, 4000).map(lambda n: n / 2**27)
    value = draw(tenths)
    if kind == "pair":
        return fmt, [(value, 1), (-value, 1)]
    if kind == "many":
        return fmt, [(pick(draw, (1.0, -1.0, 0.25, 3.0, narrowed(0.1))), draw(st.integers(200, 300)))]
    if kind == "large":  # all of one sign: infinity less infinity would be NaN
        fmt = pick(draw, (FORMATS["FLOAT16"], FORMATS["FLOAT16"], fmt))
        most = truth.largest(fmt)
        last = most - truth.number(truth.top(fmt) - 1, fmt)
        parts = [most, most / 2, last, last / 2, narrowed(last * 0.49), pick(draw, (65520.0, 1e8))]
        sign = pick(draw, (1, -1))
        return fmt, [(sign * pick(draw, parts), 1) for _ in range(3)]
    one = pick(draw, (st.one_of(eighths, tenths), tiny))
    return fmt, draw(st.lists(st.tuples(one, st.integers(1, 3)), min_size=1, max_size=6))


def written_out(values: Sequence[tuple[float, int]]) -> list[float]:
    """Each value as often as it comes."""
    return [value for value, times in values for _ in range(times)]


# Updates


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
    return fmt, _turned(draw, [*starts(fmt), *drawn])


@functools.cache
@classes(
    {
        "NaN": lambda case: case[0] != case[0],
        "infinity": lambda case: abs(case[0]) == math.inf,
        "between two numbers": lambda case: abs(case[0]) < truth.largest(case[1]),
        "larger than the largest": lambda case: truth.largest(case[1]) < abs(case[0]) < math.inf,
        "what the number after the largest would be": lambda case: (
            case[0] == 2 * truth.largest(case[1]) - truth.number(truth.top(case[1]) - 1, case[1])
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
    return pick(draw, (math.nan, math.inf, -math.inf, between, -between, between, next_one, 4 * most, 0.1)), fmt


# Stochastic rounding


@functools.cache
@classes(
    {
        "in the format": lambda case: _share(case[1], case[0]) == 0,
        "between two numbers": lambda case: _share(case[1], case[0]) != 0,
        "negative, between two numbers": lambda case: case[1] < 0 and _share(case[1], case[0]) != 0,
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
        x = draw(_between(fmt))
    elif at == "edge":
        x = pick(draw, [x for x in edges(fmt) if abs(x) <= truth.largest(fmt)])
    else:
        x = pick(draw, (1, -1)) * truth.largest(fmt)
    share = _share(x, fmt)
    # Not the floats next to the share: (above - below) · u + below is as right a way to compare, and rounds there.
    near = [u for u in (share, share / 2, (1 + share) / 2, share - 2**-12, share + 2**-12) if 0 <= u < 1]
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
        "u is none, and the format has x": lambda case: not 0 <= case[2] < 1 and _share(case[0], case[1]) == 0,
        "u is none, and the format lacks x": lambda case: not 0 <= case[2] < 1 and _share(case[0], case[1]) != 0,
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
    x = draw(_between(fmt))
    return x, fmt, pick(draw, (1.0, 1.0, 1.5, -0.25, -1e-9, -1.0, math.inf, -math.inf))


def _is_beyond(case: tuple[float, Format, float]) -> bool:
    return abs(case[0]) > truth.largest(case[1])


# MX blocks


@functools.cache
@classes(
    {
        "a scale of 0": lambda case: case[0] == 0,
        "a scale of 254": lambda case: case[0] == 254,
        "a scale of 255": lambda case: case[0] == 255,
        "no elements": lambda case: not case[1],
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
    return scale, few + edge, fmt


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


@functools.cache
@classes(
    {name_of(fmt): lambda case, fmt=fmt: case[1] == fmt for fmt in BLOCKS}
    | {
        "one value": lambda case: len(case[0]) == 1,
        "many values": lambda case: len(case[0]) > 8,
        "one that saturates": _saturates,
        "the largest is a power of two": lambda case: math.frexp(max(map(abs, case[0])))[0] == 0.5,
        "the largest is negative": lambda case: -min(case[0]) > max(case[0]),
        "a zero among others": lambda case: 0.0 in case[0],
        "so small that the scale is held": lambda case: (
            truth.exponent(max(map(abs, case[0]))) - truth.exponent(truth.largest(case[1])) < -127
        ),
        "beyond 2^120": lambda case: max(map(abs, case[0])) > 2.0**120,
        "a scale of 1": lambda case: truth.shared_exponent(*case) == 0,
    }
)
@st.composite
def values(draw: DrawFn) -> tuple[list[float], Format]:
    """Values of a block, not all of them zeros, and the format of the elements."""
    fmt = pick(draw, BLOCKS)
    own = truth.exponent(truth.largest(fmt))
    # 2^at is at most 2^7 above the largest value; the smallest number of float32 is 2^-149.
    ends = pick(draw, [(own, own)] * 3 + [(0, 0), (-20, 20), (-20, 20), (-141, -110), (121, 127)])
    at = draw(st.integers(*ends))
    size = st.one_of(st.integers(0, 255), st.sampled_from((0, 1, 128)))
    signed = st.tuples(size, st.sampled_from((1, -1))).map(math.prod)
    few = draw(st.lists(signed, min_size=1, max_size=4)) * pick(draw, (0, 1, 1, 1, 7))
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
