"""Wrong answers that people give to kata 07 about rounding."""

import math

from dojo.judging.diagnose import believes, solution

from .misconceptions_formats import _sign_bit

solved = solution("07_floats")


def _rounded(x, fmt):
    return solved.decode(solved.encode(x, fmt), fmt)


def _lowered(x, fmt):
    """Return the nearest number of the format from x towards zero, for |x| <= max."""
    size = abs(x)
    bits = solved.encode(size, fmt, True)
    bits -= solved.decode(bits, fmt) > size
    return math.copysign(solved.decode(bits, fmt), x)


# encode


def _by_rounding(x, fmt, saturate, how):
    """Encode x as the solution does, with another way to round the number of gaps."""
    if not math.isfinite(x):
        return solved.encode(x, fmt, saturate)
    exponent = max(math.frexp(x)[1] - 1 if x else 1 - fmt[2], 1 - fmt[2])
    gaps = how(math.ldexp(abs(x), fmt[1] - exponent))
    return solved.encode(math.copysign(math.ldexp(gaps, exponent - fmt[1]), x), fmt, saturate)


@believes("A tie is rounded up", about="encode")
def rounds_ties_away(x, fmt, saturate=False):
    """That is the rule taught at school. Floats round a tie to the even mantissa, so that ties cause no drift."""
    return _by_rounding(x, fmt, saturate, lambda gaps: math.floor(gaps + 0.5))


@believes("A tie is rounded towards zero", about="encode")
def rounds_ties_down(x, fmt, saturate=False):
    """A tie goes to the even mantissa, which is the larger number half of the time."""
    return _by_rounding(x, fmt, saturate, lambda gaps: math.ceil(gaps - 0.5))


@believes("Bits that do not fit are cut off", about="encode")
def cuts_off(x, fmt, saturate=False):
    """That rounds towards zero; a cast rounds to the nearest number."""
    return _by_rounding(x, fmt, saturate, math.floor)


@believes("Numbers below the smallest normal one become 0", about="encode")
def flushes_what_is_subnormal(x, fmt, saturate=False):
    """Subnormal numbers are numbers of the format, and a cast rounds to them."""
    flushed = math.copysign(0.0, x) if abs(x) < solved.limits(fmt)["smallest_normal"] else x
    return solved.encode(flushed, fmt, saturate)


@believes("A mantissa that rounds up beyond its bits starts again at 0", about="encode")
def loses_the_carry(x, fmt, saturate=False):
    """The carry goes into the exponent: the next pattern is the next number, also across a power of two."""
    bits = solved.encode(x, fmt, saturate)
    if not math.isfinite(x) or bits % 2 ** fmt[1] or not abs(x) < abs(solved.decode(bits, fmt)):
        return bits
    return bits - 2 ** fmt[1]


@believes("What is too large becomes the largest number", about="encode")
def saturates_always(x, fmt, saturate=False):
    """Only with `saturate`; otherwise it becomes infinity, or NaN where the format has no infinity."""
    return solved.encode(x, fmt, True)


@believes("Whatever is larger than max overflows", about="encode")
def overflows_right_above_max(x, fmt, saturate=False):
    """A number that rounds down to max becomes max: 65519.0 becomes 65504.0 in float16."""
    most = solved.limits(fmt)["max"]
    return solved.encode(math.copysign(math.inf, x) if abs(x) > most else x, fmt, saturate)


@believes("A number halfway between max and the next one overflows", about="encode")
def overflows_at_the_tie(x, fmt, saturate=False):
    """A tie goes to the even mantissa there too: 464 becomes 448 in e4m3fn, whose max is even."""
    most = solved.limits(fmt)["max"]
    beyond = most + (most - math.nextafter(most, 0.0) and solved.spacing(math.nextafter(most, 0.0), fmt)) / 2
    return solved.encode(math.copysign(math.inf, x) if abs(x) >= beyond else x, fmt, saturate)


@believes("What overflows is infinity in every format", about="encode")
def has_infinity_everywhere(x, fmt, saturate=False):
    """Formats "fn" and "fnuz" have no infinity, and overflow to NaN."""
    bits = solved.encode(x, fmt, saturate)
    if math.isnan(x) or fmt[3] not in ("fn", "fnuz") or not math.isnan(solved.decode(bits, fmt)):
        return bits
    return solved.encode(math.copysign(math.inf, x), (*fmt[:3], "ieee"))


@believes("Infinity stays infinity, saturating or not", about="encode")
def spares_infinity(x, fmt, saturate=False):
    """With `saturate` it becomes the largest number too."""
    return solved.encode(x, fmt, saturate and not math.isinf(x))


@believes("NaN saturates to the largest number", about="encode")
def saturates_nan(x, fmt, saturate=False):
    """NaN is not a large number: it stays NaN."""
    return solved.encode(math.inf if saturate and math.isnan(x) else x, fmt, saturate)


@believes("A format without NaN turns it into 0", about="encode")
def makes_zero_of_nan(x, fmt, saturate=False):
    """Nothing in the format stands for NaN, so encode raises a ValueError."""
    return solved.encode(0.0 if math.isnan(x) and fmt[3] == "finite" else x, fmt, saturate)


@believes("Infinity has no sign", about="encode")
def drops_the_sign_of_infinity(x, fmt, saturate=False):
    """What overflows keeps the sign of x: far below 0 it is −infinity, with the sign bit."""
    bits = solved.encode(x, fmt, saturate)
    return bits % _sign_bit(fmt) if math.isinf(solved.decode(bits, fmt)) else bits


