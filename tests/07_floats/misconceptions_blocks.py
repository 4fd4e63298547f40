"""Wrong answers that people give to kata 07 about blocks that share a scale."""

import math

from dojo.judging.diagnose import believes, solution

from .misconceptions_rounding import cuts_off

solved = solution("07_floats")


# mx_dequantize


@believes("The scale's byte is the exponent", about="mx_dequantize")
def forgets_the_bias_of_the_scale(scale, elements, fmt):
    """The byte has a bias of 127, like the exponent of float32: a byte of 127 means a scale of 1."""
    return [math.ldexp(value, 127) for value in solved.mx_dequantize(scale, elements, fmt)]


@believes("The scale's byte is the factor", about="mx_dequantize")
def multiplies_by_the_byte(scale, elements, fmt):
    """The byte is an exponent, and the factor is 2^(scale − 127). Only int8 formats multiply by the integer itself."""
    found = solved.mx_dequantize(scale, elements, fmt)
    if scale == 255:
        return found
    return [scale * solved.decode(bits, fmt) for bits in elements]


@believes("The scale's byte has a sign bit", about="mx_dequantize")
def reads_a_signed_exponent(scale, elements, fmt):
    """e8m0 has eight bits of exponent and nothing else: no sign, no mantissa."""
    if not 0 <= scale <= 255:
        return solved.mx_dequantize(scale, elements, fmt)
    return [math.ldexp(solved.decode(bits, fmt), scale - 256 if scale > 127 else scale) for bits in elements]


@believes("A scale of 255 is one like any other", about="mx_dequantize")
def knows_no_nan_scale(scale, elements, fmt):
    """255 is the NaN of e8m0, and turns every element into NaN; the largest scale is 254."""
    if scale != 255:
        return solved.mx_dequantize(scale, elements, fmt)
    return [2 * value for value in solved.mx_dequantize(254, elements, fmt)]


@believes("A scale of 255 is infinity", about="mx_dequantize")
def has_an_infinite_scale(scale, elements, fmt):
    """e8m0 has no infinity: 255 is NaN, and so is each element."""
    if scale != 255:
        return solved.mx_dequantize(scale, elements, fmt)
    return [solved.decode(bits, fmt) * math.inf for bits in elements]


@believes("A scale of 0 is zero", about="mx_dequantize")
def has_a_zero_scale(scale, elements, fmt):
    """e8m0 has no zero and no subnormals: 0 means 2^−127."""
    found = solved.mx_dequantize(scale, elements, fmt)
    return [0.0 * value for value in found] if scale == 0 else found


@believes("Any int is a scale", about="mx_dequantize")
def takes_any_scale(scale, elements, fmt):
    """A scale is a byte: raise ValueError below 0 and above 255."""
    if 0 <= scale <= 255:
        return solved.mx_dequantize(scale, elements, fmt)
    return [math.ldexp(solved.decode(bits, fmt), max(-1000, min(700, scale - 127))) for bits in elements]


@believes("A block has at most 32 elements", about="mx_dequantize")
def refuses_more_than_32_elements(scale, elements, fmt):
    """The OCP format has 32; here a block is as long as the list, and only the scale can be refused."""
    if len(elements) > 32:
        raise ValueError("at most 32 elements")
    return solved.mx_dequantize(scale, elements, fmt)


@believes("The list of elements may change", about="mx_dequantize")
def decodes_in_place(scale, elements, fmt):
    """It belongs to the caller: leave it as it is, and return a new list."""
    elements[:] = solved.mx_dequantize(scale, elements, fmt)
    return elements


_numbers: list[float] = []


@believes("One list will do for all blocks", about="mx_dequantize")
def fills_one_list_of_numbers(scale, elements, fmt):
    """A default argument or a global is the same list in each call, so the next call changes it: make a new one."""
    _numbers[:] = solved.mx_dequantize(scale, elements, fmt)
    return _numbers


# mx_quantize


def _exponent(value):
    return math.frexp(value)[1] - 1


def _with_exponent(values, fmt, exponent, saturate=True):
    """Return the block with this exponent; a block of zeros stays as it is."""
    right = solved.mx_quantize(values, fmt)
    if not any(values):
        return right
    exponent = max(-127, min(127, exponent(max(map(abs, values)), solved.limits(fmt)["max"])))
    return exponent + 127, [solved.encode(math.ldexp(value, -exponent), fmt, saturate) for value in values]


@believes("Nothing may saturate", about="mx_quantize")
def rounds_the_scale_up(values, fmt):
    """The OCP rule takes the floor of both logarithms, so the largest value may be above max, and then it saturates."""
    return _with_exponent(values, fmt, lambda most, largest: math.ceil(math.log2(most / largest)))


@believes("The floor of the difference is the difference of the floors", about="mx_quantize")
def rounds_the_quotient_down(values, fmt):
    """Take the floor of each logarithm separately: floor(log2(largest |value|)) − floor(log2(max))."""
    return _with_exponent(values, fmt, lambda most, largest: math.floor(math.log2(most / largest)))


@believes("The scale is the power of two of the largest value", about="mx_quantize")
def forgets_the_range_of_the_elements(values, fmt):
    """Then elements would be below 2, and most of their range unused: subtract the exponent of max."""
    return _with_exponent(values, fmt, lambda most, largest: _exponent(most))


