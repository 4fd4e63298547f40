"""Wrong answers that people give to kata 07 about what patterns of bits mean."""

import math

from dojo.judging.diagnose import believes, solution

from .formats import FORMATS

solved = solution("07_floats")


def _sign_bit(fmt):
    return 2 ** (fmt[0] + fmt[1])


def _parts(bits, fmt):
    """Return sign, exponent and mantissa of a pattern, as ints; raise ValueError if it is not a pattern."""
    solved.decode(bits, fmt)
    exponent_bits, mantissa_bits, _, _ = fmt
    sign, rest = divmod(bits, 2 ** (exponent_bits + mantissa_bits))
    return sign, *divmod(rest, 2**mantissa_bits)


# decode


@believes("The bias is 127", about="decode")
def has_the_bias_of_float32(bits, fmt):
    """127 is the bias for 8 exponent bits; each format has its own, the third entry of its tuple."""
    return solved.decode(bits, (fmt[0], fmt[1], 127, fmt[3]))


@believes("The bias follows from the number of exponent bits", about="decode")
def has_the_bias_of_ieee(bits, fmt):
    """2^(e − 1) − 1 is the bias of IEEE formats; fnuz formats have one more, and others may have any bias."""
    return solved.decode(bits, (fmt[0], fmt[1], 2 ** (fmt[0] - 1) - 1, fmt[3]))


@believes("A subnormal number has the exponent 0 − bias", about="decode")
def gives_subnormals_their_own_exponent(bits, fmt):
    """Without the leading 1, the exponent is that of E = 1, 1 − bias, so subnormals end where normal numbers begin."""
    _, exponent, _ = _parts(bits, fmt)
    value = solved.decode(bits, fmt)
    return value if exponent else value / 2


@believes("Every number but zero has a leading 1", about="decode")
def sees_no_subnormals(bits, fmt):
    """If the exponent bits are all 0, there is no leading 1: these are the subnormal numbers, down to 0."""
    sign, exponent, mantissa = _parts(bits, fmt)
    if exponent or not mantissa:
        return solved.decode(bits, fmt)
    return (-1) ** sign * math.ldexp(2 ** fmt[1] + mantissa, -fmt[2] - fmt[1])


@believes("Subnormal numbers are zero", about="decode")
def flushes_subnormals(bits, fmt):
    """Some hardware flushes them to zero, but the format has them, between 0 and the smallest normal number."""
    _, exponent, _ = _parts(bits, fmt)
    value = solved.decode(bits, fmt)
    return value if exponent else math.copysign(0.0, value)


@believes("An exponent of all ones is infinity or NaN in every format", about="decode")
def takes_all_formats_for_ieee(bits, fmt):
    """Formats with few bits cannot spare those patterns: in "fn", "fnuz" and "finite" most of them are numbers."""
    return solved.decode(bits, (*fmt[:3], "ieee"))


@believes("Every pattern is a number", about="decode")
def sees_no_special_patterns(bits, fmt):
    """Only in "finite": "ieee" reserves the exponent of all ones for infinity and NaN, and "fn" and "fnuz" have NaN."""
    solved.decode(bits, fmt)
    return solved.decode(bits, (*fmt[:3], "finite"))


@believes("An exponent of all ones is infinity, whatever the mantissa", about="decode")
def sees_no_nan(bits, fmt):
    """In "ieee" it is infinity only if the mantissa is 0; with any other mantissa it is NaN."""
    sign, _, _ = _parts(bits, fmt)
    value = solved.decode(bits, fmt)
    return (-1) ** sign * math.inf if math.isnan(value) and fmt[3] == "ieee" else value


@believes("A zero has no sign", about="decode")
def drops_the_sign_of_zero(bits, fmt):
    """The sign has its own bit, so there are two zeros: 0 == −0.0 holds, but math.copysign tells them apart."""
    return solved.decode(bits, fmt) + 0.0


