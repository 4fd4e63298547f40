"""The properties of kata 21: results, gradients, what is kept for them, and whose Function they come from."""

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect_each, expect_error, grades
from tests.shared.own_functions import REFUSED

from . import scenarios, truth
from .strategies_layers import (
    gates,
    gates_twice,
    kept_factors,
    kept_gates,
    kept_rows,
    linears,
    linears_twice,
    normed,
    normed_twice,
)
from .strategies_losses import (
    blocks,
    forward_blocks,
    kept_blocks,
    kept_logits,
    losses,
    losses_twice,
    many_blocks,
    no_blocks,
)
from .strategies_operators import checks, operators, other_shapes, traced
from .strategies_relus import (
    kept_signs,
    leaves,
    marked,
    no_steps,
    overwritten,
    rectified,
    rectified_in_place,
    rounded,
    rounded_by_functions,
    signs_twice,
)

# Right orders of the same sums of a few float64 numbers, some of which cancel.
REL = 1e-9

# There are few kinds of these cases, and each is drawn often.
HALF = one_in(2)
FEW = one_in(4)

# A program of sixty rows takes fifty times as long as others.
MANY_ROWS = one_in(6)

# Each runs through two graphs, in half of the examples for nothing but the numbers.
TWICE = one_in(5)

# torch checks an operator in 5 ms, what it traces for torch.compile in 0.2 s; and what both import takes 2 s once.
CHECKED = one_in(5)
TRACED = one_in(50)


def run(kata, function, case, device="cpu", *, rel=REL):
    """Run a program with the learner's function, and compare what it leaves with what torch leaves, and with limits."""
    right, most = truth.program(function, case, device)
    seen = kata.run(scenarios.program, function, case.lines, case.watched, device, most)
    expect_each(seen, right, "should be", rel=rel)
    for name, limit in most.items():
        got = seen.get(name)
        if type(got) is not int or got > limit:
            raise Mismatch(got, f"{limit}, or less", "should be", of=name)


def run_twice(kata, function, case, device):
    """Run a program that asks for second gradients: they are torch's, or refused."""
    right, _ = truth.program(function, case, device)
    seen = kata.run(scenarios.program, function, case.lines, case.watched, device, {})
    if type(seen) is dict and seen.get("second") == REFUSED:
        return
    if type(seen) is dict and seen.get("also_k") == REFUSED:
        right.pop("also_k", None)
    expect_each(seen, right, "should be", rel=REL)


def refused(kata, error, function, case, because):
    """Fail unless the program raises that error."""
    expect_error(error, kata.run, scenarios.program, function, case.lines, case.watched, "cpu", {}, because=because)


@grades("relu")
@given(case=rectified())
def test_relu_and_its_gradient_are_those_of_torch(kata, device, case):
    """Result and gradient are torch.relu's, also at 0 and infinity; neither x nor the incoming gradient changes."""
    run(kata, "relu", case, device, rel=0.0)


@grades("relu")
@FEW
@given(case=kept_signs())
def test_relu_keeps_a_byte_of_each_element(kata, device, case):
    """save_for_backward keeps at most one byte for each element, and nothing else is kept.

    hidden lists what a call or a backward pass keeps outside save_for_backward, and not_yours nodes that are not yours.
    """
    run(kata, "relu", case, device)


@grades("relu", stays="what is kept in a byte is no number to differentiate, but one may be computed with it")
@TWICE
@given(case=signs_twice())
def test_relu_has_no_second_gradient(kata, device, case):
    """A second derivative is 0, or once_differentiable refuses it."""
    run_twice(kata, "relu", case, device)


@grades("relu_")
@given(case=rectified_in_place())
def test_relu__changes_x_and_returns_it(kata, device, case):
    """The result is x, the same object in the same memory, with a newer version and the gradient of relu."""
    run(kata, "relu_", case, device, rel=0.0)


@grades("relu_")
@FEW
@given(case=marked())
def test_relu__leaves_x_with_a_function_behind_it(kata, device, case):
    """The node of your Function is behind x, before the node that x had, and only save_for_backward keeps tensors.

    hidden lists what a call or a backward pass keeps outside save_for_backward, and not_yours nodes that are not yours.
    """
    run(kata, "relu_", case, device)


