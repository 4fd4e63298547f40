"""Right answers to kata 07 about rounding to a format, and what sums and updates make of it, in styles that the solution does not use."""

import functools
import itertools
import math
from fractions import Fraction

from dojo.judging.diagnose import answers

from .patterns import Number, floor, last_pattern, without_sign


def _nan_of(fmt):
    match fmt[3]:
        case "finite":
            raise ValueError("no NaN")
        case "fnuz":
            return 1 << (fmt[0] + fmt[1])
        case "fn":
            return 2 * (1 << (fmt[0] + fmt[1])) - 1
    return ((1 << fmt[0]) - 1 << fmt[1]) | 1


def _signed(pattern, x, fmt):
    if fmt[3] == "fnuz" and not pattern:
        return 0
    return pattern | (str(x)[0] == "-") << (fmt[0] + fmt[1])


from .wheats_formats import by_fractions


@answers("encode")
def by_comparing_two_neighbours(x, fmt, saturate=False):
    if x != x:
        return _nan_of(fmt)
    top = last_pattern(fmt)
    # The number after max, were there one.
    last = without_sign(top, fmt)
    beyond = 2 * last - without_sign(top - 1, fmt)
    below = top if math.isinf(x) else floor(Fraction(abs(x)), fmt)
    low, high = without_sign(below, fmt), beyond if below == top else without_sign(below + 1, fmt)
    if math.isinf(x):
        nearest = top + 1
    else:
        to_low, to_high = Fraction(abs(x)) - low, high - Fraction(abs(x))
        nearest = below + (to_low > to_high or (to_low == to_high and below % 2))
    if nearest <= top:
        return _signed(nearest, x, fmt)
    if saturate or fmt[3] == "finite":
        return _signed(top, x, fmt)
    return _signed(top + 1, x, fmt) if fmt[3] == "ieee" else _nan_of(fmt)


@answers("encode")
def by_guard_and_sticky_bits(x, fmt, saturate=False):
    exponent_bits, mantissa_bits, bias, special = fmt
    if math.isnan(x):
        return _nan_of(fmt)
    size, overflows = abs(x), math.isinf(x)
    pattern = 0
    if size and not overflows:
        # size is numerator · 2^power, exactly.
        numerator, denominator = size.as_integer_ratio()
        power = 1 - denominator.bit_length()
        exponent = max(numerator.bit_length() - 1 + power, 1 - bias)
        shift = exponent - mantissa_bits - power
        kept = numerator >> shift if shift > 0 else numerator << -shift
        dropped = numerator - (kept << shift) if shift > 0 else 0
        guard = dropped >> (shift - 1) & 1 if shift > 0 else 0
        sticky = shift > 0 and dropped & ((1 << (shift - 1)) - 1) != 0
        if guard and (sticky or kept & 1):
            kept += 1
        pattern = (exponent + bias - 1 << mantissa_bits) + kept
    largest = (1 << exponent_bits + mantissa_bits) - 1
    largest -= {"ieee": 1 << mantissa_bits, "fn": 1}.get(special, 0)
    if overflows or pattern > largest:
        if not saturate and special in {"fn", "fnuz"}:
            return _nan_of(fmt)
        pattern = largest + (special == "ieee" and not saturate)
    return _signed(pattern, x, fmt)


@answers("encode")
def by_adding_a_large_number(x, fmt, saturate=False):
    # A double whose last bit is worth one gap rounds for us, ties to even.
    number = Number(fmt)
    if math.isnan(x):
        return _nan_of(fmt)
    rounded = abs(x)
    if rounded < 2 * number.max:
        gap = number.gap(rounded)
        magic = gap * 2.0**52
        rounded = rounded + magic - magic
    if rounded > number.max:
        if saturate or number.special == "finite":
            rounded = number.max
        elif number.special == "ieee":
            return _signed(((1 << fmt[0]) - 1) << fmt[1], x, fmt)
        else:
            return _nan_of(fmt)
    return _signed(floor(Fraction(rounded), fmt), x, fmt)


def _round(x, fmt):
    return by_fractions(by_guard_and_sticky_bits(x, fmt), fmt)


