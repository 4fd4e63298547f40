"""Wrong answers that people give to kata 07, each with the belief behind it."""

import math

from dojo.judging.diagnose import believes, solution

solved = solution("07_floats")


def _parts(bits, fmt):
    """Sign, exponent and mantissa of a pattern, as ints; ValueError where it is none."""
    solved.decode(bits, fmt)
    exponent_bits, mantissa_bits, _, _ = fmt
    sign, rest = divmod(bits, 2 ** (exponent_bits + mantissa_bits))
    return sign, *divmod(rest, 2**mantissa_bits)


def _rounded(x, fmt):
    return solved.decode(solved.encode(x, fmt), fmt)


def _lowered(x, fmt):
    """The number of the format that is nearest to x towards zero, for |x| <= max."""
    size = abs(x)
    bits = solved.encode(size, fmt, True)
    bits -= solved.decode(bits, fmt) > size
    return math.copysign(solved.decode(bits, fmt), x)


def _sign_bit(fmt):
    return 2 ** (fmt[0] + fmt[1])


# decode


@believes("The bias is 127", about="decode")
def has_the_bias_of_float32(bits, fmt):
    """127 is the bias of 8 exponent bits; each format brings its own, the third entry of its tuple."""
    return solved.decode(bits, (fmt[0], fmt[1], 127, fmt[3]))


@believes("The bias follows from the number of exponent bits", about="decode")
def has_the_bias_of_ieee(bits, fmt):
    """2^(e − 1) − 1 is the bias of IEEE formats; fnuz formats have one more, and others are free to choose."""
    return solved.decode(bits, (fmt[0], fmt[1], 2 ** (fmt[0] - 1) - 1, fmt[3]))


@believes("A subnormal number has the exponent 0 − bias", about="decode")
def gives_subnormals_their_own_exponent(bits, fmt):
    """Without the leading 1 the exponent is that of E = 1, 1 − bias: so subnormals end where normal numbers begin."""
    _, exponent, _ = _parts(bits, fmt)
    value = solved.decode(bits, fmt)
    return value if exponent else value / 2


@believes("Every number but zero has a leading 1", about="decode")
def sees_no_subnormals(bits, fmt):
    """Where the exponent's bits are all 0 there is no leading 1: these are the subnormal numbers, down to 0."""
    sign, exponent, mantissa = _parts(bits, fmt)
    if exponent or not mantissa:
        return solved.decode(bits, fmt)
    return (-1) ** sign * math.ldexp(2 ** fmt[1] + mantissa, -fmt[2] - fmt[1])


@believes("Subnormal numbers are zero", about="decode")
def flushes_subnormals(bits, fmt):
    """Some hardware flushes them; the format has them, and they lie between 0 and the smallest normal number."""
    _, exponent, _ = _parts(bits, fmt)
    value = solved.decode(bits, fmt)
    return value if exponent else math.copysign(0.0, value)


@believes("An exponent of all ones is infinity or NaN in every format", about="decode")
def takes_all_formats_for_ieee(bits, fmt):
    """Formats of few bits cannot spare those patterns: in "fn", "fnuz" and "finite" most of them are numbers."""
    value = solved.decode(bits, fmt)
    return value if math.isnan(value) else solved.decode(bits, (*fmt[:3], "ieee"))


@believes("An exponent of all ones is infinity, whatever the mantissa", about="decode")
def sees_no_nan(bits, fmt):
    """In "ieee" it is infinity only where the mantissa is 0; every other mantissa is a NaN."""
    sign, _, _ = _parts(bits, fmt)
    value = solved.decode(bits, fmt)
    return (-1) ** sign * math.inf if math.isnan(value) and fmt[3] == "ieee" else value


@believes("A zero has no sign", about="decode")
def drops_the_sign_of_zero(bits, fmt):
    """The sign bit is one of its own, so there are two zeros: 0 == −0.0 holds, and math.copysign tells them apart."""
    return solved.decode(bits, fmt) + 0.0


@believes("A sign bit and nothing else is −0.0 in every format", about="decode")
def has_a_negative_zero_everywhere(bits, fmt):
    """fnuz means finite, no negative zero: there that pattern is the NaN."""
    solved.decode(bits, fmt)
    return -0.0 if bits == _sign_bit(fmt) else solved.decode(bits, fmt)


