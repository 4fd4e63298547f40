"""The properties of kata 08 that are about one pattern and one tensor."""

from hypothesis import strategies as st

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_error, expect_floats, grades

from . import scenarios, truth
from .compared import call_by_call, given_x, leaves_alone, leaves_refused_sizes_alone, leaves_sizes_alone, refuses
from .faults import SHAPES, SIDE
from .strategies_patterns import GAINS, KEEPS, LOSES, shapes_to_rearrange, sides
from .strategies_refusals import refused
from .strategies_tensors import other_ops, rearrangements, reductions, repetitions
from .strategies_twice import sides_twice, twice

# The numbers are whole or halves, and small enough for every sum to be exact in float64, in any order. A mean has one
# division more.
MEAN = 1e-12

# An answer that writes to its inputs mostly does so each time, and each example tries every text that is not an op.
QUARTER = one_in(4)

# Each example has seven or eight patterns to refuse, one for each kind of fault.
HALF = one_in(2)


@grades("axis_sizes")
@given(pattern=sides())
def test_axis_sizes_are_those_of_einops(kata, pattern):
    """Each name has one size, and the sizes in a group multiply to its dimension."""
    expect(kata.axis_sizes(pattern.names, pattern.shape, pattern.sizes), truth.axis_sizes(pattern), "einops says")


@grades("axis_sizes")
@given(cases=refused(SIDE))
def test_axis_sizes_refuses_a_side_that_does_not_fit(kata, cases):
    """Names, groups or sizes that do not fit the shape, and parentheses left open or nested, raise a ValueError."""
    for text, shape, sizes, because in cases:
        expect_error(ValueError, kata.axis_sizes, text, shape, sizes, because=because)


@grades("axis_sizes")
@QUARTER
@given(pattern=sides(), cases=refused(SIDE))
def test_axis_sizes_leaves_sizes_alone(kata, pattern, cases):
    """sizes stays as it is, even if the call is refused."""
    leaves_sizes_alone(kata, "axis_sizes", "cpu", [], pattern.sizes, repr(pattern.names), repr(pattern.shape))
    leaves_refused_sizes_alone(kata, "axis_sizes", "", cases)


@grades("axis_sizes")
@HALF
@given(cases=sides_twice())
def test_axis_sizes_of_two_calls_are_their_own(kata, cases):
    """Each call returns what is right for its own arguments, and changes no result of an earlier call."""
    calls = [((), f"{p.names!r}, {p.shape!r}, {p.sizes!r}") for p, *_ in cases]
    call_by_call(kata, "axis_sizes", "cpu", calls, [truth.axis_sizes(pattern) for pattern, *_ in cases])


@grades("rearrange_shape")
@given(pattern=shapes_to_rearrange())
def test_rearrange_shape_is_that_of_einops(kata, pattern):
    """Each dimension on the right is the product of the names in it, exactly."""
    answer = kata.rearrange_shape(pattern.text, pattern.shape, pattern.sizes)
    expect(answer, truth.rearrange_shape(pattern), "einops says")


@grades("rearrange_shape")
@HALF
@given(cases=refused(SHAPES))
def test_rearrange_shape_refuses_what_einops_refuses(kata, cases):
    """A ValueError is raised unless both sides have the same names, once each, and the left side fits the shape."""
    for text, shape, sizes, because in cases:
        expect_error(ValueError, kata.rearrange_shape, text, shape, sizes, because=because)


@grades("rearrange_shape")
@QUARTER
@given(pattern=shapes_to_rearrange(), cases=refused(SHAPES))
def test_rearrange_shape_leaves_sizes_alone(kata, pattern, cases):
    """sizes stays as it is, even if the call is refused."""
    leaves_sizes_alone(kata, "rearrange_shape", "cpu", [], pattern.sizes, repr(pattern.text), repr(pattern.shape))
    leaves_refused_sizes_alone(kata, "rearrange_shape", "", cases)


@grades("rearrange_shape")
@HALF
@given(cases=twice(KEEPS))
def test_rearrange_shape_of_two_calls_is_their_own(kata, cases):
    """Each call returns what is right for its own arguments, and changes no result of an earlier call."""
    calls = [((), f"{p.text!r}, {p.shape!r}, {p.sizes!r}") for p, *_ in cases]
    call_by_call(kata, "rearrange_shape", "cpu", calls, [truth.rearrange_shape(pattern) for pattern, *_ in cases])


@grades("rearrange")
@given(case=rearrangements())
def test_rearrange_is_what_einops_makes(kata, device, case):
    """Each element goes where its index in each named dimension says; in a group the first name is slowest."""
    pattern, code = case
    answer = kata.run(scenarios.result, "rearrange", *given_x(code, pattern), device)
    expect(answer, truth.rearrange(truth.tensor(code, device), pattern), "einops says")


@grades("rearrange")
@HALF
@given(cases=refused(KEEPS))
def test_rearrange_refuses_what_einops_refuses(kata, device, cases):
    """A ValueError is raised unless both sides have the same names, once each, and the left side fits the shape."""
    refuses(kata, "rearrange", device, cases)