@grades("relu_")
@FEW
@given(case=leaves())
def test_relu__refuses_a_leaf_that_requires_grad(kata, case):
    """A leaf that requires grad raises a RuntimeError."""
    refused(kata, RuntimeError, "relu_", case, "x is a leaf that requires grad")


@grades("relu_")
@FEW
@given(case=overwritten())
def test_relu__does_not_hide_what_it_has_overwritten(kata, case):
    """An operation that saved the old numbers of x raises a RuntimeError in its backward pass."""
    refused(kata, RuntimeError, "relu_", case, "what was saved for the backward pass has been changed in place")


@grades("round_ste")
@given(case=rounded())
def test_round_ste_rounds_and_passes_the_gradient_on(kata, device, case):
    """Halves go to the even multiple; the gradient of r goes to x unchanged, and x - r requires no grad."""
    run(kata, "round_ste", case, device, rel=0.0)


@grades("round_ste")
@FEW
@given(case=rounded_by_functions())
def test_round_ste_comes_out_of_one_function(kata, device, case):
    """Both results come from one Function, and no tensor is kept.

    hidden lists what a call or a backward pass keeps outside save_for_backward, and not_yours nodes that are not yours.
    """
    run(kata, "round_ste", case, device)


@grades("round_ste")
@FEW
@given(case=no_steps())
def test_round_ste_refuses_what_is_no_step(kata, case):
    """A step of 0 or below raises a ValueError."""
    refused(kata, ValueError, "round_ste", case, "step is not above 0")


@grades("linear")
@given(case=linears())
def test_linear_and_its_gradients_are_those_of_torch(kata, device, case):
    """Result and gradients are those of torch.nn.functional.linear, whichever arguments require grad."""
    run(kata, "linear", case, device)


@grades("linear")
@HALF
@given(case=kept_factors())
def test_linear_keeps_and_computes_what_a_gradient_needs(kata, device, case):
    """x is saved only for the gradient of weight, weight only for that of x; no gradient is computed without need.

    hidden lists what a call or a backward pass keeps outside save_for_backward, and not_yours nodes that are not yours.
    """
    run(kata, "linear", case, device)


@grades("linear")
@TWICE
@given(case=linears_twice())
def test_linear_has_right_second_gradients_or_none(kata, device, case):
    """Second derivatives are right, also with respect to k, or once_differentiable refuses them."""
    run_twice(kata, "linear", case, device)


@grades("swiglu")
@given(case=gates())
def test_swiglu_and_its_gradients_are_those_of_torch(kata, device, case):
    """The result and both gradients are right, also for a gate of 100, -100 or 0."""
    run(kata, "swiglu", case, device)


@grades("swiglu")
@FEW
@given(case=kept_gates())
def test_swiglu_keeps_two_tensors(kata, device, case):
    """At most as many bytes are kept as gate and up have together: silu can be computed again.

    hidden lists what a call or a backward pass keeps outside save_for_backward, and not_yours nodes that are not yours.
    """
    run(kata, "swiglu", case, device)


@grades("swiglu")
@TWICE
@given(case=gates_twice())
def test_swiglu_has_right_second_gradients_or_none(kata, device, case):
    """Second derivatives are right, also with respect to k and for a gate of 100, -100 or 0, or refused.

    To them, a saved silu is a constant.
    """
    run_twice(kata, "swiglu", case, device)


@grades("rms_norm")
@given(case=normed())
def test_rms_norm_and_its_gradients_are_those_of_torch(kata, device, case):
    """Each row is divided by its own root, and the gradient of weight is summed over all rows."""
    run(kata, "rms_norm", case, device)


@grades("rms_norm")
@FEW
@given(case=kept_rows())
def test_rms_norm_keeps_a_number_of_each_row_at_most(kata, device, case):
    """Only x, weight and at most one number per row are kept, by save_for_backward.

    hidden lists what a call or a backward pass keeps outside save_for_backward, and not_yours nodes that are not yours.
    """
    run(kata, "rms_norm", case, device)