@believes("A format without infinity has one NaN", about="decode")
def knows_the_positive_nan_alone(bits, fmt):
    """In "fn" all ones are NaN with either sign: 0x7f and 0xff in e4m3fn."""
    if fmt[3] == "fn" and bits == 2 * _sign_bit(fmt) - 1:
        return solved.decode(bits, (*fmt[:3], "finite"))
    return solved.decode(bits, fmt)


@believes("A negative number is the two's complement of its positive", about="decode")
def takes_the_complement(bits, fmt):
    """Floats keep a sign and a magnitude: −1.0 and 1.0 differ in one bit."""
    solved.decode(bits, fmt)
    negative = bits > _sign_bit(fmt)
    return -solved.decode(2 * _sign_bit(fmt) - bits, fmt) if negative else solved.decode(bits, fmt)


@believes("Bits that the format has no room for are cut off", about="decode")
def masks_what_is_too_long(bits, fmt):
    """More bits than the format has are no pattern of it, and a ValueError."""
    return solved.decode(bits % (2 * _sign_bit(fmt)) if bits >= 0 else bits, fmt)


@believes("A negative int is a pattern too", about="decode")
def takes_negative_ints(bits, fmt):
    """Python's ints have no top bit, so a negative one stands for no pattern, and is a ValueError."""
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
    """In "fn" the largest pattern is NaN: max of e4m3fn is 448, the number before it."""
    return _limits(fmt, max=solved.limits((*fmt[:3], "finite"))["max"] if fmt[3] == "fn" else solved.limits(fmt)["max"])


@believes("The largest number is a power of two", about="limits")
def forgets_the_mantissa_of_max(fmt):
    """Its mantissa is all ones (but the last in "fn"): nearly twice the power of its exponent."""
    return _limits(fmt, max=2.0 ** (math.frexp(solved.limits(fmt)["max"])[1] - 1))


@believes("The smallest positive number is the smallest normal one", about="limits")
def knows_no_subnormals(fmt):
    """Subnormal numbers go on below it, in steps of one last bit of the mantissa."""
    return _limits(fmt, smallest_subnormal=solved.limits(fmt)["smallest_normal"])


@believes("An exponent's bits of 0 belong to normal numbers", about="limits")
def begins_normals_at_zero(fmt):
    """E = 0 is kept for 0 and the subnormals, so the smallest normal number has E = 1."""
    return _limits(fmt, smallest_normal=solved.limits(fmt)["smallest_normal"] / 2)


@believes("eps is the smallest difference that rounding can tell, half a gap", about="limits")
def takes_half_a_gap_for_eps(fmt):
    """eps is the whole gap above 1.0; half of it is the largest error of rounding."""
    return _limits(fmt, eps=solved.limits(fmt)["eps"] / 2)


@believes("eps is what torch.finfo says", about="limits")
def copies_finfo(fmt):
    """For float8_e5m2fnuz it says 0.125, and the next number after 1.0 is 1.25: count the bits of the mantissa."""
    return _limits(fmt, eps=0.125 if fmt == solved.FLOAT8_E5M2FNUZ else solved.limits(fmt)["eps"])


@believes("The bias follows from the number of exponent bits", about="limits")
def computes_the_bias(fmt):
    """Each format brings its own bias: fnuz formats have one more than 2^(e − 1) − 1, and others are free to choose."""
    return solved.limits((fmt[0], fmt[1], 2 ** (fmt[0] - 1) - 1, fmt[3]))


# spacing


@believes("Numbers are eps apart", about="spacing")
def is_eps_everywhere(x, fmt):
    """eps is the gap from 1.0 to 2.0; it doubles with each power of two, and halves below 1.0."""
    solved.spacing(x, fmt)
    return solved.limits(fmt)["eps"]


@believes("The gap is eps times the number", about="spacing")
def is_relative(x, fmt):
    """The gap is the same from one power of two to the next: it is eps times that power, not times x."""
    smallest = solved.spacing(x, fmt) and solved.limits(fmt)["smallest_subnormal"]
    return max(solved.limits(fmt)["eps"] * abs(x), smallest)


