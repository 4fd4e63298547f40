"""The properties of kata 20 about steps: with a momentum in 8 bits, inside backward, with row and column sums."""

import torch

from dojo.judging.examples import given, one_in
from dojo.judging.expect import Mismatch, expect_each, grades
from dojo.seam.data import shown

from . import scenarios, truth
from .properties_graphs import LITTLE, within
from .strategies_attached import attached_programs, chains
from .strategies_factored import any_programs, kept_sums, rank_one_programs
from .strategies_momentum import kept_momentum, momentum_programs

# Each example takes steps of two optimizers.
HALF, THIRD = one_in(2), one_in(3)

# Each example takes steps of parameters with many elements, and there are few kinds of examples.
TENTH = one_in(10)

FLOAT32 = 1e-5
"""What a handful of roundings in float32 may add up to, as a share of the largest number or of 1."""

# The same for float64, and for sums in another order.
FLOAT64 = 1e-10

PYTHON = 24_000
"""Bytes more that Python's objects may take: a state in 16 bits takes 30,000 more than one in 8."""

AT_A_TIME = 4
"""Gradients' worth of bytes in a backward pass: the one that arrives, a copy of it, and what flows on; never all."""


def kept(kata, function, case, device):
    """Fail if more is in memory after the steps than is allowed."""
    over = f"max(kept + alive.python - {case.most + PYTHON}, 0)"
    seen = kata.run(scenarios.measured, function, case.lines, ["kept", over], device)
    within(seen, "kept", 0, case.most)
    within(seen, over, 0, 0)


@grades("SGD8bit")
@given(program=momentum_programs())
def test_sgd8bit_stays_near_sgd(kata, device, program):
    """Parameters differ from SGD's only by the rounding of the kept momentum; all else stays as it is."""
    lines, watched = program
    names = [name for name in watched if len(name) == 1]
    right = truth.program("SGD8bit", lines, [*watched, "optimizer.rooms"], device, truth.Momentum)
    seen = kata.run(scenarios.program, "SGD8bit", lines, watched, device)
    for name, room in zip(names, right["optimizer.rooms"], strict=True):
        got, want = seen.get(name) if type(seen) is dict else seen, right[name]
        same_kind = type(got) is torch.Tensor and (got.dtype, got.shape) == (want.dtype, want.shape)
        if not same_kind or not ((got - want).abs().double() <= room + FLOAT32 * want.abs().clamp(min=1)).all():
            raise Mismatch(got, shown(want), "SGD gives", of=name)
        expect_each(seen, {f"alias_{name}": got}, "should be")
    expect_each(seen, {name: right[name] for name in watched if "." in name}, "should still be")


@grades("SGD8bit")
@TENTH
@given(case=kept_momentum())
def test_sgd8bit_keeps_a_byte_an_element(kata, device, case):
    """Between steps, all that is kept is a byte per element, 4 per block and 8 per parameter, wherever it is."""
    kept(kata, "SGD8bit", case, device)


@grades("attach_sgd")
@HALF
@given(program=attached_programs())
def test_attach_sgd_steps_where_backward_is_called(kata, device, program):
    """Until remove(), backward() makes each parameter with a gradient take one step in place, and .grad is None."""
    lines, watched = program
    right = truth.attached(lines, watched, device)
    expect_each(kata.run(scenarios.program, "attach_sgd", lines, watched, device), right, rel=FLOAT64)


@grades("attach_sgd")
@TENTH
@given(case=chains())
def test_attach_sgd_has_one_gradient_at_a_time(kata, device, case):
    """When a gradient arrives, those of other parameters are gone: no .grad holds one, and no copy is left."""
    watched = ["sum(others)", "max(in_memory)", "sum(w.grad is not None for w in weights)", "behind"]
    seen = kata.run(scenarios.measured, "attach_sgd", case.lines, watched, device)
    within(seen, watched[0], 0, 0)
    within(seen, watched[1], 0, AT_A_TIME * case.nbytes)
    within(seen, watched[2], 0, 0)
    within(seen, "behind", 0, LITTLE)


@grades("FactoredAdaGrad")
@HALF
@given(program=rank_one_programs())
def test_factored_adagrad_is_adagrad_where_squares_are_an_outer_product(kata, device, program):
    """If the summed squares are an outer product, steps are AdaGrad's.

    Parameters with no dimension or one keep a sum per element.
    """
    lines, watched = program
    right = truth.program("FactoredAdaGrad", lines, watched, device, truth.adagrad)
    expect_each(kata.run(scenarios.program, "FactoredAdaGrad", lines, watched, device), right, rel=FLOAT64)


@grades("FactoredAdaGrad")
@THIRD
@given(case=any_programs())
def test_factored_adagrad_divides_by_what_has_the_sums_of_the_squares(kata, device, case):
    """The rows and columns of S have the same sums as the squared gradients so far."""
    seen = kata.run(scenarios.program, "FactoredAdaGrad", case.lines, ["values", "gradients"], device)
    if type(seen) is not dict or not _is_list(seen["values"]) or not _is_list(seen["gradients"]):
        raise Mismatch(seen, "tensors", "should be")
    values, gradients = seen["values"], seen["gradients"]
    squares = torch.zeros_like(gradients[0])
    for before, after, gradient in zip(values, values[1:], gradients, strict=False):
        squares += gradient.square()
        divided_by = (case.lr * gradient / (before - after) - case.eps).square()
        for dim, name in ((-1, "rows"), (-2, "columns")):
            got, want = divided_by.sum(dim), squares.sum(dim)
            if not got.isclose(want, rtol=1e-6, atol=0).all():
                raise Mismatch(got, shown(want), "should be", of=f"the sums of {name} of what it divided by, squared")


def _is_list(value):
    return type(value) is list and all(type(item) is torch.Tensor and item.dtype == torch.float64 for item in value)


@grades("FactoredAdaGrad")
@TENTH
@given(case=kept_sums())
def test_factored_adagrad_keeps_rows_and_columns(kata, device, case):
    """Between steps, all that is kept is a number per row and per column, and 8 bytes per parameter, wherever it is."""
    kept(kata, "FactoredAdaGrad", case, device)
