"""The properties of kata 07: patterns mean what torch shows, and numbers become what torch casts them to."""

import functools
import math

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_each, expect_error, expect_floats, expect_that, grades
from dojo.seam.data import same, shown

from . import pictures, scenarios, truth
from .formats import magnitudes
from .strategies_blocks import blocks, no_blocks, no_values, values, zeros
from .strategies_formats import edge_patterns, formats, no_patterns, other_formats, patterns
from .strategies_numbers import edge_numbers, no_roundings, numbers, numbers_with_none_above, numbers_within, roundings
from .strategies_totals import no_weights, sums, weights, written_out

# A call that changes its list or an earlier result does so in most examples.
FEW = one_in(4)


@grades("decode")
@given(case=patterns())
def test_decode_is_what_torch_shows(kata, case):
    """Sign, exponent and mantissa give the number, and the patterns at the edge mean what the format says."""
    fmt, drawn = case
    asked = [*drawn, *edge_patterns(fmt)]
    for bits, right in zip(asked, truth.numbers(asked, fmt), strict=True):
        answer = kata.decode(bits, fmt)
        expect_floats(answer, right, draw=functools.partial(pictures.of_bits, answer, bits, fmt, right))


@grades("decode")
@given(case=no_patterns())
def test_decode_refuses_what_is_no_pattern(kata, case):
    """A negative pattern, or one with more bits than the format has, raises a ValueError."""
    bits, fmt = case
    size = f"of {1 + fmt[0] + fmt[1]} bits, so it is from 0 to {2 * magnitudes(fmt) - 1}"
    expect_error(ValueError, kata.decode, bits, fmt, because=f"a pattern is {size}")


@grades("limits")
@given(fmt=formats(), other=other_formats(("ieee", "finite")))
def test_limits_are_those_of_all_that_torch_shows(kata, fmt, other):
    """The four entries are what the sorted list of all numbers of the format shows."""
    for one in (fmt, other):
        expect_floats(kata.limits(one), truth.limits(one), "torch finds")


@grades("limits")
@FEW
@given(fmt=formats(), other=formats())
def test_limits_of_a_format_stay_as_they_are(kata, fmt, other):
    """What limits returned for one format does not change when it is called for another."""
    _keeps(kata, "limits", (fmt,), (other,), truth.limits(fmt))


def _keeps(kata, function, given, other, right):
    """Fail unless the result of a call is still right after a call with other arguments."""
    expect_each(kata.run(scenarios.two_calls, function, given, other), {"first": right}, "should still be")


@grades("spacing")
@given(case=numbers_within())
def test_spacing_is_the_gap_between_neighbours_of_torch(kata, case):
    """The answer is the gap above the largest number of the format that is |x| or less."""
    fmt, asked = case
    for x in asked:
        below, above = truth.around(abs(x), fmt)
        answer = kata.spacing(x, fmt)
        draw = functools.partial(pictures.neighbours, answer, x, fmt, above - below)
        expect_floats(answer, above - below, "torch finds", draw=draw)


@grades("spacing")
@given(case=numbers_with_none_above())
def test_spacing_refuses_where_no_number_is_larger(kata, case):
    """A ValueError is raised if |x| is max or more, or if x is NaN: there is no gap there."""
    x, fmt = case
    because = "NaN has no neighbours" if x != x else f"the largest number is {shown(truth.largest(fmt))}"
    expect_error(ValueError, kata.spacing, x, fmt, because=because)


def _encoded(kata, fmt, asked, *place, **named):
    """Compare the pattern of each number with torch's; `saturate` may come by its place or by its name."""
    for x, right in zip(asked, truth.nearest(asked, fmt, *place, **named), strict=True):
        answer = kata.encode(x, fmt, *place, **named)
        if right is None:
            _expect_nan(answer, fmt)
        else:
            expect(answer, right, draw=functools.partial(pictures.of_two, answer, right, fmt))


