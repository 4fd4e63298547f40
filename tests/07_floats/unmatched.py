"""Wrong answers to kata 07 that no belief in misconceptions.py explains."""

import math

from dojo.judging.diagnose import answers, solution

solved = solution("07_floats")


@answers("decode")
def reads_the_mantissa_backwards(bits, fmt):
    """The first bit of the mantissa is worth least."""
    value = solved.decode(bits, fmt)
    if not math.isfinite(value):
        return value
    mantissa = bits % 2 ** fmt[1]
    turned = int(f"{mantissa:0{fmt[1]}b}"[::-1], 2)
    return solved.decode(bits - mantissa + turned, (*fmt[:3], "finite")) if value else value


@answers("limits")
def takes_the_number_before_the_largest(fmt):
    """One pattern too low."""
    most = solved.encode(math.inf, fmt, True)
    return solved.limits(fmt) | {"max": solved.decode(most - 1, fmt)}


@answers("spacing")
def halves_the_gaps_of_odd_numbers(x, fmt):
    """Odd numbers have finer gaps."""
    gap = solved.spacing(x, fmt)
    return gap / 2 if solved.encode(x, fmt, True) % 2 else gap


@answers("encode")
def rounds_ties_to_odd(x, fmt, saturate=False):
    """The other way round."""
    bits = solved.encode(x, fmt, saturate)
    if not abs(x) < solved.limits(fmt)["max"] or x == 0:
        return bits
    off = abs(x) - abs(solved.decode(bits, fmt))
    return bits + (1 if off > 0 else -1) if 2 * abs(off) == solved.spacing(x, fmt) else bits


@answers("encode")
def keeps_eleven_bits(x, fmt, saturate=False):
    """Numbers go through float16 on their way."""
    through = solved.decode(solved.encode(x, solved.FLOAT16), solved.FLOAT16)
    return solved.encode(through, fmt, saturate)


@answers("accumulate")
def adds_the_small_ones_first(values, fmt):
    """That is more exact."""
    return solved.accumulate(sorted(values, key=abs), fmt)


@answers("accumulate")
def adds_from_right_to_left(values, fmt):
    """The last one first."""
    return solved.accumulate(values[::-1], fmt)


@answers("smallest_update")
def is_twice_as_large(p, fmt):
    """To be safe."""
    return 2 * solved.smallest_update(p, fmt)


@answers("mx_dequantize")
def has_a_bias_of_128(scale, elements, fmt):
    """Half of 256."""
    return [value / 2 for value in solved.mx_dequantize(scale, elements, fmt)]


@answers("mx_quantize")
def sums_the_block(values, fmt):
    """The sum of the values sets the scale."""
    right = solved.mx_quantize(values, fmt)
    total = sum(map(abs, values))
    return solved.mx_quantize([total, *values], fmt)[0], right[1]