@believes("Gaps go on shrinking towards zero", about="spacing")
def has_no_subnormals_to_space(x, fmt):
    """Below the smallest normal number the exponent stays, so all gaps there are as wide as the smallest subnormal."""
    gap = solved.spacing(x, fmt)
    return math.ldexp(1.0, math.frexp(x)[1] - 1 - fmt[1]) if x else gap


@believes("Between 0 and the smallest normal number there is nothing", about="spacing")
def jumps_over_subnormals(x, fmt):
    """The subnormal numbers lie there, evenly spaced."""
    gap, normal = solved.spacing(x, fmt), solved.limits(fmt)["smallest_normal"]
    return normal if abs(x) < normal else gap


@believes("The gap of a number is the one below it", about="spacing")
def looks_down(x, fmt):
    """At a power of two the two gaps differ: the one above is twice the one below, and that is the number's own."""
    gap, size = solved.spacing(x, fmt), abs(x)
    below = math.nextafter(size, 0.0)
    return solved.spacing(below, fmt) if size else gap


@believes("The next number of a negative one is towards zero", about="spacing")
def looks_up_the_number_line(x, fmt):
    """Only |x| counts: the gaps of −x mirror those of x."""
    gap = solved.spacing(x, fmt)
    return solved.spacing(math.nextafter(x, math.inf), fmt) if x < 0 else gap


@believes("The largest number has a gap like its neighbours", about="spacing")
def gives_max_a_gap(x, fmt):
    """Above max there is no number, so there is no gap, and max is refused too."""
    most = solved.limits(fmt)["max"]
    return solved.spacing(math.nextafter(most, 0.0) if abs(x) == most else x, fmt)


@believes("The gap after the largest number is infinite", about="spacing")
def ends_in_infinity(x, fmt):
    """Infinity is no number to measure a gap to: |x| of max and more is a ValueError."""
    return math.inf if abs(x) >= solved.limits(fmt)["max"] else solved.spacing(x, fmt)


@believes("The gap at NaN is NaN", about="spacing")
def passes_nan_on(x, fmt):
    """A NaN lies nowhere among the numbers, and is a ValueError here."""
    return math.nan if math.isnan(x) else solved.spacing(x, fmt)


# encode


def _by_rounding(x, fmt, saturate, how):
    """As the solution does it, with another way to round a number of gaps to a whole one."""
    if not math.isfinite(x):
        return solved.encode(x, fmt, saturate)
    exponent = max(math.frexp(x)[1] - 1 if x else 1 - fmt[2], 1 - fmt[2])
    gaps = how(math.ldexp(abs(x), fmt[1] - exponent))
    return solved.encode(math.copysign(math.ldexp(gaps, exponent - fmt[1]), x), fmt, saturate)


@believes("A tie is rounded up", about="encode")
def rounds_ties_away(x, fmt, saturate=False):
    """As at school; floats round a tie to the even mantissa, so that ties do not add up to a drift."""
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
    """What rounds down to max is max: 65519.0 becomes 65504.0 in float16."""
    most = solved.limits(fmt)["max"]
    return solved.encode(math.copysign(math.inf, x) if abs(x) > most else x, fmt, saturate)


@believes("Half-way beyond max is too far", about="encode")
def overflows_at_the_tie(x, fmt, saturate=False):
    """There, too, a tie goes to the even mantissa: 464 becomes 448 in e4m3fn, whose max is even."""
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
    """NaN is no large number: it stays NaN."""
    return solved.encode(math.inf if saturate and math.isnan(x) else x, fmt, saturate)


@believes("A format without NaN makes 0 of it", about="encode")
def makes_zero_of_nan(x, fmt, saturate=False):
    """Nothing in the format stands for it, so it is a ValueError."""
    return solved.encode(0.0 if math.isnan(x) and fmt[3] == "finite" else x, fmt, saturate)


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


# accumulate


@believes("The total is rounded once, at the end", about="accumulate")
def rounds_at_the_end(values, fmt):
    """That is what torch.sum does, in float32; a running total in the format is rounded after each addition."""
    return _rounded(sum((_rounded(value, fmt) for value in values), 0.0), fmt)


@believes("Only the total is rounded", about="accumulate")
def takes_values_as_they_are(values, fmt):
    """A value has to be a number of the format before it can be added there."""
    total = 0.0
    for value in values:
        total = _rounded(total + value, fmt)
    return total