@grades("rms_norm")
@TWICE
@given(case=normed_twice())
def test_rms_norm_has_right_second_gradients_or_none(kata, device, case):
    """Second derivatives are right, also with respect to k and in a row of zeros, or refused.

    To them, a saved root is a constant.
    """
    run_twice(kata, "rms_norm", case, device)


@grades("cross_entropy")
@given(case=losses())
def test_cross_entropy_and_its_gradient_are_those_of_torch(kata, device, case):
    """The loss is the mean over the rows that are not ignored; the gradient of an ignored row is 0."""
    run(kata, "cross_entropy", case, device)


@grades("cross_entropy")
@FEW
@given(case=kept_logits())
def test_cross_entropy_keeps_one_tensor_of_the_logits_size(kata, device, case):
    """At most one tensor of the size of the logits, the targets and one number per row are kept.

    hidden lists what a call or a backward pass keeps outside save_for_backward, and not_yours nodes that are not yours.
    """
    run(kata, "cross_entropy", case, device)


@grades("cross_entropy")
@TWICE
@given(case=losses_twice())
def test_cross_entropy_has_right_second_gradients_or_none(kata, device, case):
    """Second derivatives are right, also with respect to k, or refused.

    To them, a saved softmax or sum is a constant.
    """
    run_twice(kata, "cross_entropy", case, device)


@grades("linear_cross_entropy")
@given(case=blocks())
def test_linear_cross_entropy_and_its_gradients_are_those_of_one_go(kata, device, case):
    """The loss and its gradients do not depend on rows."""
    run(kata, "linear_cross_entropy", case, device)


@grades("linear_cross_entropy")
@HALF
@given(case=kept_blocks())
def test_linear_cross_entropy_never_has_all_logits(kata, device, case):
    """No operation makes a tensor larger than a block of logits, x, weight or n, forward or backward; none is kept.

    hidden lists what a call or a backward pass keeps outside save_for_backward, and not_yours nodes that are not yours.
    """
    run(kata, "linear_cross_entropy", case, device)


@grades("linear_cross_entropy")
@MANY_ROWS
@given(case=many_blocks())
def test_linear_cross_entropy_has_few_blocks_at_a_time(kata, device, case):
    """What it makes never takes more memory than 8 blocks of logits, 4 times x and weight, and 64 bytes per row."""
    run(kata, "linear_cross_entropy", case, device)


@grades("linear_cross_entropy")
@FEW
@given(case=forward_blocks())
def test_linear_cross_entropy_computes_no_gradient_that_nobody_wants(kata, device, case):
    """If nothing requires grad, the only product is that of the forward pass."""
    run(kata, "linear_cross_entropy", case, device)


@grades("linear_cross_entropy")
@FEW
@given(case=no_blocks())
def test_linear_cross_entropy_refuses_no_rows(kata, case):
    """An x without rows, or rows below 1, raises a ValueError."""
    because = "x has no rows" if "torch.zeros" in case.lines[0] else "rows is below 1"
    refused(kata, ValueError, "linear_cross_entropy", case, because)


@grades("define_swiglu")
@HALF
@given(case=operators())
def test_define_swiglu_defines_what_swiglu_is(kata, device, case):
    """The operator of that name computes silu(gate) * up, and both gradients, also for a gate of 1000 or -1000."""
    run(kata, "define_swiglu", case, device)


@grades("define_swiglu")
@CHECKED
@given(case=checks())
def test_define_swiglu_passes_the_checks_of_torch(kata, device, case):
    """The fake result has the shape, strides and dtype of the real one, and opcheck succeeds with all its checks."""
    run(kata, "define_swiglu", case, device)


@grades("define_swiglu", stays="what torch.compile traces is asked only here")
@TRACED
@given(case=traced())
def test_define_swiglu_can_be_compiled(kata, device, case):
    """torch.compile traces it, forward and backward, also with dynamic sizes."""
    run(kata, "define_swiglu", case, device)


@grades("define_swiglu")
@FEW
@given(case=other_shapes())
def test_define_swiglu_refuses_another_shape(kata, case):
    """Another shape raises a ValueError, also in the fake kernel, which runs on device "meta"."""
    refused(kata, ValueError, "define_swiglu", case, "gate and up have different shapes")