@answers("accumulate")
def by_reducing(values, fmt):
    return functools.reduce(lambda total, value: _round(total + _round(value, fmt), fmt), values, 0.0)


@answers("accumulate")
def by_the_last_of_all_totals(values, fmt):
    rounded = (_round(value, fmt) for value in values)
    *_, last = itertools.accumulate(rounded, lambda a, b: _round(a + b, fmt), initial=0.0)
    return last


@answers("accumulate")
def by_exact_sums(values, fmt):
    total = 0.0
    for value in map(functools.partial(_round, fmt=fmt), values):
        if math.isinf(total) or math.isinf(value):
            total = total + value
            continue
        exact = Fraction(total) + Fraction(value)
        total = _round(float(exact), fmt) if exact else 0
    return total


@answers("smallest_update")
def by_halves_of_gaps(p, fmt):
    number = Number(fmt)
    if not math.isfinite(p) or abs(p) > number.max or _round(p, fmt) != p:
        raise ValueError(p)
    smallest = 2.0 ** (number.lowest - number.mantissa_bits)
    gap = number.gap(abs(p))
    if p < 0 and math.frexp(p)[0] == -0.5 and abs(p) > 2.0**number.lowest:
        gap /= 2
    half, odd = gap / 2, by_guard_and_sticky_bits(p, fmt) % 2
    if half < smallest:
        return smallest
    return half if odd else half + number.gap(half)


@answers("smallest_update")
def by_trying_powers_of_two(p, fmt):
    pattern = by_guard_and_sticky_bits(p, fmt) if p == p else 0
    if p != p or math.isinf(p) or by_fractions(pattern, fmt) != p:
        raise ValueError("not in the format")
    # The bits of the answer's pattern, the highest one first: set where p is still p with it.
    found = 0
    for place in reversed(range(fmt[0] + fmt[1])):
        tried = found | 1 << place
        if tried <= last_pattern(fmt) and _round(p + by_fractions(tried, fmt), fmt) == p:
            found = tried
    return by_fractions(found + 1, fmt)


@answers("smallest_update")
def by_the_middle_of_the_way_to_the_next(p, fmt):
    if math.isnan(p) or math.isinf(p) or _round(p, fmt) - p:
        raise ValueError("not in the format")
    place = floor(Fraction(abs(p)), fmt)
    size = without_sign(place, fmt)
    towards = without_sign(place - 1, fmt) if p < 0 else without_sign(place + 1, fmt)
    half = abs(towards - size) / 2
    found = floor(half, fmt)
    # A tie goes away from an odd pattern; 0 is no update.
    exact = without_sign(found, fmt) == half
    return float(without_sign(found if exact and place % 2 and found else found + 1, fmt))


@answers("stochastic_round")
def by_neighbouring_patterns(x, fmt, u):
    if x != x or u < 0 or u >= 1 or abs(x) > without_sign(last_pattern(fmt), fmt):
        raise ValueError((x, u))
    place = floor(Fraction(abs(x)), fmt)
    inner = without_sign(place, fmt)
    if inner == Fraction(abs(x)):
        return x
    outer = without_sign(place + 1, fmt)
    below, above = (inner, outer) if x > 0 else (-outer, -inner)
    return float(above if Fraction(u) < (Fraction(x) - below) / (above - below) else below)


@answers("stochastic_round")
def by_adding_noise(x, fmt, u):
    number = Number(fmt)
    if not (-number.max <= x <= number.max and 0 <= u < 1):
        raise ValueError("out of range")
    gap = Fraction(number.gap(abs(x)))
    # Above where u is less than the share: that is where rounding up share − u gives 1.
    whole, share = divmod(Fraction(x) / gap, 1)
    return float((whole + math.ceil(share - Fraction(u)) if u < share else whole) * gap)


@answers("stochastic_round")
def by_remainders(x, fmt, u):
    number = Number(fmt)
    if math.isnan(x) or math.isinf(x) or u >= 1 or u < 0 or number.max < abs(x):
        raise ValueError
    gap = number.gap(abs(x))
    rest = math.fmod(x, gap)
    if not rest:
        return x
    inner = x - rest
    below, above = (inner, inner + gap) if x > 0 else (inner - gap, inner)
    return above if u * (above - below) < x - below else below
