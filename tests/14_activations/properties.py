"""The properties of kata 14: what is kept, how to predict it, and what recomputing saves and costs."""

import math
from typing import Any

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect, expect_each, expect_error, expect_that, grades
from dojo.seam.data import shown

from ..shared.programs import has
from . import scenarios, truth
from .strategies_bytes import heads, huge_heads, mlps, no_activations, no_operations, operations
from .strategies_chains import chains, lengths, long_lengths, no_chains, no_lengths, no_steps, steps
from .strategies_checkpoints import (
    cast_programs,
    checkpoint_programs,
    failing_programs,
    noted_programs,
    quiet_programs,
    random_programs,
)
from .strategies_runs import WATCHED, counted_runs, no_runs, sequences
from .strategies_saved import backward_programs, measured_programs

# Two right orders of the same sums of a few float64 numbers.
REL = 1e-12

# A model is made and differentiated twice, by the learner's function and by torch; or an example has many calls.
HALF = one_in(2)

# There are few kinds, and each is drawn often.
FEW = one_in(4)


def run(kata, function, program, device, *, torchs=False):
    """Run a program with the learner's function, and compare what it leaves with what torch leaves."""
    lines, watched = program
    right = truth.program(function, lines, watched, device, torchs=torchs)
    expect_each(kata.run(scenarios.program, function, lines, watched, device), right, rel=REL)


@grades("saved_bytes")
@HALF
@given(program=measured_programs())
def test_saved_bytes_counts_each_storage_once(kata, device, program):
    """Each saved storage counts once and whole, whatever views of it are saved, even if its graph is gone.

    Storages of tensors in exclude do not count. Under torch.no_grad() nothing is saved, but the function runs.
    """
    run(kata, "saved_bytes", program, device)


@grades("saved_bytes")
@FEW
@given(program=backward_programs())
def test_saved_bytes_leaves_graphs_that_go_backward(kata, device, program):
    """The function runs once, and its graph can still run backward, even twice, with the same gradients."""
    run(kata, "saved_bytes", program, device)


@grades("op_saved_bytes")
@HALF
@given(case=operations())
def test_op_saved_bytes_are_what_autograd_saves(kata, device, case):
    """An operation saves what its derivative needs: operands, its result, indices, a mask, statistics, or nothing."""
    for op, shape in case.asked:
        answer = kata.op_saved_bytes(op, shape, *([case.dtype] if case.in_full else []))
        expect(answer, truth.op_saved_bytes(op, shape, case.dtype, device), "torch saves")


@grades("op_saved_bytes")
@FEW
@given(case=no_operations())
def test_op_saved_bytes_refuses_another_op(kata, case):
    """An op that the docstring does not list raises a ValueError, whatever the shape is."""
    names, shape = case
    for name in names:
        expect_error(ValueError, kata.op_saved_bytes, name, shape, because=f"{name!r} is none of the operations")


@grades("mlp_saved_bytes")
@HALF
@given(cases=mlps())
def test_mlp_saved_bytes_are_what_autograd_saves(kata, device, cases):
    """Between two layers, the activation decides if one or two tensors are saved. Parameters and data do not count."""
    for case in cases:
        settings = (case.activation, case.width)
        answer = kata.mlp_saved_bytes(case.batch, case.dims, *(() if settings == ("relu", 4) else settings))
        expect(answer, truth.mlp_saved_bytes(case, device), "torch saves")


@grades("mlp_saved_bytes")
@FEW
@given(case=no_activations())
def test_mlp_saved_bytes_refuses_another_activation(kata, case):
    """An activation that is not one of the five raises a ValueError, even if nothing would be saved for it."""
    dims, activation, batch = case
    because = f"{activation!r} is none of the activations"
    expect_error(ValueError, kata.mlp_saved_bytes, batch, dims, activation, because=because)


@grades("attention_saved_bytes")
@given(case=heads())
def test_attention_saved_bytes_are_what_autograd_saves(kata, case):
    """Explicit and fused attention both save q, k and v.

    The explicit program also saves the weights, and the fused kernel its result and a float32 for each query.
    """
    for fused in (False, True):
        named = [case.width, fused] if case.in_full or fused else []
        answer = kata.attention_saved_bytes(*case.sizes, *named)
        expect(answer, truth.attention_saved_bytes(case, fused, "cpu"), "torch saves")