@believes("Elements beyond max overflow", about="mx_quantize")
def lets_elements_overflow(values, fmt):
    """They saturate: the largest value of a block may be above max once it is scaled."""
    if not any(values):
        return solved.mx_quantize(values, fmt)
    return _with_exponent(values, fmt, lambda most, largest: _exponent(most) - _exponent(largest), False)


@believes("The largest value sets the scale, whatever the negative ones are", about="mx_quantize")
def looks_at_positive_values(values, fmt):
    """The largest magnitude sets it: max(|v|), not max(v)."""
    solved.mx_quantize(values, fmt)
    most = max(values)
    if most < 0:
        raise ValueError("math domain error")
    if most == 0:
        return 127, _elements(values, solved.limits(fmt)["max"], fmt)
    return solved.mx_quantize([most, *(max(value, -most) for value in values)], fmt)[0], _elements(values, most, fmt)


@believes("The largest value sets the scale, whatever the negative ones are", about="mx_quantize")
def takes_a_logarithm_of_the_largest_value(values, fmt):
    """The largest magnitude sets it: max(|v|), not max(v)."""
    if max(values) <= 0:
        solved.mx_quantize(values, fmt)
        raise ValueError("math domain error")
    return looks_at_positive_values(values, fmt)


def _elements(values, most, fmt):
    exponent = max(-127, _exponent(most) - _exponent(solved.limits(fmt)["max"]))
    return [solved.encode(math.ldexp(value, -exponent), fmt, True) for value in values]


@believes("The scale may be as small as the values require", about="mx_quantize")
def has_no_smallest_scale(values, fmt):
    """The exponent is at least −127: for smaller values the scale stays there, and the elements get smaller."""
    right = solved.mx_quantize(values, fmt)
    if not any(values):
        return right
    exponent = _exponent(max(map(abs, values))) - _exponent(solved.limits(fmt)["max"])
    return exponent + 127, [solved.encode(math.ldexp(value, -exponent), fmt, True) for value in values]


@believes("Elements are cut off to the mantissa's bits", about="mx_quantize")
def cuts_elements_off(values, fmt):
    """They are rounded to the nearest number, ties to the even mantissa."""
    scale, _ = solved.mx_quantize(values, fmt)
    return scale, [cuts_off(math.ldexp(value, 127 - scale), fmt, True) for value in values]


@believes("Zeros have no scale", about="mx_quantize")
def refuses_zeros(values, fmt):
    """log2(0) does not exist, but any scale can represent zeros: a block of zeros is allowed."""
    if values and not any(values):
        raise ValueError("log2(0)")
    return solved.mx_quantize(values, fmt)


@believes("A value that is not finite makes the scale NaN", about="mx_quantize")
def makes_the_scale_nan(values, fmt):
    """The scale's byte has a NaN, and some libraries use it for this; here such a value raises a ValueError."""
    return solved.mx_quantize(values, fmt) if all(map(math.isfinite, values)) else (255, [0] * len(values))


@believes("No values make an empty block", about="mx_quantize")
def quantizes_nothing(values, fmt):
    """Without values there is no largest one, and so no scale: raise ValueError."""
    return solved.mx_quantize(values, fmt) if values else (127, [])


@believes("A block has at most 32 values", about="mx_quantize")
def refuses_more_than_32_values(values, fmt):
    """The OCP format has 32; here a block is as long as the list, and all of it shares one scale."""
    if len(values) > 32:
        raise ValueError("at most 32 values")
    return solved.mx_quantize(values, fmt)


@believes("The list of values may change", about="mx_quantize")
def scales_in_place(values, fmt):
    """It belongs to the caller: leave it as it is, and put the scaled values into a new list."""
    scale, elements = solved.mx_quantize(values, fmt)
    values[:] = [math.ldexp(value, 127 - scale) for value in values]
    return scale, elements


_patterns: list[int] = []


@believes("One list will do for all blocks", about="mx_quantize")
def fills_one_list_of_patterns(values, fmt):
    """A default argument or a global is the same list in each call, so the next call changes it: make a new one."""
    scale, _patterns[:] = solved.mx_quantize(values, fmt)
    return scale, _patterns


@believes("math.log(x, 2) is exact for powers of two", about="mx_quantize")
def takes_a_quotient_of_logarithms(values, fmt):
    """It divides two rounded logarithms: math.log(2**-29, 2) is a little less than −29. Use math.frexp."""
    return _with_exponent(
        values, fmt, lambda most, largest: math.floor(math.log(most, 2)) - math.floor(math.log(largest, 2))
    )


@believes("A logarithm needs a small correction before its floor", about="mx_quantize")
def adds_an_epsilon_to_the_logarithm(values, fmt):
    """With it, a value just below a power of two counts as that power. math.frexp gives the exponent exactly."""
    return _with_exponent(values, fmt, lambda most, largest: math.floor(math.log2(most) + 1e-6) - _exponent(largest))


@believes("Values pass through bfloat16", about="mx_quantize")
def rounds_twice(values, fmt):
    """They are float32. Rounded to bfloat16 first, what is only nearly a tie becomes one, and may go the other way."""
    scale, _ = solved.mx_quantize(values, fmt)
    scaled = [solved.encode(math.ldexp(value, 127 - scale), solved.BFLOAT16) for value in values]
    return scale, [solved.encode(solved.decode(bits, solved.BFLOAT16), fmt, True) for bits in scaled]
