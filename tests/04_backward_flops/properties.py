"""The properties of kata 04: the backward pass costs what torch counts, and its gradients are autograd's."""

import functools
import itertools

from hypothesis import strategies as st

from dojo.judging.examples import given, one_in
from dojo.judging.expect import expect, expect_each, expect_error, expect_that, grades
from dojo.seam.data import is_number

from ..shared.shapes import beside, factors
from . import pictures, scenarios, truth
from .strategies import (
    cluster,
    layer_sizes,
    layers,
    memories,
    no_bytes,
    no_clusters,
    no_layers,
    partly_frozen,
    products,
    scales,
)

# A handful of multiplications and divisions, each within 2**-53 of its result, in any order.
ROUNDING = 1e-12

# 70e9 parameters on 15e12 tokens, on 1024 GPUs of 989.5e12 FLOP/s at half of that: days, to three decimals.
DAYS = 143.927
DAYS_ROUNDING = 0.0005 / DAYS

# An answer that remembers an earlier call, or changes what it returned, shows at once.
HALF = one_in(2)

SCALED = "scaled up"
"""Who says so, where torch counted at small sizes: each product has two widths, and rows that stay as they are."""


def widened(dims, times):
    """Return the widths, each multiplied by `times`."""
    return tuple(width * times for width in dims)


def told(values, defaults):
    """Return the arguments that have to be passed by position, without the defaults at the end."""
    left = [*values]
    while left and left[-1] == defaults[len(left) - 1]:
        left.pop()
    return left


def expect_gradients(answer, gradients):
    """Fail unless both gradients are autograd's. If one of them is, report only the other."""
    if type(answer) is tuple and len(answer) == 2:
        names = ("grad_a", "grad_b")
        expect_each(dict(zip(names, answer, strict=True)), dict(zip(names, gradients, strict=True)), "autograd says")
    expect(answer, gradients, "autograd says")


@grades("linear_backward_flops")
@given(
    case=layer_sizes(), in_full=st.booleans(), needs=st.permutations(list(itertools.product((True, False), repeat=2)))
)
def test_linear_backward_flops_are_what_torch_counts(kata, device, case, in_full, needs):
    """Each gradient that is needed costs one product as large as the forward pass."""
    for flags in needs:  # in any order: the first wrong one is the last one that is tested
        input_needs_grad, weight_needs_grad = flags
        frozen = () if weight_needs_grad else (0,)
        counted = truth.backward_flops(device, case[0], case[1:], input_needs_grad, frozen)
        answer = kata.linear_backward_flops(*case, *(flags if in_full else told(flags, (True, True))))
        draw = functools.partial(pictures.layer_gradients, kata, answer, device, case, flags)
        expect(answer, counted, "torch counts", draw=draw)


@grades("mlp_backward_flops")
@given(case=partly_frozen(), in_full=st.booleans(), times=factors())
def test_mlp_backward_flops_are_what_torch_counts(kata, device, case, in_full, times):
    """A layer computes the gradient of its weight if that is trained, and of its input if something upstream is."""
    batch, dims, *given_too = case
    counted = truth.backward_flops(device, batch, dims, *given_too)
    answer = kata.mlp_backward_flops(batch, dims, *(given_too if in_full else told(given_too, (False, ()))))
    draw = functools.partial(pictures.gradients, kata, answer, device, batch, dims, *given_too)
    expect(answer, counted, "torch counts", draw=draw)
    expect(kata.mlp_backward_flops(batch, widened(dims, times), *given_too), counted * times**2, SCALED)


@grades("mlp_backward_flops")
@given(case=no_layers())
def test_mlp_backward_flops_refuses_an_index_that_is_no_layer(kata, case):
    """An index in frozen that is negative, or not below the number of layers, raises a ValueError."""
    batch, dims, *given_too, index = case
    count = len(dims) - 1
    because = f"there is no layer {index}: there {'is 1 layer' if count == 1 else f'are {count} layers'}"
    expect_error(ValueError, kata.mlp_backward_flops, batch, dims, *given_too, because=because)


@grades("matmul_backward")
@given(lines=products())
def test_matmul_backward_is_what_autograd_computes(kata, device, lines):
    """Each gradient is a product of grad_out with the other operand, summed over every use of its own operand."""
    expect_gradients(kata.run(scenarios.matmul_backward, lines, device), truth.matmul_gradients(lines, device))


@grades("matmul_backward")
@HALF
@given(lines=products())
def test_matmul_backward_leaves_earlier_results_alone(kata, device, lines):
    """What a call returned stays as it is when an operand changes, and when the function is called again."""
    expect_gradients(kata.run(scenarios.matmul_backward_before, lines, device), truth.matmul_gradients(lines, device))


@grades("matmul_backward")
@given(lines=products())
def test_matmul_backward_leaves_its_arguments_alone(kata, device, lines):
    """a, b and grad_out stay unchanged."""
    before = truth.matmul_operands(lines, device)
    expect(kata.run(scenarios.matmul_backward_arguments, lines, device), before, "they were")


