"""Kata 04 by the worked examples of its stub and its lesson."""

from typing import Any

import torch

from dojo.judging.expect import expect_error


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.linear_backward_flops(2, 3, 4) == 2 * 48
    assert kata.linear_backward_flops(2, 3, 4, input_needs_grad=False) == 48
    assert kata.linear_backward_flops(2, 3, 4, input_needs_grad=False, weight_needs_grad=False) == 0
    # the first layer's product costs 2 · 32 · 784 · 128, the second's 2 · 32 · 128 · 10
    first, second = 6_422_528, 81_920
    assert kata.mlp_backward_flops(32, (784, 128, 10)) == first + 2 * second
    assert kata.mlp_backward_flops(32, (784, 128, 10), frozen=(0,)) == second
    assert kata.mlp_backward_flops(32, (784, 128, 10), frozen=(0, 1)) == 0
    assert kata.mlp_backward_flops(2, (3, 4, 5), frozen=(1,)) == 128
    assert kata.mlp_backward_flops(32, (784,)) == 0
    expect_error(ValueError, kata.mlp_backward_flops, 32, (784, 128, 10), False, (-1,), because="the example says so")
    a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    b = torch.ones(3, 4)
    grad_out = torch.ones(2, 4)
    grad_a, grad_b = kata.matmul_backward(a, b, grad_out)
    assert grad_a.equal(torch.full((2, 3), 4.0))
    # 1 + 4, 2 + 5 and 3 + 6 in each column
    assert grad_b.equal(torch.tensor([[5.0] * 4, [7.0] * 4, [9.0] * 4]))
    grad_a, grad_b = kata.matmul_backward(a.expand(8, 2, 3), b, grad_out.expand(8, 2, 4))
    assert grad_a.equal(torch.full((8, 2, 3), 4.0))
    assert grad_b.equal(8 * torch.tensor([[5.0] * 4, [7.0] * 4, [9.0] * 4]))
    assert kata.train_step_flops(32, (784, 128, 10)) == 2 * first + 3 * second
    assert kata.training_flops(70 * 10**9, 15 * 10**12) == 63 * 10**23
    assert abs(kata.training_days(70e9, 15e12, 1024, 989.5e12) - 143.927) < 0.001
    # 8 GPUs for two weeks of 7 days each
    done = 8 * 989.5e12 * 0.5 * 14 * 24 * 60 * 60
    assert abs(kata.training_days(done / 6e12, 1e12, 8, 989.5e12) - 14) < 1e-9
    expect_error(ValueError, kata.training_days, 70e9, 15e12, 0, 989.5e12, because="the example says so")
    assert kata.largest_model(8, 80 * 10**9) == 40 * 10**9
    expect_error(ValueError, kata.largest_model, 8, 80 * 10**9, 0, because="the example says so")
