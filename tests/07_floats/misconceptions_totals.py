"""Wrong answers that people give to kata 07 about what rounding loses, in sums and in updates."""

import math

from dojo.judging.diagnose import believes, solution

from .misconceptions_rounding import _lowered, _rounded

solved = solution("07_floats")


# accumulate


@believes("The total is rounded once, at the end", about="accumulate")
def rounds_at_the_end(values, fmt):
    """That is what torch.sum does, in float32; a running total in the format is rounded after each addition."""
    return _rounded(sum((_rounded(value, fmt) for value in values), 0.0), fmt)


@believes("Only the total is rounded", about="accumulate")
def takes_values_as_they_are(values, fmt):
    """Each value is rounded to the format too, before it is added."""
    total = 0.0
    for value in values:
        total = _rounded(total + value, fmt)
    return total


@believes("Only the values are rounded", about="accumulate")
def keeps_an_exact_total(values, fmt):
    """The total is rounded to the format after each addition, and loses the bits that do not fit."""
    return sum((_rounded(value, fmt) for value in values), 0.0)


@believes("The order of additions does not matter", about="accumulate")
def adds_in_pairs(values, fmt):
    """Each addition rounds, so (a + b) + c is not always a + (b + c); here the sum runs from left to right."""
    if len(values) < 2:
        return solved.accumulate(values, fmt)
    half = len(values) // 2
    return _rounded(adds_in_pairs(values[:half], fmt) + adds_in_pairs(values[half:], fmt), fmt)


@believes("A total that is too large stays at the largest number", about="accumulate")
def stays_at_max(values, fmt):
    """The total becomes infinity, and no finite value added later brings it back."""
    total = 0.0
    for value in values:
        value = solved.decode(solved.encode(value, fmt, True), fmt)
        total = solved.decode(solved.encode(total + value, fmt, True), fmt)
    return total


@believes("The total begins with the first value", about="accumulate")
def begins_with_the_first_value(values, fmt):
    """The total begins with 0.0, and 0.0 + −0.0 is 0.0."""
    total = solved.accumulate(values, fmt)
    return -0.0 if values and all(value == 0 and math.copysign(1, value) < 0 for value in values) else total


@believes("The total begins with the first value", about="accumulate")
def begins_with_the_first_value_rounded(values, fmt):
    """The total begins with 0.0, and 0.0 + −0.0 is 0.0."""
    if not any(values):
        return 0.0
    total = _rounded(values[0], fmt)
    for value in values[1:]:
        total = _rounded(total + _rounded(value, fmt), fmt)
    return total


@believes("A value that is too large becomes the largest number", about="accumulate")
def saturates_the_values(values, fmt):
    """A value that overflows is infinity already, and so is every total from there on."""
    return solved.accumulate([solved.decode(solved.encode(value, fmt, True), fmt) for value in values], fmt)


@believes("Subnormal numbers count as 0", about="accumulate")
def flushes_values_and_totals(values, fmt):
    """They are numbers of the format: values and totals are rounded to them as well."""

    def flushed(x):
        return 0.0 if abs(x) < solved.limits(fmt)["smallest_normal"] else _rounded(x, fmt)

    total = 0.0
    for value in values:
        total = flushed(total + flushed(value))
    return total


@believes("The list of values may change", about="accumulate")
def uses_up_the_values(values, fmt):
    """It belongs to the caller: leave it as it is, and make a new list if you need one."""
    total = solved.accumulate(values, fmt)
    values.clear()
    return total


@believes("The list of values may change", about="accumulate")
def rounds_the_values_in_place(values, fmt):
    """It belongs to the caller: leave it as it is, and make a new list if you need one."""
    for place, value in enumerate(values):
        values[place] = _rounded(value, fmt)
    return solved.accumulate(values, fmt)


# smallest_update


@believes("Updates smaller than eps vanish", about="smallest_update")
def is_eps_for_every_weight(p, fmt):
    """eps is the gap above 1.0: larger weights have wider gaps, and about half a gap is enough to move a weight."""
    solved.smallest_update(p, fmt)
    return solved.limits(fmt)["eps"]


@believes("An update has to reach the next number", about="smallest_update")
def needs_a_whole_gap(p, fmt):
    """p + u is rounded to the nearest number, so a little more than half of the gap is enough."""
    solved.smallest_update(p, fmt)
    return solved.spacing(p, fmt)


@believes("Half a gap is enough", about="smallest_update")
def stops_at_half_a_gap(p, fmt):
    """Exactly half a gap is a tie, which goes back to p where p is even; the next number after it moves p."""
    solved.smallest_update(p, fmt)
    return solved.spacing(p, fmt) / 2


def _is_tie(x, fmt):
    return abs(abs(x) - abs(_lowered(x, fmt))) * 2 == solved.spacing(x, fmt)


@believes("Half a gap is never enough", about="smallest_update")
def goes_beyond_half_a_gap(p, fmt):
    """If the mantissa of p is odd, a tie goes away from p: half a gap moves it."""
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
    """A p that the format does not hold raises a ValueError."""
    if not math.isfinite(p) or abs(p) > solved.limits(fmt)["max"]:
        return solved.smallest_update(p, fmt)
    return solved.smallest_update(_rounded(p, fmt), fmt)


@believes("Nothing moves infinity or NaN, so the update is infinite", about="smallest_update")
def updates_infinity(p, fmt):
    """A weight that is infinite or NaN raises a ValueError."""
    return solved.smallest_update(p, fmt) if math.isfinite(p) else math.inf


@believes("Only a positive weight can be too large", about="smallest_update")
def lets_large_negative_weights_through(p, fmt):
    """Compare |p| with max: a number far below 0 is not in the format either, and raises a ValueError."""
    limits = solved.limits(fmt)
    return limits["smallest_subnormal"] if -math.inf < p < -limits["max"] else solved.smallest_update(p, fmt)


@believes("A weight that is nearly 0 counts as 0", about="smallest_update")
def takes_tiny_weights_for_zero(p, fmt):
    """Only −0.0 counts as 0.0: any other p that the format does not hold raises a ValueError, however small it is."""
    tiny = abs(p) < solved.limits(fmt)["smallest_subnormal"] / 2
    return solved.smallest_update(0.0 if tiny else p, fmt)


@believes("A float divided by the smallest number is still finite", about="smallest_update")
def divides_before_it_compares(p, fmt):
    """A very large p becomes infinity, and rounding that raises an OverflowError: compare |p| with max first."""
    if math.isfinite(p):
        round(p / solved.limits(fmt)["smallest_subnormal"])
    return solved.smallest_update(p, fmt)
