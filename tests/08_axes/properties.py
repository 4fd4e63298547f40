"""The properties of kata 08: patterns do what einops says, and heads, patches and attention what torch says."""

from hypothesis import strategies as st

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_error, expect_floats, grades

from . import scenarios, truth
from .faults import SIDE
from .strategies_einsum import products, refused_products
from .strategies_heads import attentions, cut_off, heads, no_heads, odd_heads, pictures
from .strategies_patterns import GAINS, KEEPS, LOSES, shapes_to_rearrange, sides
from .strategies_refusals import refused
from .strategies_tensors import other_ops, rearrangements, reductions, repetitions

# The numbers are whole, and small enough for every sum of products to be exact in float64, in any order. A mean has one
# division more; attention has sums of at most 3 products, exponentials and divisions, in its own order.
MEAN = 1e-12
ATTENTION = 1e-10

# An answer that writes to its inputs mostly does so each time, and each example tries every text that is not an op.
QUARTER = one_in(4)

# Each example has seven or eight patterns to refuse, one for each kind of fault.
HALF = one_in(2)


def zeros(shape):
    """Return code that makes a tensor of this shape, when its numbers do not matter."""
    return f"torch.zeros({', '.join(map(str, shape)) or '()'}, dtype=torch.float64)"


def given_x(code, pattern, *rest):
    """Return the lines that make x, and the arguments of a call with it."""
    return [f"x = {code}"], ", ".join(["x", *map(repr, (pattern.text, *rest, pattern.sizes))])


def refuses(kata, function, device, cases, *rest):
    """Fail unless the function refuses each of these patterns."""
    for text, shape, sizes, because in cases:
        arguments = ", ".join(["x", *map(repr, (text, *rest, sizes))])
        call = (scenarios.result, function, [f"x = {zeros(shape)}"], arguments, device)
        expect_error(ValueError, kata.run, *call, because=because)


def leaves_alone(kata, function, device, names, lines, arguments):
    """Fail unless the tensors with these names are the same after the call as before."""
    before = truth.tensors(lines, names, device)
    expect(kata.run(scenarios.arguments, function, lines, arguments, names, device), before, "they were")


def leaves_sizes_alone(kata, function, device, lines, sizes, *arguments):
    """Fail unless `sizes`, which follows these arguments, is the same after the call as before."""
    lines, given = [*lines, f"sizes = {sizes!r}"], ", ".join((*arguments, "sizes"))
    expect(kata.run(scenarios.sizes, function, lines, given, device), sizes, "it was")


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
@given(pattern=sides())
def test_axis_sizes_leaves_sizes_alone(kata, pattern):
    """sizes stays as it is."""
    leaves_sizes_alone(kata, "axis_sizes", "cpu", [], pattern.sizes, repr(pattern.names), repr(pattern.shape))


@grades("rearrange_shape")
@given(pattern=shapes_to_rearrange())
def test_rearrange_shape_is_that_of_einops(kata, pattern):
    """Each dimension on the right is the product of the names in it, exactly."""
    answer = kata.rearrange_shape(pattern.text, pattern.shape, pattern.sizes)
    expect(answer, truth.rearrange_shape(pattern), "einops says")


@grades("rearrange_shape")
@HALF
@given(cases=refused(KEEPS))
def test_rearrange_shape_refuses_what_einops_refuses(kata, cases):
    """A ValueError is raised unless both sides have the same names, once each, and the left side fits the shape."""
    for text, shape, sizes, because in cases:
        expect_error(ValueError, kata.rearrange_shape, text, shape, sizes, because=because)


@grades("rearrange_shape")
@QUARTER
@given(pattern=shapes_to_rearrange())
def test_rearrange_shape_leaves_sizes_alone(kata, pattern):
    """sizes stays as it is."""
    leaves_sizes_alone(kata, "rearrange_shape", "cpu", [], pattern.sizes, repr(pattern.text), repr(pattern.shape))


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
@given(case=rearrangements())
def test_rearrange_leaves_x_and_sizes_alone(kata, device, case):
    """x and sizes stay as they are."""
    pattern, code = case
    leaves_alone(kata, "rearrange", device, "x", *given_x(code, pattern))
    leaves_sizes_alone(kata, "rearrange", device, [f"x = {code}"], pattern.sizes, "x", repr(pattern.text))


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
@given(case=reductions())
def test_reduce_leaves_x_and_sizes_alone(kata, device, case):
    """x and sizes stay as they are."""
    pattern, code, op = case
    leaves_alone(kata, "reduce", device, "x", *given_x(code, pattern, op))
    leaves_sizes_alone(kata, "reduce", device, [f"x = {code}"], pattern.sizes, "x", repr(pattern.text), repr(op))


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
@given(case=repetitions())
def test_repeat_leaves_x_and_sizes_alone(kata, device, case):
    """x and sizes stay as they are."""
    pattern, code = case
    leaves_alone(kata, "repeat", device, "x", *given_x(code, pattern))
    leaves_sizes_alone(kata, "repeat", device, [f"x = {code}"], pattern.sizes, "x", repr(pattern.text))


