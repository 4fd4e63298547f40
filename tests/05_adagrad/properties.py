"""The properties of kata 05: optimizers move parameters as torch's do, and training keeps what a real step keeps."""

import itertools

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_error, grades
from dojo.seam.data import Words, shown

from ..shared import sums
from ..shared.tolerances import expect_moved
from . import scenarios, truth
from .strategies_descents import descents
from .strategies_memory import deep_models, training_settings
from .strategies_optimizers import (
    closure_programs,
    counting_programs,
    programs,
    refused_settings,
    resumed_programs,
    rounded_programs,
)

# What another property already tests, tested once more in a narrower dtype or by its outcome.
HALF = one_in(2)

# Each example takes hundreds of steps, and each of them shows a count that gets stuck.
FEW = one_in(25)

# Each example shows a step that starts from anything wider than the parameter.
TENTH = one_in(10)


def run(kata, optimizer, program, device):
    """Run a program with the learner's optimizer and with torch's, and compare what is watched."""
    lines, watched = program
    right = truth.program(lines, watched, device)
    expect_moved(kata.run(scenarios.program, optimizer, lines, watched, device), right)


@grades("SGD")
@given(program=programs("SGD", "float64"))
def test_sgd_moves_parameters_as_torchs_does(kata, device, program):
    """A step subtracts lr times its gradient from each parameter that has one, in place. Gradients stay enabled."""
    run(kata, "SGD", program, device)


@grades("SGD", stays="the dtype that most training runs in; a wrong one there is mostly wrong in float64 too")
@HALF
@given(program=programs("SGD", "float32", "float64"))
def test_sgd_moves_float32_as_torchs_does(kata, device, program):
    """A step subtracts lr times the gradient from each parameter, in the dtype of that parameter."""
    run(kata, "SGD", program, device)


@grades("SGD")
@HALF
@given(program=programs("SGD", "bfloat16"))
def test_sgd_keeps_bfloat16(kata, device, program):
    """A bfloat16 parameter is updated like any other, and stays bfloat16."""
    run(kata, "SGD", program, device)


@grades("SGD")
@TENTH
@given(program=rounded_programs("SGD"))
def test_sgd_starts_from_what_rounding_left(kata, device, program):
    """A step starts from the parameter as it is: steps that are too small for its dtype do not add up."""
    run(kata, "SGD", program, device)


@grades("SGD")
@HALF
@given(program=closure_programs("SGD"))
def test_sgd_calls_the_closure_with_gradients_enabled(kata, device, program):
    """A step calls the closure once, before the update, with gradients enabled, and returns its result.

    Without a closure, it returns None. If the closure raises, no step is taken. Gradients are enabled or disabled
    afterwards as they were before.
    """
    run(kata, "SGD", program, device)


@grades("SGD")
@HALF
@given(program=resumed_programs("SGD"))
def test_sgd_goes_on_from_its_state_dict(kata, device, program):
    """A new optimizer that loads a state_dict continues with the saved settings."""
    run(kata, "SGD", program, device)


@grades("SGD", stays="what the optimizer is for; a wrong one that descends all the same is rejected by the others")
@HALF
@given(program=descents("SGD"))
def test_sgd_descends_a_convex_quadratic(kata, device, program):
    """On a convex quadratic with a small lr, the loss falls in every step."""
    descends(kata, "SGD", program, device)


@grades("SGD")
@given(case=refused_settings("SGD"))
def test_sgd_refuses_a_negative_lr(kata, device, case):
    """A negative lr passed to the constructor raises a ValueError, whatever lr the groups have."""
    refuses(kata, "SGD", case, device)


@grades("AdaGrad")
@given(program=programs("AdaGrad", "float64"))
def test_adagrad_moves_parameters_as_torchs_does(kata, device, program):
    """Each parameter that has a gradient is updated in place, each element by its own sum of squares.

    Gradients stay enabled.
    """
    run(kata, "AdaGrad", program, device)


