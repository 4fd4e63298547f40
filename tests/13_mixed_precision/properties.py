"""The properties of kata 13: narrow numbers lose what torch says they lose, and scales and masters bring it back.

Random results are checked with Bernstein's and Hoeffding's inequalities (tests/shared/chance.py), which reject a right
answer with a probability of at most 10**-12 for each number that is rounded often (samples.py).
"""

import functools

import torch

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, grades
from dojo.seam.data import same, shown

from ..shared import sums
from ..shared.random_states import next_numbers
from . import programs_resumed, samples, scenarios, truth
from .strategies_gradients import refused_scales, scaled, stored
from .strategies_masters import master_steps, resumed_masters
from .strategies_recipes import operations, recipes, refused_operations, refused_recipes
from .strategies_resumed import carried_masters, carried_scalers
from .strategies_rounding import AT_ONCE, CALLED, HALF_WAY, repeated, rounded, seeded_rounds, seldom_rounded
from .strategies_scalers import long_stories, misused_scalers, refused_scalers, resumed_scalers, stories
from .strategies_steps import mixed_steps, unscaled_steps

# An example has several calls, or several steps of two optimizers; or three times 4096 numbers are rounded.
HALF = one_in(2)

# There are few kinds, and each is drawn often; or 2**21 numbers are rounded, and a mistake shows every time.
FEW, MANY = one_in(4), one_in(50)

# Each example takes 2001 updates, and the examples hardly differ.
ONCE = one_in(100)

# Each example starts two processes.
PROCESSES = one_in(10)

# The norm is a float32 sum of some twenty squares, in any order, and a handful of roundings follow.
STEP = 1e-5


def run(kata, function, program, rel=0.0):
    """Run a program with the learner's function, and compare what it leaves with what torch's own parts leave.

    nan equals nan, because skipped or spoiled steps leave some.
    """
    lines, watched = program
    holds(kata.run(scenarios.program, function, *program), truth.program(function, lines, watched), watched, rel)


def goes_on(kata, function, case):
    """Save in one process, continue in another, and compare what that leaves."""
    holds(kata.run(programs_resumed.carried, function, *case), truth.carried(function, *case), case.watched)


def holds(seen, right, watched, rel=0.0):
    """Fail unless what a program leaves is what torch's own parts leave."""
    if type(seen) is not dict:
        expect_each(seen, {name: right[name] for name in watched})
    for name in watched:
        if not same(seen[name], right[name], rel, bits=True):
            raise Mismatch(seen[name], shown(right[name]), "torch says", right[name], of=name)


def refuses(kata, function, lines, because, error=ValueError, watched=()):
    """Fail unless the program raises that error; otherwise show what is watched."""
    expect_error(error, kata.run, scenarios.program, function, lines, [*watched], because=because)


@grades("training_bytes")
@HALF
@given(cases=recipes())
def test_training_bytes_are_those_that_are_kept(kata, cases):
    """Each parameter has a weight, a gradient, perhaps a master, and its states, of 2 or 4 bytes."""
    for case in cases:
        answer, kept = kata.training_bytes(*case), truth.training_bytes(*case)
        expect(answer, sum(kept.values()), "torch keeps", draw=functools.partial(sums.terms, kept, answer))


@grades("training_bytes")
@HALF
@given(cases=refused_recipes())
def test_training_bytes_refuses_what_is_no_recipe(kata, cases):
    """A recipe that is not one of the four names, or a number below 0, raises a ValueError."""
    because = "there are four recipes, and no number is negative"
    for case in cases:
        expect_error(ValueError, kata.training_bytes, *case, because=because)


@grades("lost_gradients")
@given(case=stored())
def test_lost_gradients_are_those_that_a_cast_loses(kata, case):
    """A gradient is lost if the cast, after scaling, rounds it to 0 or to infinity. grads are not changed."""
    run(kata, "lost_gradients", (case.lines, ["lost", "grads"]))