@grades("attention_saved_bytes", stays="an answer that computes in floats is right for small sizes")
@FEW
@given(case=huge_heads())
def test_attention_saved_bytes_are_exact_for_long_sequences(kata, case):
    """The weights grow with q_len · kv_len. The result is an exact int, however large."""
    answer = kata.attention_saved_bytes(*case.sizes, case.width)
    expect(answer, truth.attention_saved_bytes(case, False, "cpu"), "torch saves")


@grades("peak_activations")
@HALF
@given(pairs=chains())
def test_peak_activations_are_those_of_a_checkpointed_chain(kata, pairs):
    """At its peak, the chain holds segment inputs and the results of the segment that is being recomputed."""
    for num_layers, segment in pairs:
        expect(kata.peak_activations(num_layers, segment), truth.peak_activations(num_layers, segment))


@grades("peak_activations")
@FEW
@given(case=no_chains())
def test_peak_activations_refuses_what_is_no_chain(kata, case):
    """A segment below 1, or num_layers below 0, raises a ValueError."""
    because = "segment is below 1" if case[1] < 1 else "num_layers is below 0"
    expect_error(ValueError, kata.peak_activations, *case, because=because)


@grades("best_segment")
@HALF
@given(num_layers=lengths())
def test_best_segment_has_the_smallest_peak(kata, num_layers):
    """No other segment has a smaller peak."""
    peaks = {segment: truth.peak_activations(num_layers, segment) for segment in range(1, num_layers + 1)}
    best = [segment for segment, peak in peaks.items() if peak == min(peaks.values())]
    answer = kata.best_segment(num_layers)
    expect_that(type(answer) is int and answer in best, answer, best[0])


@grades("best_segment")
@HALF
@given(num_layers=long_lengths())
def test_best_segment_is_near_the_root_of_a_long_chain(kata, num_layers):
    """The peak of the answer is the smallest possible one: floor(√(4 · num_layers + 1)) - 1."""
    answer = kata.best_segment(num_layers)
    least = math.isqrt(4 * num_layers + 1) - 1
    fits = type(answer) is int and 1 <= answer <= num_layers and num_layers // answer - 1 + answer == least
    expect_that(fits, answer, math.isqrt(num_layers - 1) + 1)


@grades("best_segment")
@FEW
@given(num_layers=no_lengths())
def test_best_segment_refuses_no_layers(kata, num_layers):
    """A num_layers below 1 raises a ValueError."""
    expect_error(ValueError, kata.best_segment, num_layers, because="num_layers is below 1")


@grades("checkpointed_step_flops")
@HALF
@given(case=steps())
def test_checkpointed_step_flops_are_what_torch_counts(kata, device, case):
    """Each layer runs forward, again if it is recomputed, and backward. The data's gradient is not computed."""
    answer = kata.checkpointed_step_flops(*case[: 3 if case.recomputed else 2])
    expect(answer, truth.step_flops(case, device), "torch counts")


@grades("checkpointed_step_flops")
@FEW
@given(case=no_steps())
def test_checkpointed_step_flops_refuses_what_is_no_layer(kata, case):
    """An index that is negative, or not below the number of layers, raises a ValueError."""
    count = len(case.dims) - 1
    because = f"there {'is 1 layer' if count == 1 else f'are {count} layers'}"
    expect_error(ValueError, kata.checkpointed_step_flops, *case, because=because)


@grades("checkpoint")
@HALF
@given(program=checkpoint_programs())
def test_checkpoint_changes_no_result_and_no_gradient(kata, device, program):
    """Results and gradients are those of function(*args), including gradients of parameters used inside function."""
    run(kata, "checkpoint", program, device)


@grades("checkpoint")
@HALF
@given(program=noted_programs())
def test_checkpoint_keeps_nothing_of_what_is_computed_inside(kata, device, program):
    """After the forward, only what was returned is left of what was computed inside, and no copy of it.

    What was returned is gone once the caller drops it. function runs at most once more, in the backward, and the
    gradients come from that run. Then nothing of it is left, not even its result.
    """
    # Random numbers and autocast are those of the CPU in this kata, so what they make is asked for there alone.
    run(kata, "checkpoint", program, "cpu" if has("dropout", "rand_like", "autocast")(program) else device, torchs=True)