def _expect_nan(answer, fmt):
    """Fail unless the answer is the pattern of any NaN; some formats have only one."""
    pattern = type(answer) is int and 0 <= answer < 2 * magnitudes(fmt)
    nans = [bits for bits in (magnitudes(fmt) - 1, magnitudes(fmt)) if math.isnan(truth.number(bits, fmt))]
    says = "torch says" if fmt[3] == "fnuz" else "for example"
    draw = functools.partial(pictures.of_two, answer, nans[0], fmt)
    expect_that(pattern and math.isnan(truth.number(answer, fmt)), answer, nans[0], says, draw=draw)


@grades("encode")
@given(case=edge_numbers())
def test_encode_is_what_torch_casts_to_at_the_edges(kata, case):
    """At max and beyond, near the smallest number, at infinity and at both zeros, encode does what a cast does."""
    fmt, asked = case
    _encoded(kata, fmt, asked)
    ends = [x for x in asked if abs(x) >= truth.largest(fmt) or abs(x) <= truth.number(1, fmt) / 2]
    _encoded(kata, fmt, ends, True)


@grades("encode")
@given(cases=numbers())
def test_encode_is_what_torch_casts_to(kata, cases):
    """x becomes the nearest number of the format; a tie goes to the number with an even mantissa."""
    for fmt, x in cases:
        _encoded(kata, fmt, [x])
        _encoded(kata, fmt, [x], saturate=True)


@grades("encode")
@given(fmt=formats())
def test_encode_keeps_nan_where_the_format_has_one(kata, fmt):
    """NaN becomes any NaN of the format, saturate or not; a "finite" format has none and raises a ValueError."""
    for saturate in ((), (True,)):
        if fmt[3] == "finite":
            expect_error(ValueError, kata.encode, math.nan, fmt, *saturate, because="the format has no NaN")
        else:
            _expect_nan(kata.encode(math.nan, fmt, *saturate), fmt)


@grades("accumulate")
@given(case=sums())
def test_accumulate_is_the_running_total_of_torch(kata, case):
    """Each value is rounded to the format, and so is the total after each addition."""
    fmt, counted = case
    added = written_out(counted)
    answer = kata.accumulate(added, fmt)
    draw = functools.partial(pictures.totals, answer, kata, added, fmt)
    expect_floats(answer, truth.accumulated(added, fmt), draw=draw)


@grades("accumulate")
@FEW
@given(case=sums())
def test_accumulate_leaves_values_as_they_are(kata, case):
    """The list of values stays as it is."""
    fmt, counted = case
    _leaves(kata, "accumulate", "values", written_out(counted), [], [fmt])


def _leaves(kata, function, name, items, before, after):
    """Fail unless the list has the same items after the call."""
    seen = kata.run(scenarios.with_a_list, function, name, items, before, after)
    expect_each(seen, {name: items}, "should still be")


@grades("smallest_update")
@given(case=weights())
def test_smallest_update_is_the_first_that_torch_notices(kata, case):
    """p + u, rounded, is not p; with the number of the format just below u instead, the result is still p."""
    fmt, asked = case
    for p in asked:
        answer, right = kata.smallest_update(p, fmt), truth.smallest_update(p, fmt)
        expect_floats(answer, right, "torch finds", draw=functools.partial(pictures.update, answer, p, fmt, right))


@grades("smallest_update")
@given(case=no_weights())
def test_smallest_update_refuses_what_the_format_lacks(kata, case):
    """A ValueError is raised if p is NaN, infinite, or not a number of the format."""
    p, fmt = case
    expect_error(ValueError, kata.smallest_update, p, fmt, because=f"{shown(p)} is no finite number of the format")


@grades("stochastic_round")
@given(case=roundings())
def test_stochastic_round_is_one_of_two_neighbours_of_torch(kata, case):
    """x becomes the number above if u < (x − below) / (above − below), and the number below otherwise."""
    fmt, x, random = case
    for u in random:
        answer, right = kata.stochastic_round(x, fmt, u), truth.rounded(x, fmt, u)
        expect(answer, right, "should be", draw=functools.partial(pictures.chance, answer, x, fmt, u, right))


