"""The properties of kata 21: what comes out, what goes back, what is kept for it, and of whose making it is."""

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
from .strategies_losses import blocks, forward_blocks, kept_blocks, kept_logits, losses, losses_twice, no_blocks
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

# There are few kinds of them, and each is drawn often.
HALF = one_in(2)
FEW = one_in(4)

# Each runs through two graphs, in half of the examples for nothing but the numbers.
TWICE = one_in(5)

# torch checks an operator in 5 ms, what it traces for torch.compile in 0.2 s; and what both import takes 2 s once.
CHECKED = one_in(5)
TRACED = one_in(50)


def run(kata, function, case, device="cpu", *, rel=REL):
    """Run a program with the learner's function, and compare what it leaves with what torch leaves, and with limits."""
    right, most = truth.program(function, case, device)
    seen = kata.run(scenarios.program, function, case.lines, [*case.watched, *case.most], device)
    expect_each(seen, right, "should be", rel=rel)
    for name, limit in most.items():
        got = seen.get(name)
        if type(got) is not int or got > limit:
            raise Mismatch(got, f"{limit}, or less", "should be", of=name)


def run_twice(kata, function, case, device):
    """Run a program that asks for second gradients: they are torch's, or refused."""
    right, _ = truth.program(function, case, device)
    seen = kata.run(scenarios.program, function, case.lines, case.watched, device)
    if type(seen) is not dict or seen.get("second") != REFUSED:
        expect_each(seen, right, "should be", rel=REL)


def refused(kata, error, function, case, because):
    """Fail unless the program raises that error."""
    expect_error(error, kata.run, scenarios.program, function, case.lines, case.watched, "cpu", because=because)


@grades("relu")
@given(case=rectified())
def test_relu_and_its_gradient_are_those_of_torch(kata, device, case):
    """At 0 the gradient is 0, what is infinite is as in torch, and neither x nor the incoming gradient is changed."""
    run(kata, "relu", case, device, rel=0.0)


@grades("relu")
@FEW
@given(case=kept_signs())
def test_relu_keeps_a_byte_of_each_element(kata, device, case):
    """A byte says whether an element is above 0: save_for_backward keeps it, and nothing else does."""
    run(kata, "relu", case, device)


@grades("relu", stays="what is kept in a byte is no number to differentiate, but one may be computed with it")
@TWICE
@given(case=signs_twice())
def test_relu_has_no_second_gradient(kata, device, case):
    """Its gradient is a constant, or once_differentiable refuses."""
    run_twice(kata, "relu", case, device)


@grades("relu_")
@given(case=rectified_in_place())
def test_relu__changes_x_and_returns_it(kata, device, case):
    """The same object, in the same memory, in a newer version, with the gradient of relu."""
    run(kata, "relu_", case, device, rel=0.0)


@grades("relu_")
@FEW
@given(case=marked())
def test_relu__leaves_x_with_a_function_behind_it(kata, device, case):
    """Its own node follows the one that x had, and nothing else is kept but by save_for_backward."""
    run(kata, "relu_", case, device)


@grades("relu_")
@FEW
@given(case=leaves())
def test_relu__refuses_a_leaf_that_requires_grad(kata, case):
    """A leaf that requires grad cannot be changed in place."""
    refused(kata, RuntimeError, "relu_", case, "x is a leaf that requires grad")


@grades("relu_")
@FEW
@given(case=overwritten())
def test_relu__does_not_hide_what_it_has_overwritten(kata, case):
    """An operation that has saved its result notices in its backward pass that a newer version is there."""
    refused(kata, RuntimeError, "relu_", case, "what was saved for the backward pass has been changed in place")


@grades("round_ste")
@given(case=rounded())
def test_round_ste_rounds_and_passes_the_gradient_on(kata, device, case):
    """Halves go to the even multiple; the gradient of r is that of x, and x - r has none."""
    run(kata, "round_ste", case, device, rel=0.0)


@grades("round_ste")
@FEW
@given(case=rounded_by_functions())
def test_round_ste_comes_out_of_one_function(kata, device, case):
    """Both results come out of one Function of yours, and nothing is kept on the side."""
    run(kata, "round_ste", case, device)


@grades("round_ste")
@FEW
@given(case=no_steps())
def test_round_ste_refuses_what_is_no_step(kata, case):
    """A step is above 0."""
    refused(kata, ValueError, "round_ste", case, "step is not above 0")


@grades("linear")
@given(case=linears())
def test_linear_and_its_gradients_are_those_of_torch(kata, device, case):
    """They are those of torch.nn.functional.linear, for whichever of the three require grad."""
    run(kata, "linear", case, device)


@grades("linear")
@HALF
@given(case=kept_factors())
def test_linear_keeps_and_computes_what_a_gradient_needs(kata, device, case):
    """x is saved for the gradient of weight, weight for that of x; what nobody wants is not computed."""
    run(kata, "linear", case, device)


