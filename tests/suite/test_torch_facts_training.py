"""What the properties of 04 to 06 take for granted of torch: a new torch breaks a test, and no verdict."""

import io

import pytest
import torch
from torch import nn

from tests import truth_training as truth


@pytest.mark.parametrize("place", ["cpu", "meta"])
@pytest.mark.parametrize("sizes", [(2, 3, 4), (1, 1, 1), (2, 3, 1), (0, 3, 4), (2, 0, 4), (2, 3, 0)], ids=str)
def test_the_counter_counts_a_product_for_each_gradient_that_is_needed(place, sizes):
    """2 FLOPs for each multiply-add, on the CPU and on meta, empty products included."""
    batch, d_in, d_out = sizes
    product = 2 * batch * d_in * d_out
    for input_needs_grad in (False, True):
        for frozen in ((), (0,)):
            counted = truth.backward_flops(place, batch, (d_in, d_out), input_needs_grad, frozen)
            assert counted == product * (input_needs_grad + (not frozen))


def test_what_nothing_upstream_needs_is_not_counted():
    """Three layers (2, 3, 4, 5) on 1 row cost 12, 24 and 40 for each gradient."""
    assert truth.backward_flops("cpu", 1, (2, 3, 4, 5), False) == 2 * (12 + 24 + 40) - 12
    assert truth.backward_flops("cpu", 1, (2, 3, 4, 5), True) == 2 * (12 + 24 + 40)
    assert truth.backward_flops("cpu", 1, (2, 3, 4, 5), False, (0,)) == 24 + 40 + 40
    assert truth.backward_flops("cpu", 1, (2, 3, 4, 5), False, (0, 1)) == 40
    assert truth.backward_flops("cpu", 1, (2, 3, 4, 5), False, (2,)) == 12 + 24 + 24 + 40
    assert truth.backward_flops("cpu", 1, (2, 3, 4, 5), False, (0, 1, 2)) == 0
    assert truth.step_flops("cpu", 1, (2, 3, 4, 5)) == 3 * (12 + 24 + 40) - 12


def test_gradients_of_a_product_agree_with_small_differences():
    """The sum of a @ b times grad_out grows by the gradient when one element of a or of b grows by 1: it is linear."""
    lines = ["a = torch.arange(6.0).reshape(1, 2, 3)", "b = torch.arange(24.0).reshape(2, 3, 4) % 5"]
    lines += ["grad_out = torch.arange(16.0).reshape(2, 2, 4) % 3"]
    gradients = truth.matmul_gradients(lines, "cpu")
    a, b, grad_out = truth.matmul_operands(lines, "cpu")
    for operand, gradient in zip((a, b), gradients, strict=True):
        for place in range(operand.numel()):
            before = ((a @ b) * grad_out).sum()
            operand.view(-1)[place] += 1
            assert ((a @ b) * grad_out).sum() - before == gradient.reshape(-1)[place]
            operand.view(-1)[place] -= 1


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
    assert truth.program(lines, ["p"], "cpu")["p"].item() == pytest.approx(second, rel=1e-14)


def test_adagrad_of_torch_refuses_each_negative_setting():
    """In its constructor."""
    for name in ("lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps"):
        with pytest.raises(ValueError, match="Invalid"):
            torch.optim.Adagrad([torch.ones(1)], **{name: -1e-10})
    with pytest.raises(ValueError, match="Invalid"):
        torch.optim.SGD([torch.ones(1)], lr=-1e-10)


def test_torchs_steps_are_those_of_each_parameter():
    """One without a gradient takes none: its rate has not decayed when it gets one."""
    lines = ["a, b = (torch.ones(1, dtype=torch.float64, requires_grad=True) for _ in range(2))"]
    lines += ["optimizer = AdaGrad([a, b], lr=0.5, lr_decay=1.0)", "a.grad = torch.ones_like(a)", "optimizer.step()"]
    lines += ["b.grad = torch.ones_like(b)", "optimizer.step()"]
    assert truth.program(lines, ["b"], "cpu")["b"].item() == pytest.approx(0.5, abs=1e-9)


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


def test_torch_loads_a_flipped_bit_without_a_word():
    """That is why a checkpoint needs a digest of its own."""
    file = io.BytesIO()
    torch.save(torch.zeros(100), file)
    data = bytearray(file.getvalue())
    data[data.index(bytes(400)) + 200] ^= 1
    assert torch.load(io.BytesIO(bytes(data)), weights_only=True).count_nonzero() == 1


def test_a_model_that_does_not_fit_is_loaded_in_part():
    """load_state_dict copies what fits before it raises: who only catches the error has half of another model."""
    model = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    state = {name: torch.full_like(value, 7.0) for name, value in model.state_dict().items()}
    state["1.bias"] = torch.zeros(5)
    with pytest.raises(RuntimeError, match="size mismatch"):
        model.load_state_dict(state)
    assert model[0].weight.item() == 7.0