@grades("AdaGrad", stays="the dtype that most training runs in; a wrong one there is mostly wrong in float64 too")
@HALF
@given(program=programs("AdaGrad", "float32", "float64"))
def test_adagrad_moves_float32_as_torchs_does(kata, device, program):
    """Each element is updated by its own sum of squares, in the dtype of its parameter."""
    run(kata, "AdaGrad", program, device)


@grades("AdaGrad")
@HALF
@given(program=programs("AdaGrad", "bfloat16"))
def test_adagrad_keeps_bfloat16(kata, device, program):
    """A bfloat16 parameter is updated like any other, and stays bfloat16."""
    run(kata, "AdaGrad", program, device)


@grades("AdaGrad")
@TENTH
@given(program=rounded_programs("AdaGrad"))
def test_adagrad_starts_from_what_rounding_left(kata, device, program):
    """A step starts from the parameter as it is: steps that are too small for its dtype do not add up."""
    run(kata, "AdaGrad", program, device)


@grades("AdaGrad")
@given(program=closure_programs("AdaGrad"))
def test_adagrad_calls_the_closure_with_gradients_enabled(kata, device, program):
    """A step calls the closure once, before the update, with gradients enabled, and returns its result.

    Without a closure, it returns None. If the closure raises, no step is taken. Gradients are enabled or disabled
    afterwards as they were before.
    """
    run(kata, "AdaGrad", program, device)


@grades("AdaGrad")
@given(program=resumed_programs("AdaGrad"))
def test_adagrad_goes_on_from_its_state_dict(kata, device, program):
    """A new optimizer that loads a state_dict continues with the saved sums, steps and settings."""
    run(kata, "AdaGrad", program, device)


@grades("AdaGrad")
@FEW
@given(program=counting_programs())
def test_adagrad_counts_hundreds_of_steps_in_bfloat16(kata, device, program):
    """Hundreds of steps are counted exactly, even after loading a state_dict: lr decays with t."""
    run(kata, "AdaGrad", program, device)


@grades("AdaGrad", stays="what the optimizer is for; a wrong one that descends all the same is rejected by the others")
@HALF
@given(program=descents("AdaGrad"))
def test_adagrad_descends_a_convex_quadratic(kata, device, program):
    """On a convex quadratic with a small lr, the loss falls in every step."""
    descends(kata, "AdaGrad", program, device)


@grades("AdaGrad")
@given(case=refused_settings("AdaGrad"))
def test_adagrad_refuses_a_negative_setting(kata, device, case):
    """A negative setting passed to the constructor raises a ValueError, whatever settings the groups have."""
    refuses(kata, "AdaGrad", case, device)


def descends(kata, optimizer, program, device):
    """Fail unless the losses of the program fall in every step, until they are 0."""
    lines, watched = program
    seen, right = kata.run(scenarios.program, optimizer, lines, watched, device), truth.program(lines, watched, device)
    losses = seen["losses"] if isinstance(seen, dict) else seen
    falls = isinstance(losses, list) and all(
        after < before or after == before == 0 for before, after in itertools.pairwise(losses)
    )
    if not falls:
        raise Mismatch(losses, shown(right["losses"]), "for example", of="losses")


def refuses(kata, optimizer, case, device):
    """Fail unless the line raises a ValueError."""
    line, because = case

    def made():
        kata.run(scenarios.program, optimizer, [line], [], device)
        return Words("an optimizer")

    expect_error(ValueError, made, because=because)


@grades("training_memory")
@given(model=deep_models(), settings=training_settings())
def test_training_memory_is_what_a_real_step_keeps(kata, device, model, settings):
    """A step keeps the parameters, their gradients and states, and the results of the num_layers layers."""
    answer, kinds = kata.training_memory(*model, *settings), truth.training_bytes(device, *model, *settings)
    expect(answer, sum(kinds.values()), "torch keeps", draw=lambda: sums.terms(kinds, answer))
