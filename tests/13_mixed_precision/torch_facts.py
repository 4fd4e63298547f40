"""What the properties of kata 13 take for granted of torch: a new torch breaks a test, and no verdict."""

import math

import pytest
import torch
from torch.amp.grad_scaler import GradScaler

from . import truth
from .strategies_recipes import ASKED


def test_casts_round_to_nearest_and_ties_to_even():
    """Half of the smallest number becomes 0, numbers below 65520 become 65504, and float32's largest becomes inf."""
    half = torch.tensor([2.0**-25, 2.0**-25 * (1 + 2**-7), 65519.99609375, 65520.0]).half()
    assert half.tolist() == [0.0, 2.0**-24, 65504.0, math.inf]
    beyond = (2 - 2**-8) * 2.0**127
    narrow = torch.tensor([2.0**-134, 2.0**-134 * (1 + 2**-7), beyond * (1 - 2**-12), beyond]).bfloat16()
    assert narrow.tolist() == [0.0, 2.0**-133, torch.finfo(torch.bfloat16).max, math.inf]


def test_autocast_on_the_cpu_has_the_lists_of_the_stub():
    """Products run in lower, losses and prod in float32 or wider, all others in the dtype of their operands."""
    for op, dtypes, named in ASKED:
        got = truth.autocast_dtype(op, *dtypes, **named)
        if op in ("matmul", "linear"):
            right = torch.float64 if torch.float64 in dtypes else named.get("lower", torch.bfloat16)
        elif op in ("mse_loss", "cross_entropy", "prod"):
            right = torch.float64 if torch.float64 in dtypes else torch.float32
        else:
            right = torch.promote_types(dtypes[0], dtypes[-1])
        assert got is right, (op, dtypes, named)


def test_torch_refuses_a_product_of_float64_and_another_dtype():
    """Autocast casts the other operand, but not float64."""
    for op in ("matmul", "linear"):
        for dtypes in ((torch.float64, torch.float32), (torch.bfloat16, torch.float64)):
            with pytest.raises(RuntimeError):
                truth.autocast_dtype(op, *dtypes)


def test_torch_trips_over_cat_with_the_other_narrow_dtype():
    """That is why it is not tested."""
    with pytest.raises(RuntimeError, match="ScalarType"):
        truth.autocast_dtype("cat", torch.float16, torch.float32)


def scaled(scale, gradient, **settings):
    """A scaler, an optimizer and its parameter, after a backward pass."""
    p = torch.zeros(1, requires_grad=True)
    optimizer, scaler = torch.optim.SGD([p], lr=1.0), GradScaler("cpu", init_scale=scale, **settings)
    scaler.scale((p * gradient).sum()).backward()
    return scaler, optimizer, p


def test_torchs_scaler_never_grows_beyond_float32():
    """The scale stays, and the count starts again."""
    scaler, optimizer, _ = scaled(2.0**127, 0.25, growth_interval=1)
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == 2.0**127
    assert scaler.state_dict()["_growth_tracker"] == 0


def test_what_unscale_has_found_counts():
    """It counts even if the gradients are finite at the time of the step."""
    scaler, optimizer, p = scaled(4.0, math.inf)
    scaler.unscale_(optimizer)
    p.grad.nan_to_num_(1.0, 1.0, 1.0)
    scaler.step(optimizer)
    scaler.update()
    assert (p.item(), scaler.get_scale()) == (0.0, 2.0)


@pytest.mark.parametrize("calls", ["unscale_ unscale_", "step unscale_", "step step"])
def test_torchs_scaler_refuses_to_do_it_twice(calls):
    """torch raises a RuntimeError."""
    scaler, optimizer, _ = scaled(4.0, 1.0)
    first, second = calls.split()
    getattr(scaler, first)(optimizer)
    with pytest.raises(RuntimeError):
        getattr(scaler, second)(optimizer)


def test_torchs_scaler_checks_but_two_of_its_settings():
    """torch checks them with assertions, so the stub says what is refused, and how."""
    with pytest.raises(AssertionError):
        GradScaler("cpu", growth_factor=1.0)
    with pytest.raises(AssertionError):
        GradScaler("cpu", backoff_factor=1.0)
    GradScaler("cpu", growth_interval=0, init_scale=0.0)


def test_a_scaler_that_is_disabled_scales_nothing_and_steps():
    """Its scale is 1.0, and it steps even with nan."""
    scaler, optimizer, p = scaled(4.0, math.nan, enabled=False)
    scaler.step(optimizer)
    scaler.update()
    assert math.isnan(p.item())
    assert (scaler.get_scale(), scaler.state_dict()) == (1.0, {})


def test_the_neighbours_of_a_number_are_those_of_bfloat16():
    """nextafter, which does not use bits, gives the same neighbors."""
    x = torch.tensor([1 + 2**-9, -(1 + 2**-9), 2 - 2**-10, 3 * 2.0**-135, 1.5, -0.0, math.inf])
    near, away = truth.neighbours(x)
    assert near.tolist() == [1.0, -1.0, 2 - 2**-7, 0.0, 1.5, 0.0, math.inf]
    beyond = torch.nextafter(near.bfloat16(), torch.full_like(near.bfloat16(), math.inf).copysign(x.bfloat16()))
    assert away.tolist() == torch.where(near == x, x, beyond.float()).tolist()
    assert truth.chances(x).tolist() == [0.25, 0.25, 0.875, 0.75, 0.0, 0.0, 0.0]


def test_backward_inside_autocast_gives_the_same_gradients():
    """That is why it is left open where backward runs."""
    found = []
    for inside in (True, False):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2))
        with torch.autocast("cpu", dtype=torch.float16):
            loss = model(torch.randn(4, 3)).square().mean()
            if inside:
                loss.backward()
        if not inside:
            loss.backward()
        found.append([p.grad for p in model.parameters()])
    assert all(map(torch.equal, *found))