@believes("A sign bit and nothing else is −0.0 in every format", about="decode")
def has_a_negative_zero_everywhere(bits, fmt):
    """fnuz means finite, no negative zero: there that pattern is the NaN."""
    solved.decode(bits, fmt)
    return -0.0 if bits == _sign_bit(fmt) else solved.decode(bits, fmt)


@believes("A format without infinity has one NaN", about="decode")
def knows_the_positive_nan_alone(bits, fmt):
    """In "fn", all ones are NaN with either sign: 0x7f and 0xff in e4m3fn."""
    if fmt[3] == "fn" and bits == 2 * _sign_bit(fmt) - 1:
        return solved.decode(bits, (*fmt[:3], "finite"))
    return solved.decode(bits, fmt)


@believes("A negative number is the two's complement of the positive one", about="decode")
def takes_the_complement(bits, fmt):
    """Floats keep a sign and a magnitude: −1.0 and 1.0 differ in one bit."""
    solved.decode(bits, fmt)
    negative = bits > _sign_bit(fmt)
    return -solved.decode(2 * _sign_bit(fmt) - bits, fmt) if negative else solved.decode(bits, fmt)


@believes("Bits that the format has no room for are cut off", about="decode")
def masks_what_is_too_long(bits, fmt):
    """An int with more bits than the format has is not a pattern of it: raise ValueError."""
    return solved.decode(bits % (2 * _sign_bit(fmt)) if bits >= 0 else bits, fmt)


@believes("A negative int is a pattern too", about="decode")
def takes_negative_ints(bits, fmt):
    """A negative int has no highest bit in Python, so it is not a pattern: raise ValueError."""
    return solved.decode(bits % (2 * _sign_bit(fmt)) if bits < 0 else bits, fmt)


# limits


def _limits(fmt, **others):
    return solved.limits(fmt) | others


@believes("Every format keeps its largest exponent for infinity and NaN", about="limits")
def keeps_an_exponent_for_infinity(fmt):
    """Only "ieee" does; the others have numbers there, and so a larger max."""
    return _limits(fmt, max=solved.limits((*fmt[:3], "ieee"))["max"])


@believes("Without infinity every pattern is a number", about="limits")
def forgets_the_nan_of_fn(fmt):
    """In "fn" the largest pattern is NaN: the max of e4m3fn is 448, the number before it."""
    return _limits(fmt, max=solved.limits((*fmt[:3], "finite"))["max"] if fmt[3] == "fn" else solved.limits(fmt)["max"])


@believes("The largest number is a power of two", about="limits")
def forgets_the_mantissa_of_max(fmt):
    """Its mantissa is all ones (except the last bit in "fn"): max is nearly twice the power of two at its exponent."""
    return _limits(fmt, max=2.0 ** (math.frexp(solved.limits(fmt)["max"])[1] - 1))


@believes("The smallest positive number is the smallest normal one", about="limits")
def knows_no_subnormals(fmt):
    """Subnormal numbers continue below it; the smallest one has only the last bit of its mantissa set."""
    return _limits(fmt, smallest_subnormal=solved.limits(fmt)["smallest_normal"])


@believes("An exponent field of 0 belongs to normal numbers", about="limits")
def begins_normals_at_zero(fmt):
    """E = 0 is reserved for 0 and the subnormals, so the smallest normal number has E = 1."""
    return _limits(fmt, smallest_normal=solved.limits(fmt)["smallest_normal"] / 2)


@believes("eps is the smallest difference that survives rounding, half a gap", about="limits")
def takes_half_a_gap_for_eps(fmt):
    """eps is the whole gap above 1.0; half of it is the largest error of rounding."""
    return _limits(fmt, eps=solved.limits(fmt)["eps"] / 2)


@believes("eps is what torch.finfo says", about="limits")
def copies_finfo(fmt):
    """For float8_e5m2fnuz it says 0.125, but the next number after 1.0 is 1.25: count the bits of the mantissa."""
    return _limits(fmt, eps=0.125 if fmt == solved.FLOAT8_E5M2FNUZ else solved.limits(fmt)["eps"])


