"""Right answers to kata 07, in styles that the solution does not use."""

import bisect
import functools
import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

from dojo.judging.diagnose import answers

# What the others are built of: a format as a table, as an object, and as arithmetic with fractions.


@functools.lru_cache(maxsize=2**17)
def _without_sign(pattern, fmt):
    """What a pattern without a sign bit means, as a Fraction; None where it is no number."""
    exponent_bits, mantissa_bits, bias, special = fmt
    ones = 2**exponent_bits - 1
    exponent, mantissa = pattern >> mantissa_bits, pattern & ((1 << mantissa_bits) - 1)
    if special == "ieee" and exponent == ones:
        return None
    if special == "fn" and exponent == ones and mantissa == 2**mantissa_bits - 1:
        return None
    whole = mantissa + (2**mantissa_bits if exponent > 0 else 0)
    return Fraction(whole, 2**mantissa_bits) * Fraction(2) ** (max(exponent, 1) - bias)


@functools.cache
def _top(fmt):
    patterns = range(2 ** (fmt[0] + fmt[1]) - 1, -1, -1)
    return next(pattern for pattern in patterns if _without_sign(pattern, fmt) is not None)


def _floor(size, fmt):
    """The pattern of the largest number that is not above this Fraction, and is not above max."""
    return bisect.bisect_right(range(_top(fmt) + 1), size, key=lambda pattern: _without_sign(pattern, fmt)) - 1


class _Number:
    """A format that knows its own numbers by their exponents."""

    def __init__(self, fmt):
        self.exponent_bits, self.mantissa_bits, self.bias, self.special = fmt
        self.lowest = 1 - self.bias

    def gap(self, size):
        exponent = self.lowest
        while 2.0 ** (exponent + 1) <= size:
            exponent += 1
        return 2.0 ** (exponent - self.mantissa_bits)

    @property
    def max(self):
        exponents = 2**self.exponent_bits - (2 if self.special == "ieee" else 1)
        missing = 2 if self.special == "fn" else 1
        return 2.0 ** (exponents - self.bias) * (2 - missing * 2.0**-self.mantissa_bits)


# decode


@answers("decode")
def by_digits(bits, fmt):
    exponent_bits, mantissa_bits, bias, special = fmt
    digits = format(bits, "b").zfill(1 + exponent_bits + mantissa_bits)
    if bits < 0 or len(digits) > 1 + exponent_bits + mantissa_bits:
        raise ValueError(digits)
    sign, exponent, mantissa = digits[0], digits[1 : 1 + exponent_bits], digits[1 + exponent_bits :]
    match special, set(exponent), set(mantissa), sign:
        case "ieee", ones, zeros, _ if ones == {"1"}:
            return float("nan") if zeros != {"0"} else float("-inf" if sign == "1" else "inf")
        case "fn", ones, others, _ if ones == others == {"1"}:
            return float("nan")
        case "fnuz", zeros, others, "1" if zeros == others == {"0"}:
            return float("nan")
    leading = "1" if "1" in exponent else "0"
    power = max(int(exponent, 2), 1) - bias - mantissa_bits
    return float(f"{sign.replace('1', '-').replace('0', '+')}1") * int(leading + mantissa, 2) * 2.0**power


@answers("decode")
def by_fractions(bits, fmt):
    count = 2 ** (fmt[0] + fmt[1])
    if bits not in range(2 * count):
        raise ValueError("no pattern")
    negative, rest = bits >= count, bits % count
    size = _without_sign(rest, fmt)
    if size is None:
        infinite = fmt[3] == "ieee" and rest % 2 ** fmt[1] == 0
        return (-math.inf if negative else math.inf) if infinite else math.nan
    if negative and rest == 0:
        return math.nan if fmt[3] == "fnuz" else -0.0
    return float(-size if negative else size)


@answers("decode")
def by_hexadecimal(bits, fmt):
    exponent_bits, mantissa_bits, bias, special = fmt
    width = exponent_bits + mantissa_bits
    if bits < 0 or bits.bit_length() > width + 1:
        raise ValueError(f"{bits:#x}")
    negative, mantissa = bits >> width, bits % (1 << mantissa_bits)
    field = (bits >> mantissa_bits) % (1 << exponent_bits)
    full = (1 << exponent_bits) - 1
    if {"ieee": field == full and mantissa, "fn": bits | 1 << width == (2 << width) - 1}.get(special):
        return -math.nan
    if special == "fnuz" and bits == 1 << width:
        return math.nan
    if special == "ieee" and field == full:
        return (-1) ** negative * math.inf
    whole = (1 << mantissa_bits if field else 0) | mantissa
    return float.fromhex(f"{'-' * negative}0x{whole:x}p{(field or 1) - bias - mantissa_bits}")


# limits