@grades("einsum")
@given(case=products())
def test_einsum_is_what_einops_makes(kata, device, case):
    """x and y are multiplied along names that they share, and names that are not on the right are summed over."""
    product, lines = case
    answer = kata.run(scenarios.result, "einsum", lines, f"x, y, {product.text!r}", device)
    x, y = truth.tensors(lines, "x, y", device)
    expect(answer, truth.einsum(x, y, product.text), "einops says")


@grades("einsum")
@given(cases=refused_products())
def test_einsum_refuses_what_einops_refuses(kata, device, cases):
    """Operands that do not fit the pattern, or a right side with a repeated or unknown name, raise a ValueError."""
    for text, shapes, because in cases:
        lines = [f"{name} = {zeros(shape)}" for name, shape in zip("xy", shapes, strict=True)]
        call = (scenarios.result, "einsum", lines, f"x, y, {text!r}", device)
        expect_error(ValueError, kata.run, *call, because=because)


@grades("einsum")
@QUARTER
@given(case=products())
def test_einsum_leaves_x_and_y_alone(kata, device, case):
    """x and y stay as they are."""
    product, lines = case
    leaves_alone(kata, "einsum", device, "x, y", lines, f"x, y, {product.text!r}")


@grades("per_head")
@given(case=heads())
def test_per_head_is_a_product_with_a_block_for_each_head(kata, device, case):
    """The result is x times a block-diagonal matrix that has w once for each head."""
    lines, *_ = case
    answer = kata.run(scenarios.result, "per_head", lines, "x, w", device)
    expect(answer, truth.per_head(*truth.tensors(lines, "x, w", device)))


@grades("per_head")
@given(case=no_heads())
def test_per_head_refuses_a_part_of_a_head(kata, device, case):
    """A last dimension of x that is not a multiple of d_in raises a ValueError."""
    lines, last, d_in, _ = case
    call = (scenarios.result, "per_head", lines, "x, w", device)
    expect_error(ValueError, kata.run, *call, because=f"d_in is {d_in}, and the last dimension of x {last}")


@grades("per_head")
@QUARTER
@given(case=heads())
def test_per_head_leaves_x_and_w_alone(kata, device, case):
    """x and w stay as they are."""
    leaves_alone(kata, "per_head", device, "x, w", case[0], "x, w")


@grades("patchify")
@given(case=pictures())
def test_patchify_cuts_out_what_a_convolution_meets(kata, device, case):
    """There is one row for each place of a convolution with stride patch, in the order of its weights: (c h w)."""
    code, (*_, patch) = case
    answer = kata.run(scenarios.result, "patchify", [f"images = {code}"], f"images, {patch}", device)
    expect(answer, truth.patches(truth.tensor(code, device), patch))


@grades("patchify")
@given(case=cut_off())
def test_patchify_refuses_a_part_of_a_patch(kata, device, case):
    """A height or width that is not a multiple of patch raises a ValueError."""
    shape, patch = case
    call = (scenarios.result, "patchify", [f"images = {zeros(shape)}"], f"images, {patch}", device)
    expect_error(ValueError, kata.run, *call, because=f"patches of {patch} in images of {shape[2]} × {shape[3]}")


@grades("patchify")
@QUARTER
@given(case=pictures())
def test_patchify_leaves_images_alone(kata, device, case):
    """images stay as they are."""
    code, (*_, patch) = case
    leaves_alone(kata, "patchify", device, "images", [f"images = {code}"], f"images, {patch}")


@grades("grouped_attention")
@given(case=attentions())
def test_grouped_attention_is_that_of_torch(kata, device, case):
    """Each head of q attends with the head of k and v that its group shares."""
    lines, _ = case
    answer = kata.run(scenarios.result, "grouped_attention", lines, "q, k, v", device)
    expect(answer, truth.attention(*truth.tensors(lines, "q, k, v", device)), rel=ATTENTION)


@grades("grouped_attention")
@given(case=odd_heads())
def test_grouped_attention_refuses_groups_of_different_sizes(kata, device, case):
    """A number of heads that is not a multiple of kv_heads raises a ValueError."""
    count, kv_heads, (batch, q_len, kv_len, d) = case
    lines = [f"q = {zeros((batch, count, q_len, d))}"]
    lines += [f"{name} = {zeros((batch, kv_heads, kv_len, d))}" for name in "kv"]
    call = (scenarios.result, "grouped_attention", lines, "q, k, v", device)
    expect_error(ValueError, kata.run, *call, because=f"{kv_heads} does not divide {count}")


@grades("grouped_attention")
@QUARTER
@given(case=attentions())
def test_grouped_attention_leaves_q_k_and_v_alone(kata, device, case):
    """q, k and v stay as they are."""
    leaves_alone(kata, "grouped_attention", device, "q, k, v", case[0], "q, k, v")
