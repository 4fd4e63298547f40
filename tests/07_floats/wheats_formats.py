"""Right answers to kata 07 about formats: decode, limits and spacing, in styles that the solution does not use."""

import functools
import math
from fractions import Fraction

from dojo.judging.diagnose import answers

from .patterns import Number, floor, last_pattern, without_sign


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
    size = without_sign(rest, fmt)
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


@answers("limits")
def by_formulas(fmt):
    number = Number(fmt)
    normal, eps = 2.0**number.lowest, 1 / 2**number.mantissa_bits
    return dict(eps=eps, smallest_subnormal=normal * eps, smallest_normal=normal, max=number.max)


@functools.cache
def _sorted(fmt):
    return sorted(filter(None, (without_sign(pattern, fmt) for pattern in range(2 ** (fmt[0] + fmt[1])))))


@answers("limits")
def by_sorting_all(fmt):
    if fmt[0] + fmt[1] > 15:
        return by_formulas(fmt)
    found = _sorted(fmt)
    after_one = next(size for size in found if size > 1)
    exact = {
        "max": found[-1],
        "smallest_normal": without_sign(2 ** fmt[1], fmt),
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


@answers("spacing")
def by_doubling(x, fmt):
    number = Number(fmt)
    if not -number.max < x < number.max:
        raise ValueError(x)
    return number.gap(abs(x))


@answers("spacing")
def by_the_next_pattern(x, fmt):
    if x != x or abs(x) == math.inf:
        raise ValueError("not finite")
    place = floor(Fraction(abs(x)), fmt)
    if place == last_pattern(fmt):
        raise ValueError("the largest")
    return float(without_sign(place + 1, fmt) - without_sign(place, fmt))


@answers("spacing")
def by_a_logarithm(x, fmt):
    number = Number(fmt)
    if math.isnan(x) or abs(x) >= number.max:
        raise ValueError(x)
    exponent = math.floor(math.log2(abs(x))) if abs(x) >= 2.0**number.lowest else number.lowest
    return 2.0**exponent / 2**number.mantissa_bits


@answers("spacing")
def by_the_ulp_of_a_double(x, fmt):
    # A double has 52 bits of mantissa.
    number = Number(fmt)
    if not number.max > abs(x):
        raise ValueError(x)
    return max(math.ulp(abs(x)) * 2.0 ** (52 - number.mantissa_bits), 2.0 ** (number.lowest - number.mantissa_bits))