@grades("matmul_backward")
@HALF
@given(lines=products())
def test_matmul_backward_looks_at_what_its_arguments_hold(kata, device, lines):
    """Operands that were multiplied in place since the last call have different gradients."""
    gradients = truth.matmul_gradients([*lines, *scenarios.LATER], device)
    expect_gradients(kata.run(scenarios.matmul_backward_again, lines, device), gradients)


@grades("train_step_flops")
@given(case=layers(), times=factors())
def test_train_step_flops_are_what_torch_counts(kata, device, case, times):
    """The forward and the backward pass of every layer count. The gradient of the data is not computed."""
    batch, dims = case
    answer, counted = kata.train_step_flops(batch, dims), truth.step_flops(device, batch, dims)
    draw = functools.partial(pictures.step, answer, device, batch, dims)
    expect(answer, counted, "torch counts", draw=draw)
    expect(kata.train_step_flops(batch, widened(dims, times)), counted * times**2, SCALED)


@grades("train_step_flops")
@HALF
@given(case=layers())
def test_train_step_flops_go_by_the_rows_of_each_batch(kata, device, case):
    """A batch costs the same, whatever was computed before. A batch without rows costs nothing."""
    expect(kata.run(scenarios.after_no_rows, *case), truth.step_flops(device, *case), "torch counts")


@grades("training_flops")
@given(case=layers(1), times=factors())
def test_training_flops_are_exact_for_layers_whose_input_needs_grad(kata, device, case, times):
    """The result is 6 · num_params · num_tokens.

    It counts the gradient of the input too: for plain data, torch counts that much less. If parameters and tokens both
    grow by the same factor, the cost grows by that factor squared.
    """
    tokens, dims = case
    num_params = truth.num_params(dims)
    rule = kata.training_flops(num_params, tokens)
    draw = functools.partial(pictures.passes, rule, device, tokens, dims)
    counted = truth.step_flops(device, tokens, dims, input_needs_grad=True)
    expect(rule, counted, "torch counts", draw=draw)
    of_data = truth.step_flops(device, tokens, dims)
    expect(rule, of_data + 2 * tokens * dims[0] * dims[1], "torch counts")
    expect(kata.training_flops(num_params * times, tokens * times), counted * times**2, SCALED)


@grades("training_days")
@given(case=layers(1), where=cluster())
def test_training_days_are_enough_for_what_torch_counts(kata, device, case, where):
    """In these days, at that MFU, the GPUs compute the FLOPs of the training and no more."""
    tokens, dims = case
    gpus, peak, *mfu = where
    flops = truth.step_flops(device, tokens, dims, input_needs_grad=True)
    days = kata.training_days(truth.num_params(dims), tokens, gpus, peak, *mfu)
    in_a_day = 24 * 60 * 60 * gpus * peak * (mfu[0] if mfu else 0.5)
    close = is_number(days) and abs(days * in_a_day - flops) <= ROUNDING * flops
    expect_that(close, days, flops / in_a_day, "it takes")


@grades("training_days")
@given(factors=scales())
def test_training_days_scale_from_a_run_that_is_known(kata, factors):
    """Twice the parameters or tokens take twice as long; twice the GPUs, the peak or the MFU take half as long."""
    params, tokens, gpus, peak, mfu = factors
    named = [] if mfu == 1 else [0.5 * mfu]
    days = kata.training_days(70e9 * params, 15e12 * tokens, 1024 * gpus, 989.5e12 * peak, *named)
    expect(days, DAYS * params * tokens / (gpus * peak * mfu), "it takes", rel=DAYS_ROUNDING)


@grades("training_days")
@given(case=no_clusters())
def test_training_days_refuses_what_computes_nothing(kata, case):
    """A num_gpus, peak_flops or mfu of 0 or less raises a ValueError."""
    *numbers, because = case
    expect_error(ValueError, kata.training_days, *numbers, because=because)


@grades("largest_model")
@given(case=beside(memories(), (8, 80 * 10**9)))
def test_largest_model_fits_and_one_more_parameter_does_not(kata, case):
    """The memory of all GPUs counts as one; the result is an exact int."""
    gpus, size, *per_param = case
    answer = kata.largest_model(gpus, size, *per_param)
    each, there = per_param[0] if per_param else 16, gpus * size
    fits = type(answer) is int and answer * each <= there < (answer + 1) * each
    expect_that(fits, answer, there // each, "there fit")


@grades("largest_model")
@given(case=memories(), bad=no_bytes())
def test_largest_model_refuses_parameters_that_need_nothing(kata, case, bad):
    """A bytes_per_param of 0 or less raises a ValueError."""
    expect_error(ValueError, kata.largest_model, *case[:2], bad, because=f"bytes_per_param is {bad}")