@grades("largest_scale")
@given(case=scaled())
def test_largest_scale_is_the_last_that_fits(kata, case):
    """At this scale all gradients are finite in float16, and at twice the scale one of them is not."""
    run(kata, "largest_scale", (case.lines, ["scale", "grads"]))


@grades("largest_scale")
@given(program=refused_scales())
def test_largest_scale_refuses_what_has_none(kata, program):
    """If all gradients are 0, if there are none, or if one is not finite, a ValueError is raised."""
    refuses(kata, "largest_scale", program[0], "there is no largest scale")


@grades("autocast_dtype")
@given(calls=operations())
def test_autocast_dtype_is_that_of_the_result(kata, calls):
    """Products run in lower, losses and prod in float32, and all others in the widest dtype of their operands.

    float64 stays float64.
    """
    for op, dtypes, named in calls:
        expect(kata.autocast_dtype(op, *dtypes, **named), truth.autocast_dtype(op, *dtypes, **named))


@grades("autocast_dtype")
@HALF
@given(calls=refused_operations())
def test_autocast_dtype_refuses_what_torch_does_and_other_operations(kata, calls):
    """A product of float64 with another dtype, and an operation that is not listed, raise a ValueError."""
    for op, dtypes, named in calls:
        because = "a product of float64 with another dtype" if op in ("matmul", "linear") else f"{op!r} is not listed"
        expect_error(ValueError, functools.partial(kata.autocast_dtype, **named), op, *dtypes, because=because)


@grades("LossScaler")
@given(program=stories())
def test_loss_scaler_tells_the_story_of_torchs(kata, program):
    """inf or nan skips only the step of the optimizer whose gradients have it.

    update then lowers the scale, and raises it after growth_interval updates without inf or nan.
    """
    run(kata, "LossScaler", program)


@grades("LossScaler")
@ONCE
@given(program=long_stories())
def test_loss_scaler_grows_after_2000_updates_by_default(kata, program):
    """With the defaults, the scale doubles after 2000 updates without inf or nan, and not before."""
    run(kata, "LossScaler", program)


@grades("LossScaler")
@HALF
@given(program=resumed_scalers())
def test_loss_scaler_goes_on_from_its_state_dict(kata, program):
    """After load_state_dict, scale, count and settings are those that were saved."""
    run(kata, "LossScaler", program)


@grades("LossScaler")
@PROCESSES
@given(case=carried_scalers())
def test_loss_scaler_goes_on_in_another_process(kata, case):
    """A scaler in another process that has only the saved state_dict continues exactly."""
    goes_on(kata, "LossScaler", case)


@grades("LossScaler")
@HALF
@given(case=misused_scalers())
def test_loss_scaler_refuses_to_do_it_twice(kata, case):
    """A second unscale_ or step of an optimizer, or unscale_ after its step, raises a RuntimeError until the update."""
    lines, because = case
    refuses(kata, "LossScaler", lines, because, RuntimeError, ("a", "a.grad"))


@grades("LossScaler")
@FEW
@given(cases=refused_scalers())
def test_loss_scaler_refuses_what_scales_nothing(kata, cases):
    """An init_scale <= 0, growth_factor <= 1, growth_interval < 1 or backoff_factor outside 0..1 raises ValueError."""
    for lines, because in cases:
        refuses(kata, "LossScaler", lines, because)


@grades("MasterWeights")
@given(program=master_steps())
def test_master_weights_move_as_float32_does(kata, program):
    """The optimizer moves float32 copies with the same gradients, and each parameter is its copy, rounded."""
    run(kata, "MasterWeights", program)


@grades("MasterWeights")
@HALF
@given(program=resumed_masters())
def test_master_weights_go_on_from_their_state_dict(kata, program):
    """After load_state_dict, steps continue bit for bit, and the parameters are written too."""
    run(kata, "MasterWeights", program)