@believes("What rounds to 0 has no sign", about="encode")
def drops_the_sign_of_what_vanishes(x, fmt, saturate=False):
    """A negative number that vanishes becomes −0.0, whose pattern has the sign bit."""
    bits = solved.encode(x, fmt, saturate)
    return 0 if bits == _sign_bit(fmt) and fmt[3] != "fnuz" else bits


@believes("A sign bit and nothing else is −0.0 in every format", about="encode")
def keeps_a_negative_zero_everywhere(x, fmt, saturate=False):
    """In "fnuz" that is the pattern of the NaN, and −0.0 becomes 0."""
    bits = solved.encode(x, fmt, saturate)
    return _sign_bit(fmt) if bits == 0 and math.copysign(1, x) < 0 else bits


@believes("A sign bit and nothing else is −0.0 in every format", about="encode")
def puts_the_sign_back_after_saturating(x, fmt, saturate=False):
    """In "fnuz" that is the pattern of the NaN, and −0.0 becomes 0."""
    if not saturate or math.isnan(x):
        return solved.encode(x, fmt, saturate)
    return solved.encode(abs(x), fmt, True) + (_sign_bit(fmt) if math.copysign(1, x) < 0 else 0)


# stochastic_round


def _neighbours(x, fmt):
    """Return the numbers of the format on both sides of x, or x twice."""
    low = _lowered(x, fmt)
    if low == x:
        return x, x
    gap = math.copysign(solved.spacing(x, fmt), x)
    return tuple(sorted((low, low + gap)))


@believes("Rounding up and rounding down are equally likely", about="stochastic_round")
def tosses_a_coin(x, fmt, u):
    """For the mean to be x, the chance of going up has to be (x − below) / (above − below)."""
    solved.stochastic_round(x, fmt, u)
    below, above = _neighbours(x, fmt)
    return above if u < 0.5 else below


@believes("x goes to the nearest number, and u breaks ties", about="stochastic_round")
def rounds_to_the_nearest(x, fmt, u):
    """Then small updates would always be lost: the farther neighbor needs its chance too."""
    solved.stochastic_round(x, fmt, u)
    below, above = _neighbours(x, fmt)
    if x - below == above - x:
        return above if u < 0.5 else below
    return below if x - below < above - x else above


@believes("A large u rounds up", about="stochastic_round")
def rounds_up_for_large_u(x, fmt, u):
    """The chances would be the same, but here a small u rounds up: u < (x − below) / (above − below)."""
    solved.stochastic_round(x, fmt, u)
    below, above = _neighbours(x, fmt)
    return above if above != below and u >= 1 - (x - below) / (above - below) else below


@believes("The nearer x is to the number below, the more often it goes up", about="stochastic_round")
def swaps_the_chances(x, fmt, u):
    """An x close to below nearly always goes down: the chance of going up is (x − below) / (above − below)."""
    solved.stochastic_round(x, fmt, u)
    below, above = _neighbours(x, fmt)
    return above if above != below and u < (above - x) / (above - below) else below


@believes("Up is away from zero", about="stochastic_round")
def rounds_away_from_zero(x, fmt, u):
    """Above and below refer to the number line: for a negative number, above is the one nearer to zero."""
    return math.copysign(solved.stochastic_round(abs(x), fmt, u), x)


@believes("u equal to (x − below) / (above − below) rounds up too", about="stochastic_round")
def rounds_up_at_the_share(x, fmt, u):
    """u runs from 0 to less than 1, so only a u below that number goes up; else the chance is a little too high."""
    right = solved.stochastic_round(x, fmt, u)
    below, above = _neighbours(x, fmt)
    return above if above != below and u == (x - below) / (above - below) else right


@believes("What is too large becomes the largest number", about="stochastic_round")
def saturates_before_rounding(x, fmt, u):
    """An x beyond max has no neighbor above, so no rounding keeps the mean: it raises a ValueError."""
    most = solved.limits(fmt)["max"]
    return solved.stochastic_round(x if math.isnan(x) else max(-most, min(most, x)), fmt, u)


@believes("NaN stays NaN", about="stochastic_round")
def rounds_nan(x, fmt, u):
    """NaN has no neighbors: raise ValueError."""
    return x if math.isnan(x) else solved.stochastic_round(x, fmt, u)


@believes("u may be 1", about="stochastic_round")
def takes_one_for_a_random_number(x, fmt, u):
    """u is less than 1, as random.random() returns it: a u of 1 raises a ValueError."""
    return solved.stochastic_round(x, fmt, 0.99999999 if u == 1 else u)


@believes("A number that the format has needs no random number", about="stochastic_round")
def looks_at_u_only_where_it_rounds(x, fmt, u):
    """u is checked anyway: if it is below 0, or 1 or more, raise ValueError for every x."""
    if abs(x) <= solved.limits(fmt)["max"] and _neighbours(x, fmt) == (x, x):
        return x
    return solved.stochastic_round(x, fmt, u)


@believes("The largest number has none above it, and so needs no random number", about="stochastic_round")
def returns_max_before_it_looks_at_u(x, fmt, u):
    """u is checked anyway, for max and −max as well: if it is below 0, or 1 or more, raise ValueError."""
    return x if abs(x) == solved.limits(fmt)["max"] else solved.stochastic_round(x, fmt, u)