@answers("limits")
def by_formulas(fmt):
    number = _Number(fmt)
    normal, eps = 2.0**number.lowest, 1 / 2**number.mantissa_bits
    return dict(eps=eps, smallest_subnormal=normal * eps, smallest_normal=normal, max=number.max)


@functools.cache
def _sorted(fmt):
    return sorted(filter(None, (_without_sign(pattern, fmt) for pattern in range(2 ** (fmt[0] + fmt[1])))))


@answers("limits")
def by_sorting_all(fmt):
    if fmt[0] + fmt[1] > 15:
        return by_formulas(fmt)
    found = _sorted(fmt)
    after_one = next(size for size in found if size > 1)
    exact = {
        "max": found[-1],
        "smallest_normal": _without_sign(2 ** fmt[1], fmt),
        "smallest_subnormal": found[0],
        "eps": after_one - 1,
    }
    return {name: float(size) for name, size in exact.items()}


@answers("limits")
def by_counting_in_ints(fmt):
    exponent_bits, mantissa_bits, bias, special = fmt
    full = (1 << exponent_bits) - 1
    mantissa = (1 << mantissa_bits) - 1
    if special == "ieee":
        full -= 1
    if special == "fn":
        mantissa -= 1
    largest = math.ldexp((1 << mantissa_bits) + mantissa, full - bias - mantissa_bits)
    smallest = math.ldexp(1, 1 - bias - mantissa_bits)
    one = math.ldexp(1, -mantissa_bits)
    if largest == int(largest):
        largest = int(largest)  # an int stands for a float of its value
    return {"max": largest, "smallest_normal": smallest / one, "smallest_subnormal": smallest, "eps": one}


# spacing


@answers("spacing")
def by_doubling(x, fmt):
    number = _Number(fmt)
    if not -number.max < x < number.max:
        raise ValueError(x)
    return number.gap(abs(x))


@answers("spacing")
def by_the_next_pattern(x, fmt):
    if x != x or abs(x) == math.inf:
        raise ValueError("not finite")
    place = _floor(Fraction(abs(x)), fmt)
    if place == _top(fmt):
        raise ValueError("the largest")
    return float(_without_sign(place + 1, fmt) - _without_sign(place, fmt))


@answers("spacing")
def by_a_logarithm(x, fmt):
    number = _Number(fmt)
    if math.isnan(x) or abs(x) >= number.max:
        raise ValueError(x)
    exponent = math.floor(math.log2(abs(x))) if abs(x) >= 2.0**number.lowest else number.lowest
    return 2.0**exponent / 2**number.mantissa_bits


@answers("spacing")
def by_the_ulp_of_a_double(x, fmt):
    # A double has 52 bits of mantissa.
    number = _Number(fmt)
    if not number.max > abs(x):
        raise ValueError(x)
    return max(math.ulp(abs(x)) * 2.0 ** (52 - number.mantissa_bits), 2.0 ** (number.lowest - number.mantissa_bits))


# encode


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


@answers("encode")
def by_comparing_two_neighbours(x, fmt, saturate=False):
    if x != x:
        return _nan_of(fmt)
    top = _top(fmt)
    # The number after max, were there one.
    last = _without_sign(top, fmt)
    beyond = 2 * last - _without_sign(top - 1, fmt)
    below = top if math.isinf(x) else _floor(Fraction(abs(x)), fmt)
    low, high = _without_sign(below, fmt), beyond if below == top else _without_sign(below + 1, fmt)
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
    number = _Number(fmt)
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
    return _signed(_floor(Fraction(rounded), fmt), x, fmt)


def _round(x, fmt):
    return by_fractions(by_guard_and_sticky_bits(x, fmt), fmt)


# accumulate


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


# smallest_update


@answers("smallest_update")
def by_halves_of_gaps(p, fmt):
    number = _Number(fmt)
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
        if tried <= _top(fmt) and _round(p + by_fractions(tried, fmt), fmt) == p:
            found = tried
    return by_fractions(found + 1, fmt)


@answers("smallest_update")
def by_the_middle_of_the_way_to_the_next(p, fmt):
    if math.isnan(p) or math.isinf(p) or _round(p, fmt) - p:
        raise ValueError("not in the format")
    place = _floor(Fraction(abs(p)), fmt)
    size = _without_sign(place, fmt)
    towards = _without_sign(place - 1, fmt) if p < 0 else _without_sign(place + 1, fmt)
    half = abs(towards - size) / 2
    found = _floor(half, fmt)
    # A tie goes away from an odd pattern; 0 is no update.
    exact = _without_sign(found, fmt) == half
    return float(_without_sign(found if exact and place % 2 and found else found + 1, fmt))


# stochastic_round