@believes("The bias follows from the number of exponent bits", about="limits")
def computes_the_bias(fmt):
    """Each format has its own bias: fnuz formats have one more than 2^(e − 1) − 1, and others may have any."""
    return solved.limits((fmt[0], fmt[1], 2 ** (fmt[0] - 1) - 1, fmt[3]))


@believes("There are ten formats", about="limits")
def looks_the_format_up(fmt):
    """Others are passed too: compute the limits from the four entries of the format."""
    if fmt not in FORMATS.values():
        raise KeyError(fmt)
    return solved.limits(fmt)


_found: dict[str, float] = {}


@believes("One dict will do for all formats", about="limits")
def fills_one_dict(fmt):
    """A default argument or a global is the same dict in each call, so the next call changes it: make a new one."""
    _found.update(solved.limits(fmt))
    return _found


# spacing


@believes("Numbers are eps apart", about="spacing")
def is_eps_everywhere(x, fmt):
    """eps is the gap from 1.0 up to 2.0; the gap doubles with each power of two, and halves below 1.0."""
    solved.spacing(x, fmt)
    return solved.limits(fmt)["eps"]


@believes("The gap is eps times the number", about="spacing")
def is_relative(x, fmt):
    """The gap is the same from one power of two to the next: it is eps times that power, not times x."""
    smallest = solved.spacing(x, fmt) and solved.limits(fmt)["smallest_subnormal"]
    return max(solved.limits(fmt)["eps"] * abs(x), smallest)


@believes("Gaps keep shrinking towards zero", about="spacing")
def has_no_subnormals_to_space(x, fmt):
    """Below the smallest normal number the exponent is fixed: all gaps there are as wide as the smallest subnormal."""
    gap = solved.spacing(x, fmt)
    return math.ldexp(1.0, math.frexp(x)[1] - 1 - fmt[1]) if x else gap


@believes("There is nothing between 0 and the smallest normal number", about="spacing")
def jumps_over_subnormals(x, fmt):
    """The subnormal numbers lie there, evenly spaced."""
    gap, normal = solved.spacing(x, fmt), solved.limits(fmt)["smallest_normal"]
    return normal if abs(x) < normal else gap


@believes("The gap of a number is the one below the number", about="spacing")
def looks_down(x, fmt):
    """At a power of two the two gaps differ: the one above is twice the one below, and the one above is the answer."""
    gap, size = solved.spacing(x, fmt), abs(x)
    below = math.nextafter(size, 0.0)
    return solved.spacing(below, fmt) if size else gap


@believes("The next number after a negative one is towards zero", about="spacing")
def looks_up_the_number_line(x, fmt):
    """Only |x| counts: the gaps of −x mirror those of x."""
    gap = solved.spacing(x, fmt)
    return solved.spacing(math.nextafter(x, math.inf), fmt) if x < 0 else gap


@believes("The largest number has a gap like its neighbours", about="spacing")
def gives_max_a_gap(x, fmt):
    """There is no number above max, so there is no gap: max is refused too."""
    most = solved.limits(fmt)["max"]
    return solved.spacing(math.nextafter(most, 0.0) if abs(x) == most else x, fmt)


@believes("The gap after the largest number is infinite", about="spacing")
def ends_in_infinity(x, fmt):
    """No gap can be measured to infinity: raise ValueError if |x| is max or more."""
    return math.inf if abs(x) >= solved.limits(fmt)["max"] else solved.spacing(x, fmt)


@believes("The gap at NaN is NaN", about="spacing")
def passes_nan_on(x, fmt):
    """NaN has no place among the numbers: raise ValueError."""
    return math.nan if math.isnan(x) else solved.spacing(x, fmt)


@believes("math.log(x, 2) is exact for powers of two", about="spacing")
def divides_two_logarithms(x, fmt):
    """It divides two rounded logarithms: math.log(2**-29, 2) is a little less than −29. Use math.frexp."""
    gap, lowest = solved.spacing(x, fmt), 1 - fmt[2]
    return math.ldexp(1.0, max(math.floor(math.log(abs(x), 2)), lowest) - fmt[1]) if x else gap
