"""What the properties of kata 04 take for granted of torch: a new torch breaks a test, and no verdict."""

import pytest

from . import truth


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