@grades("checkpoint")
@FEW
@given(program=random_programs())
def test_checkpoint_draws_the_same_numbers_again(kata, program):
    """The second run draws the numbers of the first run, and later draws are as they would be without a checkpoint."""
    run(kata, "checkpoint", program, "cpu")


@grades("checkpoint")
@FEW
@given(program=cast_programs())
def test_checkpoint_recomputes_under_the_autocast_of_the_forward(kata, program):
    """The second run uses the autocast of the forward pass, whatever autocast is active around backward()."""
    run(kata, "checkpoint", program, "cpu")


@grades("checkpoint")
@FEW
@given(program=quiet_programs())
def test_checkpoint_just_calls_where_no_gradients_are_asked_for(kata, program):
    """Under torch.no_grad() function runs once, and its results require no grad."""
    run(kata, "checkpoint", program, "cpu")


@grades("checkpoint")
@FEW
@given(program=failing_programs())
def test_checkpoint_lets_errors_of_the_second_run_through(kata, program):
    """backward() raises the error of the second run itself, and there is no third run.

    The generator is then as it was before the backward.
    """
    run(kata, "checkpoint", program, "cpu", torchs=True)


@grades("checkpoint_sequential")
@HALF
@given(program=sequences())
def test_checkpoint_sequential_changes_no_result_and_no_gradient(kata, program):
    """Results, gradients and later random numbers are those of the plain chain, also under torch.no_grad()."""
    run(kata, "checkpoint_sequential", program, "cpu")


@grades("checkpoint_sequential")
@HALF
@given(case=counted_runs())
def test_checkpoint_sequential_keeps_what_goes_into_a_run(kata, device, case):
    """The lengths of the runs differ by at most one, no layer runs more than twice, and only inputs of runs are kept.

    The last run may be left without a checkpoint, but no other run, however short.
    """
    seen = kata.run(scenarios.program, "checkpoint_sequential", case.lines, WATCHED, device)
    values: dict[str, Any] = seen if type(seen) is dict else dict.fromkeys(WATCHED)
    ends = [case.n * (place + 1) // case.k - 1 for place in range(case.k)]
    longest = -(-case.n // case.k)
    if not _is_cut(values["kept"], case):
        raise Mismatch(values["kept"], shown(ends), "for example", of="kept")
    last = range(values["kept"][case.k - 2] + 1 if case.k > 1 else 0, case.n)
    if values["inside"] not in ([], [*last]):
        raise Mismatch(values["inside"], "[]", "for example", of="inside")
    if type(values["most"]) is not int or values["most"] > case.k + longest:
        raise Mismatch(values["most"], f"{case.k} + {longest}, or less", "should be", of="most")
    order = values["order"]
    if not _is_order(order, case.n):
        raise Mismatch(order, "each layer once, and in the backward once more at most", "should be", of="order")


def _is_cut(kept, case):
    """Return whether these are the ends of all runs, or the whole of the last run if that was left plain."""
    if type(kept) is not list or not all(type(place) is int for place in kept):
        return False
    ends = [*kept[: case.k - 1], case.n - 1]
    lengths = [end - start for start, end in zip([-1, *ends], ends, strict=False)]
    rest = kept[case.k - 1 :]
    plain = [*range(case.n - lengths[-1], case.n)]
    return (
        len(ends) == case.k and max(lengths) - min(lengths) <= 1 and min(lengths) > 0 and rest in ([case.n - 1], plain)
    )


def _is_order(order, n):
    """Return whether each layer ran in turn, and then none more than once."""
    if type(order) is not list or order[:n] != [*range(n)]:
        return False
    return len({*order[n:]}) == len(order[n:])


@grades("checkpoint_sequential")
@FEW
@given(case=no_runs())
def test_checkpoint_sequential_refuses_what_cannot_be_cut(kata, case):
    """segments below 1, or above the number of layers, raises a ValueError, also under torch.no_grad()."""
    call = f"y = checkpoint_sequential([torch.sin] * {case[0]}, {case[1]}, x)"
    lines = ["x = torch.ones(1, dtype=torch.float64, requires_grad=True)"]
    lines += ["with torch.no_grad():", f"    {call}"] if case[2] else [call]
    because = f"{case[0]} layers in {case[1]} runs"
    expect_error(ValueError, kata.run, scenarios.program, "checkpoint_sequential", lines, [], "cpu", because=because)