@believes("Only the values are rounded", about="accumulate")
def keeps_an_exact_total(values, fmt):
    """The total is kept in the format as well, and loses what it has no bits for."""
    return sum((_rounded(value, fmt) for value in values), 0.0)


@believes("The order of additions does not matter", about="accumulate")
def adds_in_pairs(values, fmt):
    """Each addition rounds, so (a + b) + c is not always a + (b + c); here it goes from left to right."""
    if len(values) < 2:
        return solved.accumulate(values, fmt)
    half = len(values) // 2
    return _rounded(adds_in_pairs(values[:half], fmt) + adds_in_pairs(values[half:], fmt), fmt)


@believes("A total that is too large stays at the largest number", about="accumulate")
def stays_at_max(values, fmt):
    """It becomes infinity, and nothing that is added brings it back."""
    total = 0.0
    for value in values:
        value = solved.decode(solved.encode(value, fmt, True), fmt)
        total = solved.decode(solved.encode(total + value, fmt, True), fmt)
    return total


@believes("The total begins with the first value", about="accumulate")
def begins_with_the_first_value(values, fmt):
    """It begins with 0.0, and 0.0 + −0.0 is 0.0."""
    total = solved.accumulate(values, fmt)
    return -0.0 if values and all(value == 0 and math.copysign(1, value) < 0 for value in values) else total


# smallest_update


@believes("Updates smaller than eps vanish", about="smallest_update")
def is_eps_for_every_weight(p, fmt):
    """eps is the gap of 1.0: a larger weight has wider ones, a smaller one finer ones, and half a gap counts."""
    solved.smallest_update(p, fmt)
    return solved.limits(fmt)["eps"]


@believes("An update has to reach the next number", about="smallest_update")
def needs_a_whole_gap(p, fmt):
    """Rounding to the nearest number, a little more than half of the gap is enough."""
    solved.smallest_update(p, fmt)
    return solved.spacing(p, fmt)


@believes("Half a gap is enough", about="smallest_update")
def stops_at_half_a_gap(p, fmt):
    """Exactly half a gap is a tie, which goes back to p where p is even; the next number after it moves p."""
    right = solved.smallest_update(p, fmt)
    half = _rounded(right, fmt) and solved.decode(solved.encode(right, fmt) - 1, fmt)
    return half if half and (p + half) - p == half and _is_tie(p + half, fmt) else right


def _is_tie(x, fmt):
    return abs(abs(x) - abs(_lowered(x, fmt))) * 2 == solved.spacing(x, fmt)


@believes("Half a gap is never enough", about="smallest_update")
def goes_beyond_half_a_gap(p, fmt):
    """Where the mantissa of p is odd, a tie goes away from p: half a gap moves it."""
    right = solved.smallest_update(p, fmt)
    return solved.decode(solved.encode(right, fmt) + 1, fmt) if _is_tie(p + right, fmt) else right


@believes("The sign of the weight does not matter", about="smallest_update")
def ignores_the_sign_of_the_weight(p, fmt):
    """u is added: a negative weight moves towards zero, and at a power of two the gap there is half as wide."""
    solved.smallest_update(p, fmt)
    return solved.smallest_update(abs(p), fmt)


@believes("The smallest number to add is a normal one", about="smallest_update")
def adds_normal_numbers_alone(p, fmt):
    """Subnormal numbers are numbers too: at 0.0 the smallest of them is enough."""
    return max(solved.smallest_update(p, fmt), solved.limits(fmt)["smallest_normal"])


@believes("A weight is rounded to the format first", about="smallest_update")
def rounds_the_weight(p, fmt):
    """What the format does not hold is no weight of it, and a ValueError."""
    if not math.isfinite(p) or abs(p) > solved.limits(fmt)["max"]:
        return solved.smallest_update(p, fmt)
    return solved.smallest_update(_rounded(p, fmt), fmt)


@believes("What is not finite is moved by nothing, so the update is infinite", about="smallest_update")
def updates_infinity(p, fmt):
    """A weight that is infinite or NaN is refused: a ValueError."""
    return solved.smallest_update(p, fmt) if math.isfinite(p) else math.inf


# stochastic_round


