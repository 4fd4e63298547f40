"""The properties of kata 11: optimizers move parameters as torch's do, and keep as many bytes."""

import functools
import math

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, expect_that, grades
from dojo.seam.data import is_number, shown

from ..shared import sums
from ..shared.tolerances import expect_moved
from . import scenarios, truth
from .strategies_averages import averages, refused_betas
from .strategies_matrices import BEYOND, no_matrices, orthogonalized
from .strategies_models import models, refused_decays
from .strategies_optimizers import closure_programs, edges, narrow_programs, programs, resumed_programs
from .strategies_states import refused_states, some, states

# A singular value near 0 grows by 3.4445**5 = 485 in five steps, and so does what was rounded off: 2**-24 of 1, some
# ten times, and 1e-7 of the norm where that keeps a division from 0. In seven steps, in float64 alone, 22 · 1e-7; in
# twelve, of a single singular value alone, 2.8 · 1e-7 of that one, and 3.4445**12 · 2**-53 where a 0 was rounded.
# Beside a norm of 1e100, 1e-7 is nothing: there right answers of six kinds stay within 7.3e-10 in up to twelve steps,
# and one that iterates in float32 is mostly off by more than 1e-7.
IN_FLOAT64, OF_LARGE_NORMS, IN_FLOAT32 = 1e-5, 1e-8, 1e-3

# What is refused shows at once, and an example of states holds four cases.
HALF = one_in(2)

# If there are more averages than these, only the first wrong one is told.
FEW = 6

# Each example takes up to six steps of two optimizers, of four classes. float64 already tests what they compute, and
# what these test beyond that shows in at least one of three examples.
THIRD, QUARTER = one_in(3), one_in(4)


def run(kata, optimizer, program, device):
    """Run a program with the learner's optimizer and with torch's, and compare what is watched."""
    lines, watched = program
    right = truth.program(lines, watched, device)
    expect_moved(kata.run(scenarios.program, optimizer, lines, watched, device), right)


def edge(kata, optimizer, case, device):
    """Fail unless the lines raise a ValueError, if there is a reason to; otherwise they run as torch's."""
    lines, because = case
    if because:
        expect_error(ValueError, kata.run, scenarios.program, optimizer, lines, [], device, because=because)
    else:
        run(kata, optimizer, (lines, ["a"]), device)


@grades("running_average")
@given(case=averages())
def test_running_average_is_adams(kata, case):
    """Each new value scales the weights of all earlier ones by beta. With correction, the weights add up to 1."""
    answer, right = kata.running_average(*case), truth.running_average(*case)
    largest = max(map(abs, case[0]), default=0.0)  # torch's lerp rounds otherwise than a sum does
    numbers = type(answer) is list and len(answer) == len(right) and all(map(is_number, answer))
    pairs = enumerate(zip(answer, right, strict=True)) if numbers else ()
    wrong = [place for place, (x, y) in pairs if not math.isclose(x, y, rel_tol=0, abs_tol=1e-8 * largest)]
    if wrong and len(right) > FEW:
        place = wrong[0]
        raise Mismatch(answer[place], shown(right[place]), "torch says", right[place], of=f"item {place}")
    expect_that(numbers and not wrong, answer, right, "torch says")


@grades("running_average")
@HALF
@given(case=refused_betas())
def test_running_average_refuses_what_is_no_beta(kata, case):
    """A beta below 0, or of 1 or more, raises a ValueError."""
    expect_error(ValueError, kata.running_average, *case, because=f"beta is {case[1]}")


@grades("SGD")
@given(program=programs("SGD", "float64"))
def test_sgd_moves_parameters_as_torchs_does(kata, device, program):
    """A step moves each parameter that has a gradient, in place: along the buffer if momentum is not 0.

    Gradients stay enabled.
    """
    run(kata, "SGD", program, device)


@grades("SGD")
@THIRD
@given(program=narrow_programs("SGD"))
def test_sgd_keeps_narrow_numbers(kata, device, program):
    """A float32 or bfloat16 parameter is updated like any other, and each parameter keeps its dtype."""
    run(kata, "SGD", program, device)


@grades("SGD")
@QUARTER
@given(program=closure_programs("SGD"))
def test_sgd_calls_the_closure_with_gradients_enabled(kata, device, program):
    """A step calls the closure once, before the update, with gradients enabled, and returns its result.

    Without a closure it returns None; if the closure raises, no step is taken. Gradients are enabled or disabled
    afterwards as they were before.
    """
    run(kata, "SGD", program, device)