@grades("linear")
@TWICE
@given(case=linears_twice())
def test_linear_has_right_second_gradients_or_none(kata, device, case):
    """What is kept can be differentiated, or once_differentiable refuses."""
    run_twice(kata, "linear", case, device)


@grades("swiglu")
@given(case=gates())
def test_swiglu_and_its_gradients_are_those_of_torch(kata, device, case):
    """Both gradients are right, also where the gate is 100 or -100."""
    run(kata, "swiglu", case, device)


@grades("swiglu")
@FEW
@given(case=kept_gates())
def test_swiglu_keeps_two_tensors(kata, device, case):
    """As many bytes as gate and up have; silu is computed again."""
    run(kata, "swiglu", case, device)


@grades("swiglu")
@TWICE
@given(case=gates_twice())
def test_swiglu_has_right_second_gradients_or_none(kata, device, case):
    """A saved result of a computation is a number to the second pass: save arguments, or refuse."""
    run_twice(kata, "swiglu", case, device)


@grades("rms_norm")
@given(case=normed())
def test_rms_norm_and_its_gradients_are_those_of_torch(kata, device, case):
    """Each row by its own root; the gradient of weight is summed over all rows."""
    run(kata, "rms_norm", case, device)


@grades("rms_norm")
@FEW
@given(case=kept_rows())
def test_rms_norm_keeps_a_number_of_each_row_at_most(kata, device, case):
    """Beside x and weight one number of each row may be saved, and nothing but by save_for_backward."""
    run(kata, "rms_norm", case, device)


@grades("rms_norm")
@TWICE
@given(case=normed_twice())
def test_rms_norm_has_right_second_gradients_or_none(kata, device, case):
    """A root that was saved is a number to the second pass: compute it anew, or refuse."""
    run_twice(kata, "rms_norm", case, device)


@grades("cross_entropy")
@given(case=losses())
def test_cross_entropy_and_its_gradient_are_those_of_torch(kata, device, case):
    """The mean over the rows that are kept; one that is ignored has a gradient of 0."""
    run(kata, "cross_entropy", case, device)


@grades("cross_entropy")
@FEW
@given(case=kept_logits())
def test_cross_entropy_keeps_one_tensor_of_the_logits_size(kata, device, case):
    """Beside one tensor of the size of the logits the targets are kept, and a number of each row."""
    run(kata, "cross_entropy", case, device)


@grades("cross_entropy")
@TWICE
@given(case=losses_twice())
def test_cross_entropy_has_right_second_gradients_or_none(kata, device, case):
    """A softmax or a sum that was saved is a number to the second pass: compute it anew, or refuse."""
    run_twice(kata, "cross_entropy", case, device)


@grades("linear_cross_entropy")
@given(case=blocks())
def test_linear_cross_entropy_and_its_gradients_are_those_of_one_go(kata, device, case):
    """The loss and its gradients do not depend on how many rows are computed at a time."""
    run(kata, "linear_cross_entropy", case, device)


@grades("linear_cross_entropy")
@HALF
@given(case=kept_blocks())
def test_linear_cross_entropy_never_has_all_logits(kata, device, case):
    """Neither forward nor backward is a tensor larger than a block of logits, or than x or weight; nor is one kept."""
    run(kata, "linear_cross_entropy", case, device)


@grades("linear_cross_entropy")
@FEW
@given(case=forward_blocks())
def test_linear_cross_entropy_computes_no_gradient_that_nobody_wants(kata, device, case):
    """Without anything that requires grad there is the product of the forward pass, and no other one."""
    run(kata, "linear_cross_entropy", case, device)


@grades("linear_cross_entropy")
@FEW
@given(case=no_blocks())
def test_linear_cross_entropy_refuses_no_rows(kata, case):
    """There is a row in x, and one in a block."""
    because = "x has no rows" if "torch.zeros" in case.lines[0] else "rows is below 1"
    refused(kata, ValueError, "linear_cross_entropy", case, because)


@grades("define_swiglu")
@HALF
@given(case=operators())
def test_define_swiglu_defines_what_swiglu_is(kata, device, case):
    """Under its name it computes silu(gate) * up, and the gradients of both."""
    run(kata, "define_swiglu", case, device)


@grades("define_swiglu")
@CHECKED
@given(case=checks())
def test_define_swiglu_passes_the_checks_of_torch(kata, device, case):
    """The fake kernel has the shape, the strides and the dtype of the real one, and autograd is registered."""
    run(kata, "define_swiglu", case, device)


@grades("define_swiglu", stays="what torch.compile traces is asked only here")
@TRACED
@given(case=traced())
def test_define_swiglu_can_be_compiled(kata, device, case):
    """torch.compile traces it forward and backward, with sizes that are not known yet."""
    run(kata, "define_swiglu", case, device)


@grades("define_swiglu")
@FEW
@given(case=other_shapes())
def test_define_swiglu_refuses_another_shape(kata, case):
    """The fake kernel too: it is what computes on meta, and what torch.compile asks."""
    refused(kata, ValueError, "define_swiglu", case, "gate and up have different shapes")