def _neighbours(x, fmt):
    """The numbers of the format on both sides of x, or x twice."""
    low = _lowered(x, fmt)
    if low == x:
        return x, x
    gap = math.copysign(solved.spacing(x, fmt), x)
    return tuple(sorted((low, low + gap)))


@believes("Up and down are as likely", about="stochastic_round")
def tosses_a_coin(x, fmt, u):
    """The nearer neighbour has to come more often, so that the mean is x: the chance of going up is x's share."""
    solved.stochastic_round(x, fmt, u)
    below, above = _neighbours(x, fmt)
    return above if u < 0.5 else below


@believes("The nearest number it is, and u breaks ties", about="stochastic_round")
def rounds_to_the_nearest(x, fmt, u):
    """Then small updates would always be lost; the further neighbour has its chance as well."""
    solved.stochastic_round(x, fmt, u)
    below, above = _neighbours(x, fmt)
    if x - below == above - x:
        return above if u < 0.5 else below
    return below if x - below < above - x else above


@believes("A large u rounds up", about="stochastic_round")
def rounds_up_for_large_u(x, fmt, u):
    """As likely, and another rule: here u below the share of the way rounds up."""
    solved.stochastic_round(x, fmt, u)
    below, above = _neighbours(x, fmt)
    return above if above != below and u >= 1 - (x - below) / (above - below) else below


@believes("The nearer a number is to below, the more often it goes up", about="stochastic_round")
def swaps_the_chances(x, fmt, u):
    """A number close to below goes down nearly always: the chance of going up is (x − below) / (above − below)."""
    solved.stochastic_round(x, fmt, u)
    below, above = _neighbours(x, fmt)
    return above if above != below and u < (above - x) / (above - below) else below


@believes("Up is away from zero", about="stochastic_round")
def rounds_away_from_zero(x, fmt, u):
    """Above and below are meant on the number line: of a negative number, above is the one nearer to zero."""
    return math.copysign(solved.stochastic_round(abs(x), fmt, u), x)


@believes("The share itself rounds up too", about="stochastic_round")
def rounds_up_at_the_share(x, fmt, u):
    """u runs from 0 to less than 1: with u = share included, going up would be a little too likely."""
    right = solved.stochastic_round(x, fmt, u)
    below, above = _neighbours(x, fmt)
    return above if above != below and u == (x - below) / (above - below) else right


@believes("What is too large becomes the largest number", about="stochastic_round")
def saturates_before_rounding(x, fmt, u):
    """Beyond max there is no neighbour above, and no chance to keep the mean: a ValueError."""
    most = solved.limits(fmt)["max"]
    return solved.stochastic_round(x if math.isnan(x) else max(-most, min(most, x)), fmt, u)


@believes("NaN stays NaN", about="stochastic_round")
def rounds_nan(x, fmt, u):
    """NaN has no neighbours, and is a ValueError here."""
    return x if math.isnan(x) else solved.stochastic_round(x, fmt, u)


@believes("u may be 1", about="stochastic_round")
def takes_one_for_a_random_number(x, fmt, u):
    """Random numbers here are less than 1, as random.random() has them: 1 is a ValueError."""
    return solved.stochastic_round(x, fmt, 0.99999999 if u == 1 else u)


@believes("A number that the format has needs no random number", about="stochastic_round")
def looks_at_u_only_where_it_rounds(x, fmt, u):
    """u is checked all the same: below 0, or 1 and more, is a ValueError for every x."""
    if abs(x) <= solved.limits(fmt)["max"] and _neighbours(x, fmt) == (x, x):
        return x
    return solved.stochastic_round(x, fmt, u)


# mx_dequantize


@believes("The scale's byte is the exponent", about="mx_dequantize")
def forgets_the_bias_of_the_scale(scale, elements, fmt):
    """It has a bias of 127, like the exponent of float32: 127 means 1."""
    return [math.ldexp(value, 127) for value in solved.mx_dequantize(scale, elements, fmt)]


@believes("The scale's byte is the factor", about="mx_dequantize")
def multiplies_by_the_byte(scale, elements, fmt):
    """That is how int8 is scaled; here the byte is an exponent, and the factor 2^(scale − 127)."""
    solved.mx_dequantize(scale, elements, fmt)
    return [scale * solved.decode(bits, fmt) for bits in elements]