@grades("rearrange")
@QUARTER
@given(case=rearrangements(), cases=refused(KEEPS))
def test_rearrange_leaves_x_and_sizes_alone(kata, device, case, cases):
    """x and sizes stay as they are, sizes even if the call is refused."""
    pattern, code = case
    leaves_alone(kata, "rearrange", device, "x", *given_x(code, pattern))
    leaves_sizes_alone(kata, "rearrange", device, [f"x = {code}"], pattern.sizes, "x", repr(pattern.text))
    leaves_refused_sizes_alone(kata, "rearrange", device, cases)


@grades("rearrange")
@HALF
@given(cases=twice(KEEPS))
def test_rearrange_of_two_calls_is_their_own(kata, device, cases):
    """Each call returns what is right for its own arguments, and changes no result of an earlier call."""
    calls = [given_x(code, pattern) for pattern, code, _ in cases]
    rights = [truth.rearrange(truth.tensor(code, device), pattern) for pattern, code, _ in cases]
    call_by_call(kata, "rearrange", device, calls, rights)


@grades("reduce")
@given(case=reductions())
def test_reduce_is_what_einops_makes(kata, device, case):
    """Names on the right are kept, and op reduces over all others."""
    pattern, code, op = case
    answer = kata.run(scenarios.result, "reduce", *given_x(code, pattern, op), device)
    right = truth.reduce(truth.tensor(code, device), pattern, op)
    if right.isnan().any():  # the mean of no numbers
        expect_floats(answer, right, "einops says")
    else:
        expect(answer, right, "einops says", rel=MEAN if op == "mean" else 0.0)


@grades("reduce")
@HALF
@given(cases=refused(LOSES), op=st.sampled_from(["sum", "max", "mean", "min"]))
def test_reduce_refuses_what_einops_refuses(kata, device, cases, op):
    """A new name on the right, a repeated name, or a left side that does not fit the shape raises a ValueError."""
    refuses(kata, "reduce", device, cases, op)


@grades("reduce")
@QUARTER
@given(case=reductions(), ops=other_ops())
def test_reduce_refuses_another_op(kata, device, case, ops):
    """An op other than "sum", "mean", "max" and "min" raises a ValueError, even if nothing is reduced."""
    pattern, code, _ = case
    for op in ops:
        call = (scenarios.result, "reduce", *given_x(code, pattern, op), device)
        expect_error(ValueError, kata.run, *call, because=f"{op!r} is none of sum, mean, max and min")


@grades("reduce")
@QUARTER
@given(case=reductions(), cases=refused(LOSES))
def test_reduce_leaves_x_and_sizes_alone(kata, device, case, cases):
    """x and sizes stay as they are, sizes even if the call is refused."""
    pattern, code, op = case
    leaves_alone(kata, "reduce", device, "x", *given_x(code, pattern, op))
    leaves_sizes_alone(kata, "reduce", device, [f"x = {code}"], pattern.sizes, "x", repr(pattern.text), repr(op))
    leaves_refused_sizes_alone(kata, "reduce", device, cases, op)


@grades("reduce")
@HALF
@given(cases=twice(LOSES))
def test_reduce_of_two_calls_is_their_own(kata, device, cases):
    """Each call returns what is right for its own arguments, and changes no result of an earlier call."""
    calls = [given_x(code, pattern, op) for pattern, code, op in cases]
    rights = [truth.reduce(truth.tensor(code, device), pattern, op) for pattern, code, op in cases]
    call_by_call(kata, "reduce", device, calls, rights, rel=MEAN if "mean" in (cases[0][2], cases[1][2]) else 0.0)


@grades("repeat")
@given(case=repetitions())
def test_repeat_is_what_einops_makes(kata, device, case):
    """x is repeated along each new name; in a group the first name is slowest."""
    pattern, code = case
    answer = kata.run(scenarios.result, "repeat", *given_x(code, pattern), device)
    expect(answer, truth.repeat(truth.tensor(code, device), pattern), "einops says")


@grades("repeat")
@HALF
@given(cases=refused(GAINS))
def test_repeat_refuses_what_einops_refuses(kata, device, cases):
    """A lost name, a new name without a size, or a left side that does not fit the shape raises a ValueError."""
    refuses(kata, "repeat", device, cases)


@grades("repeat")
@QUARTER
@given(case=repetitions(), cases=refused(GAINS))
def test_repeat_leaves_x_and_sizes_alone(kata, device, case, cases):
    """x and sizes stay as they are, sizes even if the call is refused."""
    pattern, code = case
    leaves_alone(kata, "repeat", device, "x", *given_x(code, pattern))
    leaves_sizes_alone(kata, "repeat", device, [f"x = {code}"], pattern.sizes, "x", repr(pattern.text))
    leaves_refused_sizes_alone(kata, "repeat", device, cases)


@grades("repeat")
@HALF
@given(cases=twice(GAINS))
def test_repeat_of_two_calls_is_their_own(kata, device, cases):
    """Each call returns what is right for its own arguments, and changes no result of an earlier call."""
    calls = [given_x(code, pattern) for pattern, code, _ in cases]
    rights = [truth.repeat(truth.tensor(code, device), pattern) for pattern, code, _ in cases]
    call_by_call(kata, "repeat", device, calls, rights)
