"""The properties of kata 11: optimizers move parameters as torch's do, and keep as many bytes."""

import functools
import math

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_each, expect_error, expect_that, grades
from dojo.seam.data import is_number

from ..shared import sums
from . import scenarios, truth
from .strategies_averages import averages, refused_betas
from .strategies_matrices import no_matrices, orthogonalized
from .strategies_models import models, refused_decays
from .strategies_optimizers import closure_programs, edges, narrow_programs, programs, resumed_programs
from .strategies_states import refused_states, some, states

# Four steps of a handful of roundings each, on numbers up to 20. float32: 2**-24 of them, 20 times, is 2.4e-5.
# bfloat16: 2**-9 of them, in a state as well; one place more or less in each update stays within an eighth.
FLOAT64, NARROW = 1e-10, {"float32": 2.5e-5, "bfloat16": 2**-3}

# A singular value near 0 grows by 3.4445**5 = 485 in five steps, and so does what was rounded off: 2**-24 of 1, some
# ten times, and 1e-7 of the norm where that keeps a division from 0. In seven steps, in float64 alone, 22 · 1e-7.
IN_FLOAT64, IN_FLOAT32 = 1e-5, 1e-3

# What is refused shows at once; and of states an example holds four cases.
HALF = one_in(2)

# Each example takes up to six steps of two optimizers, of four classes; what they compute is asked in float64 already,
# and what these ask besides shows in one of three examples or more.
THIRD, QUARTER = one_in(3), one_in(4)


def run(kata, optimizer, program, device, rel=FLOAT64):
    """Run a program with the learner's optimizer and with torch's, and compare what is watched."""
    lines, watched = program
    right = truth.program(lines, watched, device)
    expect_each(kata.run(scenarios.program, optimizer, lines, watched, device), right, rel=rel)


def moves_narrow(kata, optimizer, case, device):
    """Run a program in float32 or bfloat16."""
    program, dtype = case
    run(kata, optimizer, program, device, NARROW[dtype])


def edge(kata, optimizer, case, device):
    """Fail unless the lines raise a ValueError, where there is a reason to; else they run as torch's."""
    lines, because = case
    if because:
        expect_error(ValueError, kata.run, scenarios.program, optimizer, lines, [], device, because=because)
    else:
        run(kata, optimizer, (lines, ["a"]), device)


@grades("running_average")
@given(case=averages())
def test_running_average_is_adams(kata, case):
    """What is older counts less, by beta for each value that came after it; corrected, the weights add up to 1."""
    answer, right = kata.running_average(*case), truth.running_average(*case)
    largest = max(map(abs, case[0]), default=0.0)  # torch's lerp rounds otherwise than a sum does
    near = type(answer) is list and len(answer) == len(right) and all(map(is_number, answer))
    near = near and all(
        math.isclose(x, y, rel_tol=0, abs_tol=1e-8 * largest) for x, y in zip(answer, right, strict=True)
    )
    expect_that(near, answer, right, "torch says")


@grades("running_average")
@HALF
@given(case=refused_betas())
def test_running_average_refuses_what_is_no_beta(kata, case):
    """With a beta of 1 nothing new would count, and above 1 or below 0 it is no average."""
    expect_error(ValueError, kata.running_average, *case, because=f"beta is {case[1]}")


@grades("SGD")
@given(program=programs("SGD", "float64"))
def test_sgd_moves_parameters_as_torchs_does(kata, device, program):
    """Along the buffer where there is momentum, in place, for each parameter that has a gradient."""
    run(kata, "SGD", program, device)


@grades("SGD")
@THIRD
@given(case=narrow_programs("SGD"))
def test_sgd_keeps_narrow_numbers(kata, device, case):
    """A narrow parameter is updated as well, and stays what it is."""
    moves_narrow(kata, "SGD", case, device)