@answers("stochastic_round")
def by_neighbouring_patterns(x, fmt, u):
    if x != x or u < 0 or u >= 1 or abs(x) > _without_sign(_top(fmt), fmt):
        raise ValueError((x, u))
    place = _floor(Fraction(abs(x)), fmt)
    inner = _without_sign(place, fmt)
    if inner == Fraction(abs(x)):
        return x
    outer = _without_sign(place + 1, fmt)
    below, above = (inner, outer) if x > 0 else (-outer, -inner)
    return float(above if Fraction(u) < (Fraction(x) - below) / (above - below) else below)


@answers("stochastic_round")
def by_adding_noise(x, fmt, u):
    number = _Number(fmt)
    if not (-number.max <= x <= number.max and 0 <= u < 1):
        raise ValueError("out of range")
    gap = Fraction(number.gap(abs(x)))
    # Above where u is less than the share: that is where rounding up share − u gives 1.
    whole, share = divmod(Fraction(x) / gap, 1)
    return float((whole + math.ceil(share - Fraction(u)) if u < share else whole) * gap)


@answers("stochastic_round")
def by_remainders(x, fmt, u):
    number = _Number(fmt)
    if math.isnan(x) or math.isinf(x) or u >= 1 or u < 0 or number.max < abs(x):
        raise ValueError
    gap = number.gap(abs(x))
    rest = math.fmod(x, gap)
    if not rest:
        return x
    inner = x - rest
    below, above = (inner, inner + gap) if x > 0 else (inner - gap, inner)
    return above if u * (above - below) < x - below else below


# mx_dequantize


@answers("mx_dequantize")
def by_ldexp(scale, elements, fmt):
    if scale not in range(256):
        raise ValueError(scale)
    if scale == 0xFF:
        return [math.nan for _ in elements]
    return [math.ldexp(by_hexadecimal(bits, fmt), scale - 127) for bits in elements]


@answers("mx_dequantize")
def by_dividing_by_powers(scale, elements, fmt):
    if scale < 0 or scale.bit_length() > 8:
        raise ValueError("a byte")
    found = []
    for bits in elements:
        value = by_digits(bits, fmt)
        found.append(value * (1 << scale) / 2**127 if scale < 255 else float("nan"))
    return found


@answers("mx_dequantize")
def by_decoding_the_scale(scale, elements, fmt):
    if not -1 < scale < 256:
        raise ValueError(scale)
    # From 1 on, the byte is the exponent of a float32 whose mantissa is 0.
    as_float32 = by_fractions(scale << 23, (8, 23, 127, "ieee")) if 0 < scale < 255 else 2.0**-127
    return list(map(lambda bits: (as_float32 if scale != 255 else math.nan) * by_fractions(bits, fmt), elements))


# mx_quantize


@answers("mx_quantize")
def by_logarithms(values, fmt):
    if len(values) == 0 or any(math.isinf(value) or math.isnan(value) for value in values):
        raise ValueError("a block")
    most = max(abs(value) for value in values)
    exponent = 0
    if most > 0:
        exponent = math.floor(math.log2(most)) - math.floor(math.log2(_Number(fmt).max))
        exponent = min(max(exponent, -127), 127)
    return exponent + 127, [by_guard_and_sticky_bits(value / 2.0**exponent, fmt, True) for value in values]


@answers("mx_quantize")
def by_comparing_neighbours_of_fractions(values, fmt):
    if not values:
        raise ValueError("no values")
    try:
        exact = [Fraction(value) for value in values]
    except (OverflowError, ValueError):
        raise ValueError("not finite") from None
    power, most = Fraction(1), max(map(abs, exact))
    last = _without_sign(_top(fmt), fmt)
    while last >= 2:
        last /= 2
        power /= 2
    scale = 127 - power.denominator.bit_length() + 1
    if most:
        while most >= 2:
            most, scale = most / 2, scale + 1
        while most < 1 and scale > 0:
            most, scale = most * 2, scale - 1
    scale = max(scale, 0)
    found = []
    for value in values:
        found.append(by_comparing_two_neighbours(value * 2.0 ** (127 - scale), fmt, saturate=True))
    return scale, found


@answers("mx_quantize")
def by_decimals(values, fmt):
    if not values or max(map(abs, values)) == math.inf or any(value != value for value in values):
        raise ValueError("a block")
    sizes = sorted(abs(value) for value in values)
    if sizes[-1] == 0:
        return 254, [by_guard_and_sticky_bits(value, fmt) for value in values]
    with localcontext() as context:
        context.prec = 2000
        ratio, exponent = Decimal(sizes[-1]), 0
        while ratio >= 2:
            ratio, exponent = ratio / 2, exponent + 1
        while ratio < 1:
            ratio, exponent = ratio * 2, exponent - 1
    exponent = max(exponent - (math.frexp(_Number(fmt).max)[1] - 1), -127)
    scaled = [value * 0.5**exponent if exponent > 0 else value * 2.0**-exponent for value in values]
    return exponent + 127, [by_adding_a_large_number(value, fmt, True) for value in scaled]