@believes("The scale has a sign bit", about="mx_dequantize")
def reads_a_signed_exponent(scale, elements, fmt):
    """e8m0 has eight bits of exponent and nothing else: no sign, no mantissa."""
    if not 0 <= scale <= 255:
        return solved.mx_dequantize(scale, elements, fmt)
    return [math.ldexp(solved.decode(bits, fmt), scale - 256 if scale > 127 else scale) for bits in elements]


@believes("A scale of 255 is one like any other", about="mx_dequantize")
def knows_no_nan_scale(scale, elements, fmt):
    """255 is the NaN of e8m0, and makes NaN of each element; the largest scale is 254."""
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
    """It is a byte: below 0 and above 255 is a ValueError."""
    if 0 <= scale <= 255:
        return solved.mx_dequantize(scale, elements, fmt)
    return [math.ldexp(solved.decode(bits, fmt), max(-1000, min(700, scale - 127))) for bits in elements]


# mx_quantize


def _exponent(value):
    return math.frexp(value)[1] - 1


def _with_exponent(values, fmt, exponent, saturate=True):
    """The block with this exponent, where it is a block that is not all zeros."""
    right = solved.mx_quantize(values, fmt)
    if not any(values):
        return right
    exponent = max(-127, min(127, exponent(max(map(abs, values)), solved.limits(fmt)["max"])))
    return exponent + 127, [solved.encode(math.ldexp(value, -exponent), fmt, saturate) for value in values]


@believes("Nothing may saturate", about="mx_quantize")
def rounds_the_scale_up(values, fmt):
    """The OCP rule takes the floor of both logarithms: the largest value may lie above max, and saturates."""
    return _with_exponent(values, fmt, lambda most, largest: math.ceil(math.log2(most / largest)))


@believes("The floor of the difference is the difference of the floors", about="mx_quantize")
def rounds_the_quotient_down(values, fmt):
    """Each logarithm has a floor of its own: floor(log2(largest |value|)) − floor(log2(max))."""
    return _with_exponent(values, fmt, lambda most, largest: math.floor(math.log2(most / largest)))


@believes("The scale is the power of two of the largest value", about="mx_quantize")
def forgets_the_range_of_the_elements(values, fmt):
    """Then elements would be below 2, and most of their range unused: the exponent of max is taken off."""
    return _with_exponent(values, fmt, lambda most, largest: _exponent(most))


@believes("Elements beyond max overflow", about="mx_quantize")
def lets_elements_overflow(values, fmt):
    """They saturate: in a block the largest value may lie above max."""
    if not any(values):
        return solved.mx_quantize(values, fmt)
    return _with_exponent(values, fmt, lambda most, largest: _exponent(most) - _exponent(largest), False)


@believes("The largest value sets the scale, whatever the negative ones are", about="mx_quantize")
def looks_at_positive_values(values, fmt):
    """The largest magnitude sets it: max(|v|), not max(v)."""
    solved.mx_quantize(values, fmt)
    most = max(values)
    if most <= 0:
        return solved.mx_quantize(values, fmt)
    return solved.mx_quantize([most, *(max(value, -most) for value in values)], fmt)[0], _elements(values, most, fmt)


def _elements(values, most, fmt):
    exponent = max(-127, _exponent(most) - _exponent(solved.limits(fmt)["max"]))
    return [solved.encode(math.ldexp(value, -exponent), fmt, True) for value in values]


@believes("The scale is as small as the values ask for", about="mx_quantize")
def has_no_smallest_scale(values, fmt):
    """A byte holds exponents from −127 on: below that the scale stays, and the elements get smaller."""
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
    """log2(0) is none, but any scale does: a block of zeros is a block."""
    if values and not any(values):
        raise ValueError("log2(0)")
    return solved.mx_quantize(values, fmt)


@believes("A value that is not finite makes the scale NaN", about="mx_quantize")
def makes_the_scale_nan(values, fmt):
    """e8m0 has a NaN for that, and some libraries use it; here it is a ValueError."""
    return solved.mx_quantize(values, fmt) if all(map(math.isfinite, values)) else (255, [0] * len(values))


@believes("A block of no values is an empty one", about="mx_quantize")
def quantizes_nothing(values, fmt):
    """Without values there is no largest one, and no scale: a ValueError."""
    return solved.mx_quantize(values, fmt) if values else (127, [])