@grades("SGD")
@THIRD
@given(program=resumed_programs("SGD"))
def test_sgd_goes_on_from_its_state_dict(kata, device, program):
    """A new optimizer that loads a state_dict goes on with the buffers and settings that were saved."""
    run(kata, "SGD", program, device)


@grades("SGD")
@given(case=edges("SGD"))
def test_sgd_refuses_what_torchs_does(kata, device, case):
    """A negative lr, momentum or weight_decay, and nesterov without momentum or with dampening, raise a ValueError.

    So they do where every group has settings of its own. No setting is too large.
    """
    edge(kata, "SGD", case, device)


@grades("RMSProp")
@given(program=programs("RMSProp", "float64"))
def test_rmsprop_moves_parameters_as_torchs_does(kata, device, program):
    """Each element moves by its own average of squares, in place, in each parameter that has a gradient.

    Gradients stay enabled.
    """
    run(kata, "RMSProp", program, device)


@grades("RMSProp")
@THIRD
@given(program=narrow_programs("RMSProp"))
def test_rmsprop_keeps_narrow_numbers(kata, device, program):
    """A float32 or bfloat16 parameter is updated like any other, and each parameter keeps its dtype."""
    run(kata, "RMSProp", program, device)


@grades("RMSProp")
@QUARTER
@given(program=closure_programs("RMSProp"))
def test_rmsprop_calls_the_closure_with_gradients_enabled(kata, device, program):
    """A step calls the closure once, before the update, with gradients enabled, and returns its result.

    Without a closure it returns None; if the closure raises, no step is taken. Gradients are enabled or disabled
    afterwards as they were before.
    """
    run(kata, "RMSProp", program, device)


@grades("RMSProp")
@THIRD
@given(program=resumed_programs("RMSProp"))
def test_rmsprop_goes_on_from_its_state_dict(kata, device, program):
    """A new optimizer that loads a state_dict goes on with the averages, buffers and settings that were saved."""
    run(kata, "RMSProp", program, device)


@grades("RMSProp")
@given(case=edges("RMSProp"))
def test_rmsprop_refuses_what_is_negative(kata, device, case):
    """A negative setting raises a ValueError, even where every group has its own; 0 and large settings are accepted."""
    edge(kata, "RMSProp", case, device)


@grades("Adam")
@given(program=programs("Adam", "float64"))
def test_adam_moves_parameters_as_torchs_does(kata, device, program):
    """Each element moves by two corrected averages, in place, in each parameter that has a gradient.

    Gradients stay enabled.
    """
    run(kata, "Adam", program, device)


@grades("Adam")
@THIRD
@given(program=narrow_programs("Adam"))
def test_adam_keeps_narrow_numbers(kata, device, program):
    """A float32 or bfloat16 parameter is updated like any other, and each parameter keeps its dtype."""
    run(kata, "Adam", program, device)


@grades("Adam")
@QUARTER
@given(program=closure_programs("Adam"))
def test_adam_calls_the_closure_with_gradients_enabled(kata, device, program):
    """A step calls the closure once, before the update, with gradients enabled, and returns its result.

    Without a closure it returns None; if the closure raises, no step is taken. Gradients are enabled or disabled
    afterwards as they were before.
    """
    run(kata, "Adam", program, device)


@grades("Adam")
@THIRD
@given(program=resumed_programs("Adam"))
def test_adam_goes_on_from_its_state_dict(kata, device, program):
    """A new optimizer that loads a state_dict goes on with the averages, steps and settings that were saved."""
    run(kata, "Adam", program, device)


@grades("Adam")
@given(case=edges("Adam"))
def test_adam_refuses_what_torchs_does(kata, device, case):
    """A negative setting, or a beta of 1 or more, raises a ValueError, even where every group has its own.

    0 is accepted, and so are large settings.
    """
    edge(kata, "Adam", case, device)


@grades("AdamW")
@given(program=programs("AdamW", "float64"))
def test_adamw_moves_parameters_as_torchs_does(kata, device, program):
    """Each parameter with a gradient, even one of zeros, shrinks and then moves as in Adam, in place.

    Gradients stay enabled.
    """
    run(kata, "AdamW", program, device)


