"""Right answers to kata 07 about blocks that share a scale, in styles that the solution does not use."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

from dojo.judging.diagnose import answers

from .patterns import Number, last_pattern, without_sign
from .wheats_formats import by_digits, by_fractions, by_hexadecimal
from .wheats_rounding import by_adding_a_large_number, by_comparing_two_neighbours, by_guard_and_sticky_bits


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


@answers("mx_quantize")
def by_logarithms(values, fmt):
    if len(values) == 0 or any(math.isinf(value) or math.isnan(value) for value in values):
        raise ValueError("a block")
    most = max(abs(value) for value in values)
    exponent = 0
    if most > 0:
        exponent = math.floor(math.log2(most)) - math.floor(math.log2(Number(fmt).max))
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
    last = without_sign(last_pattern(fmt), fmt)
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
    exponent = max(exponent - (math.frexp(Number(fmt).max)[1] - 1), -127)
    scaled = [value * 0.5**exponent if exponent > 0 else value * 2.0**-exponent for value in values]
    return exponent + 127, [by_adding_a_large_number(value, fmt, True) for value in scaled]
