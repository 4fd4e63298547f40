"""What the properties of kata 05 take for granted of torch: a new torch breaks a test, and no verdict."""

from typing import Any

import pytest
import torch

from . import truth


def watched(lines, name):
    """The tensor of that name after these lines."""
    found = truth.program(lines, [name], "cpu")[name]
    assert isinstance(found, torch.Tensor)
    return found


def test_adagrad_of_torch_is_the_one_of_the_lesson():
    """Weight decay in the gradient, eps outside the root, the rate decayed by the steps before."""
    lines = ["p = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)"]
    lines += ["optimizer = AdaGrad([p], 0.5, 1.0, 0.5, 2.0, 0.25)"]  # lr, lr_decay, weight_decay, initial value, eps
    lines += ["p.grad = torch.tensor(0.5, dtype=torch.float64)", "optimizer.step()", "optimizer.step()"]
    first_grad = 0.5 + 0.5 * 1.0
    first = 1.0 - 0.5 * first_grad / ((2.0 + first_grad**2) ** 0.5 + 0.25)
    second_grad = 0.5 + 0.5 * first
    total = 2.0 + first_grad**2 + second_grad**2
    second = first - 0.5 / 2 * second_grad / (total**0.5 + 0.25)
    assert watched(lines, "p").item() == pytest.approx(second, rel=1e-14)


def test_adagrad_of_torch_refuses_each_negative_setting():
    """In its constructor."""
    for name in ("lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps"):
        setting: dict[str, Any] = {name: -1e-10}
        with pytest.raises(ValueError, match="Invalid"):
            torch.optim.Adagrad([torch.ones(1)], **setting)
    with pytest.raises(ValueError, match="Invalid"):
        torch.optim.SGD([torch.ones(1)], lr=-1e-10)


def test_torchs_steps_are_those_of_each_parameter():
    """One without a gradient takes none: its rate has not decayed when it gets one."""
    lines = ["a, b = (torch.ones(1, dtype=torch.float64, requires_grad=True) for _ in range(2))"]
    lines += ["optimizer = AdaGrad([a, b], lr=0.5, lr_decay=1.0)", "a.grad = torch.ones_like(a)", "optimizer.step()"]
    lines += ["b.grad = torch.ones_like(b)", "optimizer.step()"]
    assert watched(lines, "b").item() == pytest.approx(0.5, abs=1e-9)


def test_a_step_uses_the_gradient_of_a_frozen_parameter_as_well():
    """Freezing stops new gradients, not the use of one that is there."""
    p = torch.ones(1, requires_grad=True)
    p.grad = torch.ones(1)
    p.requires_grad_(False)
    torch.optim.SGD([p], lr=0.5).step()
    assert p.item() == 0.5


def test_training_bytes_by_hand():
    """One layer (1, 1) and one (1, 1): 2 parameters, 2 gradients, 2 states and 1 activation, of 4 bytes each."""
    kinds = ("parameters", "gradients", "optimizer states", "activations")
    for device in ("cpu", "meta"):
        assert truth.training_bytes(device, 1, 1, 1) == dict(zip(kinds, (8, 8, 8, 4), strict=True))
        assert truth.training_bytes(device, 3, 0, 5, 2, 0) == dict(zip(kinds, (6, 6, 0, 0), strict=True))
        assert truth.training_bytes(device, 1, 1, 5, 8, 3) == dict(zip(kinds, (16, 16, 48, 40), strict=True))


def test_bfloat16_holds_no_257():
    """A count that is loaded as bfloat16 goes no further; torch's own is left as it is."""
    count = torch.tensor(256.0, dtype=torch.bfloat16)
    assert (count + 1).item() == 256
    a = torch.zeros(1, dtype=torch.bfloat16, requires_grad=True)
    a.grad = torch.zeros_like(a)
    optimizer, fresh = torch.optim.Adagrad([a]), torch.optim.Adagrad([a])
    optimizer.step()
    fresh.load_state_dict(optimizer.state_dict())
    assert fresh.state[a]["step"].dtype == torch.float32