@grades("AdamW")
@THIRD
@given(program=narrow_programs("AdamW"))
def test_adamw_keeps_narrow_numbers(kata, device, program):
    """A float32 or bfloat16 parameter is updated like any other, and each parameter keeps its dtype."""
    run(kata, "AdamW", program, device)


@grades("AdamW")
@QUARTER
@given(program=closure_programs("AdamW"))
def test_adamw_calls_the_closure_with_gradients_enabled(kata, device, program):
    """A step calls the closure once, before the update, with gradients enabled, and returns its result.

    Without a closure it returns None; if the closure raises, no step is taken. Gradients are enabled or disabled
    afterwards as they were before.
    """
    run(kata, "AdamW", program, device)


@grades("AdamW")
@THIRD
@given(program=resumed_programs("AdamW"))
def test_adamw_goes_on_from_its_state_dict(kata, device, program):
    """A new optimizer that loads a state_dict goes on with the averages, steps and settings that were saved."""
    run(kata, "AdamW", program, device)


@grades("AdamW")
@given(case=edges("AdamW"))
def test_adamw_refuses_what_torchs_does(kata, device, case):
    """A negative setting, or a beta of 1 or more, raises a ValueError, even where every group has its own.

    0 is accepted, and so are large settings.
    """
    edge(kata, "AdamW", case, device)


@grades("decay_groups")
@given(case=models())
def test_decay_groups_holds_each_parameter_once(kata, device, case):
    """Parameters of two dimensions or more decay, others do not; those that require no gradient are in no group.

    The groups are in a list, and the model stays as it is.
    """
    lines, weight_decay = case
    right = truth.decays(lines, weight_decay, device)
    expect_each(kata.run(scenarios.decays, lines, weight_decay, device), right, "should be")


@grades("decay_groups")
@HALF
@given(case=refused_decays())
def test_decay_groups_refuses_a_negative_decay(kata, device, case):
    """A negative weight_decay raises a ValueError."""
    expect_error(ValueError, kata.run, scenarios.decays, *case, device, because=f"weight_decay is {case[1]}")


@grades("state_bytes")
@HALF
@given(cases=some(states()))
def test_state_bytes_is_what_torch_keeps(kata, cases):
    """States have the size and dtype of their parameter; all but SGD and Muon also count steps, in a float32."""
    for case in cases:
        answer, kept = kata.state_bytes(*case), truth.state_bytes(*case)
        expect(answer, sum(kept.values()), "torch keeps", draw=functools.partial(sums.terms, kept, answer))


@grades("state_bytes")
@given(case=refused_states())
def test_state_bytes_refuses_what_torch_has_not(kata, case):
    """A name that is not spelled as in the stub, and "Muon" with a shape that is not 2-d, raise a ValueError."""
    because = "Muon takes matrices alone" if case[0] == "Muon" else f"{case[0]!r} is none of the six names"
    expect_error(ValueError, kata.state_bytes, *case, because=because)


@grades("orthogonalize")
@given(program=orthogonalized("float64"))
def test_orthogonalize_is_a_polynomial_of_the_singular_values(kata, device, program):
    """Each singular value goes through the polynomial, in float64. The singular vectors and grad do not change."""
    orthogonalizes(kata, program, device, OF_LARGE_NORMS if BEYOND in program[0] else IN_FLOAT64)


@grades("orthogonalize")
@THIRD
@given(program=orthogonalized("float32"))
def test_orthogonalize_keeps_float32(kata, device, program):
    """A float32 grad gives a float32 result."""
    orthogonalizes(kata, program, device, IN_FLOAT32)


def orthogonalizes(kata, program, device, rel):
    """Run a program with the learner's function, and compare with what torch makes of the singular values."""
    lines, watched = program
    seen = kata.run(scenarios.program, "orthogonalize", lines, watched, device)
    right = truth.orthogonalize(lines, device)
    expect_each(seen, right, rel=rel)
    expect_each(seen, {"grad": right["grad"]})  # it does not change, so nothing is rounded


@grades("orthogonalize")
@HALF
@given(shape=no_matrices())
def test_orthogonalize_refuses_what_is_no_matrix(kata, device, shape):
    """A grad that does not have two dimensions raises a ValueError."""
    lines = [f"orthogonalize(torch.ones({shape}, dtype=torch.float64))"]
    because = f"it has {len(shape)} dimension{'s' * (len(shape) != 1)}"
    expect_error(ValueError, kata.run, scenarios.program, "orthogonalize", lines, [], device, because=because)