@grades("SGD")
@QUARTER
@given(program=closure_programs("SGD"))
def test_sgd_calls_the_closure_with_gradients_enabled(kata, device, program):
    """Once before each step; its result is returned, and without a closure None. Where it raises, no step is taken."""
    run(kata, "SGD", program, device)


@grades("SGD")
@THIRD
@given(program=resumed_programs("SGD"))
def test_sgd_goes_on_from_its_state_dict(kata, device, program):
    """Saved and loaded into a new optimizer, buffers and settings are those that were saved."""
    run(kata, "SGD", program, device)


@grades("SGD")
@given(case=edges("SGD"))
def test_sgd_refuses_what_torchs_does(kata, device, case):
    """No lr, momentum or decay is negative, and nesterov looks ahead along an undamped momentum; all else it takes."""
    edge(kata, "SGD", case, device)


@grades("RMSProp")
@given(program=programs("RMSProp", "float64"))
def test_rmsprop_moves_parameters_as_torchs_does(kata, device, program):
    """Each element by its own average of squares, in place, for each parameter that has a gradient."""
    run(kata, "RMSProp", program, device)


@grades("RMSProp")
@THIRD
@given(case=narrow_programs("RMSProp"))
def test_rmsprop_keeps_narrow_numbers(kata, device, case):
    """A narrow parameter is updated as well, and stays what it is."""
    moves_narrow(kata, "RMSProp", case, device)


@grades("RMSProp")
@QUARTER
@given(program=closure_programs("RMSProp"))
def test_rmsprop_calls_the_closure_with_gradients_enabled(kata, device, program):
    """Once before each step; its result is returned, and without a closure None. Where it raises, no step is taken."""
    run(kata, "RMSProp", program, device)


@grades("RMSProp")
@THIRD
@given(program=resumed_programs("RMSProp"))
def test_rmsprop_goes_on_from_its_state_dict(kata, device, program):
    """Saved and loaded into a new optimizer, averages, buffers and settings are those that were saved."""
    run(kata, "RMSProp", program, device)


@grades("RMSProp")
@given(case=edges("RMSProp"))
def test_rmsprop_refuses_what_is_negative(kata, device, case):
    """No setting is negative; 0, and a momentum of 1, are settings like others."""
    edge(kata, "RMSProp", case, device)


@grades("Adam")
@given(program=programs("Adam", "float64"))
def test_adam_moves_parameters_as_torchs_does(kata, device, program):
    """By two averages that are corrected, in place, for each parameter that has a gradient."""
    run(kata, "Adam", program, device)


@grades("Adam")
@THIRD
@given(case=narrow_programs("Adam"))
def test_adam_keeps_narrow_numbers(kata, device, case):
    """A narrow parameter is updated as well, and stays what it is."""
    moves_narrow(kata, "Adam", case, device)


@grades("Adam")
@QUARTER
@given(program=closure_programs("Adam"))
def test_adam_calls_the_closure_with_gradients_enabled(kata, device, program):
    """Once before each step; its result is returned, and without a closure None. Where it raises, no step is taken."""
    run(kata, "Adam", program, device)


@grades("Adam")
@THIRD
@given(program=resumed_programs("Adam"))
def test_adam_goes_on_from_its_state_dict(kata, device, program):
    """Saved and loaded into a new optimizer, averages, steps and settings are those that were saved."""
    run(kata, "Adam", program, device)


@grades("Adam")
@given(case=edges("Adam"))
def test_adam_refuses_what_torchs_does(kata, device, case):
    """No setting is negative, and no beta is 1 or more; 0 is a setting like others."""
    edge(kata, "Adam", case, device)


@grades("AdamW")
@given(program=programs("AdamW", "float64"))
def test_adamw_moves_parameters_as_torchs_does(kata, device, program):
    """It shrinks, and then moves as Adam does, in place, each parameter that has a gradient, of zeros too."""
    run(kata, "AdamW", program, device)