@grades("stochastic_round")
@given(case=no_roundings())
def test_stochastic_round_refuses_what_has_no_neighbours(kata, case):
    """A ValueError is raised unless |x| is at most max and 0 <= u < 1."""
    x, fmt, u = case
    inside = abs(x) <= truth.largest(fmt)
    because = f"u is {shown(u)}" if inside else f"{shown(x)} is not within ±{shown(truth.largest(fmt))}"
    expect_error(ValueError, kata.stochastic_round, x, fmt, u, because=because)


@grades("mx_dequantize")
@given(case=blocks())
def test_mx_dequantize_is_what_torch_multiplies(kata, case):
    """Each element is multiplied by 2^(scale − 127); if the scale is 255, every element is NaN."""
    scale, elements, fmt = case
    expect_floats(kata.mx_dequantize(scale, elements, fmt), truth.dequantized(scale, elements, fmt))


@grades("mx_dequantize")
@FEW
@given(case=blocks())
def test_mx_dequantize_leaves_elements_as_they_are(kata, case):
    """The list of elements stays as it is."""
    scale, elements, fmt = case
    _leaves(kata, "mx_dequantize", "elements", elements, [scale], [fmt])


@grades("mx_dequantize")
@FEW
@given(case=blocks(), other=blocks())
def test_mx_dequantize_of_a_block_stays_as_it_is(kata, case, other):
    """What mx_dequantize returned for one block does not change when it is called for another."""
    _keeps(kata, "mx_dequantize", case, other, truth.dequantized(*case))


@grades("mx_dequantize")
@given(case=no_blocks())
def test_mx_dequantize_refuses_a_scale_that_is_no_byte(kata, case):
    """A scale below 0 or above 255 raises a ValueError."""
    expect_error(ValueError, kata.mx_dequantize, *case, because=f"the scale is {case[0]}, and a byte is from 0 to 255")


@grades("mx_quantize")
@given(case=values())
def test_mx_quantize_is_what_torch_scales_and_casts_to(kata, case):
    """The scale is 2^(floor(log2(largest |value|)) − floor(log2(max))); elements are rounded, and saturate."""
    block, fmt = case
    answer, right = kata.mx_quantize(block, fmt), truth.quantized(block, fmt)
    expect(answer, right, draw=functools.partial(pictures.scale, answer, block, fmt, right))


@grades("mx_quantize")
@FEW
@given(case=values())
def test_mx_quantize_leaves_values_as_they_are(kata, case):
    """The list of values stays as it is."""
    block, fmt = case
    _leaves(kata, "mx_quantize", "values", block, [], [fmt])


@grades("mx_quantize")
@FEW
@given(case=values(), other=values())
def test_mx_quantize_of_values_stays_as_it_is(kata, case, other):
    """What mx_quantize returned for some values does not change when it is called for others."""
    _keeps(kata, "mx_quantize", case, other, truth.quantized(*case))


@grades("mx_quantize")
@given(case=zeros())
def test_mx_quantize_keeps_zeros(kata, case):
    """A block of zeros may have any scale but 255, and each zero keeps its sign."""
    block, fmt = case
    answer, right = kata.mx_quantize(block, fmt), truth.quantized(block, fmt)
    kept = type(answer) is tuple and len(answer) == 2 and same(answer, (answer[0], right[1]))
    scaled = kept and type(answer[0]) is int and 0 <= answer[0] < 255
    expect_that(scaled, answer, right)


@grades("mx_quantize")
@given(case=no_values())
def test_mx_quantize_refuses_a_block_without_a_largest_value(kata, case):
    """A block without values, or with one that is infinite or NaN, raises a ValueError."""
    because = "a value is not finite" if case[0] else "there are no values"
    expect_error(ValueError, kata.mx_quantize, *case, because=because)