@grades("MasterWeights")
@PROCESSES
@given(case=carried_masters())
def test_master_weights_go_on_in_another_process(kata, case):
    """A MasterWeights in another process that has only the saved state_dict continues bit for bit."""
    goes_on(kata, "MasterWeights", case)


@grades("stochastic_round")
@given(case=rounded())
def test_stochastic_round_gives_one_of_both_neighbours(kata, case):
    """A number that bfloat16 can hold stays, and any other becomes one of its two neighbors. x is not changed."""
    seen = kata.run(scenarios.program, "stochastic_round", case.lines, ["rounded", "x"])
    right = truth.program("stochastic_round", case.lines, ["rounded", "x"])
    if type(seen) is not dict:
        expect_each(seen, {"rounded": right["rounded"]})
    samples.expect_neighbours(seen["rounded"], right["x"], right["rounded"])
    if not same(seen["x"], right["x"], bits=True):
        raise Mismatch(seen["x"], shown(right["x"]), "should be", right["x"], of="x")


def goes_up_as_often(kata, case, *more):
    """Fail unless each number is rounded away from 0 about as often as it should be; return what is watched."""
    seen = kata.run(scenarios.program, "stochastic_round", case.lines, ["rounded", *more])
    x = torch.cat([torch.full((count,), number) for number, count in zip(case.numbers, case.rounds, strict=True)])
    if type(seen) is not dict:
        expect_each(seen, {"rounded": truth.stochastic_round(x, torch.Generator().manual_seed(0))})
    samples.expect_neighbours(seen["rounded"], x, x.bfloat16())  # the nearest is one of both, and takes no time
    samples.expect_shares(seen["rounded"], case.numbers, case.rounds)
    return seen


@grades("stochastic_round")
@HALF
@given(case=repeated())
def test_stochastic_round_is_right_on_average(kata, case):
    """A number is rounded away from 0 with the probability (|x| − near) / (away − near)."""
    goes_up_as_often(kata, case)


@grades("stochastic_round")
@MANY
@given(case=seldom_rounded())
def test_stochastic_round_is_right_where_it_seldom_goes_up(kata, case):
    """A chance of 1 in 65536 needs 16 random bits, new ones for each element; with a chance of 0 nothing goes up."""
    seen = goes_up_as_often(kata, case, "ups")
    samples.expect_own_numbers(seen["rounded"], case.numbers[0], 0, case.rounds[0])
    samples.expect_ups(seen["ups"], case.number, AT_ONCE * CALLED)


@grades("stochastic_round")
@FEW
@given(case=seeded_rounds())
def test_stochastic_round_draws_from_the_generator_alone(kata, case):
    """The same seed gives the same result; another seed or a second call does not. Each element has its own draw."""
    names = ["rounded", "second", "again", "other"]
    seen = kata.run(scenarios.program, "stochastic_round", case.lines, [*names, "tosses", "torch.rand(2).tolist()"])
    right = truth.program("stochastic_round", case.lines, [*names, "tosses"])
    if type(seen) is not dict:
        expect_each(seen, {name: right[name] for name in names})
    samples.expect_drawn_anew(seen, {name: right[name] for name in names})
    samples.expect_no_pairs(seen["rounded"], case.number)
    samples.expect_tosses(seen["tosses"], right["tosses"], HALF_WAY)
    expect_each(seen, {"torch.rand(2).tolist()": next_numbers(case.last)["torch.rand(2).tolist()"]}, "untouched")


@grades("mixed_step")
@given(program=mixed_steps())
def test_mixed_step_is_that_of_torchs_parts(kata, program):
    """Gradients are unscaled before they are clipped.

    A step is skipped, and the scheduler with it, if a gradient is inf or nan. The loss does not matter.
    """
    run(kata, "mixed_step", program, STEP)


@grades("mixed_step")
@HALF
@given(program=unscaled_steps())
def test_mixed_step_always_moves_without_a_scale(kata, program):
    """With a disabled scaler, the optimizer always moves, whether gradients are finite or not."""
    run(kata, "mixed_step", program, STEP)