@grades("AdamW")
@THIRD
@given(case=narrow_programs("AdamW"))
def test_adamw_keeps_narrow_numbers(kata, device, case):
    """A narrow parameter is updated as well, and stays what it is."""
    moves_narrow(kata, "AdamW", case, device)


@grades("AdamW")
@QUARTER
@given(program=closure_programs("AdamW"))
def test_adamw_calls_the_closure_with_gradients_enabled(kata, device, program):
    """Once before each step; its result is returned, and without a closure None. Where it raises, no step is taken."""
    run(kata, "AdamW", program, device)


@grades("AdamW")
@THIRD
@given(program=resumed_programs("AdamW"))
def test_adamw_goes_on_from_its_state_dict(kata, device, program):
    """Saved and loaded into a new optimizer, averages, steps and settings are those that were saved."""
    run(kata, "AdamW", program, device)


@grades("AdamW")
@given(case=edges("AdamW"))
def test_adamw_refuses_what_torchs_does(kata, device, case):
    """No setting is negative, and no beta is 1 or more; 0 is a setting like others."""
    edge(kata, "AdamW", case, device)


@grades("decay_groups")
@given(case=models())
def test_decay_groups_holds_each_parameter_once(kata, device, case):
    """Matrices decay, vectors and scalars do not, and what is frozen is left out."""
    lines, weight_decay = case
    right = truth.decays(lines, weight_decay, device)
    expect_each(kata.run(scenarios.decays, lines, weight_decay, device), right, "should be")


@grades("decay_groups")
@HALF
@given(case=refused_decays())
def test_decay_groups_refuses_a_negative_decay(kata, device, case):
    """A negative decay would let weights grow."""
    expect_error(ValueError, kata.run, scenarios.decays, *case, device, because=f"weight_decay is {case[1]}")


@grades("state_bytes")
@HALF
@given(cases=some(states()))
def test_state_bytes_is_what_torch_keeps(kata, cases):
    """So many states of a parameter's size and dtype, and of most optimizers a count of steps for each parameter."""
    for case in cases:
        answer, kept = kata.state_bytes(*case), truth.state_bytes(*case)
        expect(answer, sum(kept.values()), "torch keeps", draw=functools.partial(sums.terms, kept, answer))


@grades("state_bytes")
@HALF
@given(case=refused_states())
def test_state_bytes_refuses_what_torch_has_not(kata, case):
    """A name is written as torch writes it, and Muon takes matrices alone."""
    because = (
        "Muon takes matrices alone" if case[0] == "Muon" else f"torch.optim has no {case[0]!r} that is asked about"
    )
    expect_error(ValueError, kata.state_bytes, *case, because=because)


@grades("orthogonalize")
@given(program=orthogonalized("float64"))
def test_orthogonalize_is_a_polynomial_of_the_singular_values(kata, device, program):
    """Each one goes through the polynomial, and the singular vectors stay; so does grad."""
    orthogonalizes(kata, program, device, IN_FLOAT64)


@grades("orthogonalize")
@THIRD
@given(program=orthogonalized("float32"))
def test_orthogonalize_keeps_float32(kata, device, program):
    """What is float32 stays float32."""
    orthogonalizes(kata, program, device, IN_FLOAT32)


def orthogonalizes(kata, program, device, rel):
    """Run a program with the learner's function, and compare with what torch makes of the singular values."""
    lines, watched = program
    seen = kata.run(scenarios.program, "orthogonalize", lines, watched, device)
    expect_each(seen, truth.orthogonalize(lines, device), rel=rel)


@grades("orthogonalize")
@HALF
@given(shape=no_matrices())
def test_orthogonalize_refuses_what_is_no_matrix(kata, device, shape):
    """A vector has no singular vectors, and of a batch nobody says which sizes are rows."""
    lines = [f"orthogonalize(torch.ones({shape}, dtype=torch.float64))"]
    because = f"it has {len(shape)} dimension{'s' * (len(shape) != 1)}"
    expect_error(ValueError, kata.run, scenarios.program, "orthogonalize", lines, [], device, because=because)
