"""The properties of kata 08 that are about products of two tensors, heads, patches and attention."""

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_error, grades

from . import scenarios, truth
from .compared import call_by_call, leaves_alone, zeros
from .strategies_einsum import products, refused_products
from .strategies_heads import attentions, cut_off, heads, no_heads, odd_heads, pictures
from .strategies_twice import products_twice

# The numbers are whole or halves, and small enough for every sum of products to be exact in float64, in any order.
# Attention has sums of at most 3 products, exponentials and divisions, in its own order.
ATTENTION = 1e-10

# An answer that writes to its inputs mostly does so each time.
QUARTER = one_in(4)


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


@grades("einsum")
@QUARTER
@given(cases=products_twice())
def test_einsum_of_two_calls_is_their_own(kata, device, cases):
    """Each call returns what is right for its own arguments, and changes no result of an earlier call."""
    calls = [(lines, f"x, y, {product.text!r}") for product, lines in cases]
    rights = []
    for product, lines in cases:
        x, y = truth.tensors(lines, "x, y", device)
        rights.append(truth.einsum(x, y, product.text))
    call_by_call(kata, "einsum", device, calls, rights)


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


@grades("per_head")
@QUARTER
@given(case=heads())
def test_per_head_of_two_calls_is_their_own(kata, device, case):
    """Each call returns what is right for its own arguments, and changes no result of an earlier call."""
    lines, other = case[0], ["x, w = -x, 2 * w"]
    rights = [truth.per_head(*truth.tensors(made, "x, w", device)) for made in (lines, lines + other)]
    call_by_call(kata, "per_head", device, [(lines, "x, w"), (other, "x, w")], rights, "torch says")


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


@grades("patchify")
@QUARTER
@given(case=pictures())
def test_patchify_of_two_calls_is_their_own(kata, device, case):
    """Each call returns what is right for its own arguments, and changes no result of an earlier call."""
    code, (*_, patch) = case
    calls = [([f"images = {made}"], f"images, {patch}") for made in (code, f"-{code}")]
    rights = [truth.patches(truth.tensor(made, device), patch) for made in (code, f"-{code}")]
    call_by_call(kata, "patchify", device, calls, rights, "torch says")


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


@grades("grouped_attention")
@QUARTER
@given(case=attentions())
def test_grouped_attention_of_two_calls_is_their_own(kata, device, case):
    """Each call returns what is right for its own arguments, and changes no result of an earlier call."""
    lines, other = case[0], ["q, k, v = -q, k / 2, 2 * v"]
    rights = [truth.attention(*truth.tensors(made, "q, k, v", device)) for made in (lines, lines + other)]
    call_by_call(
        kata, "grouped_attention", device, [(lines, "q, k, v"), (other, "q, k, v")], rights, "torch says", ATTENTION
    )
