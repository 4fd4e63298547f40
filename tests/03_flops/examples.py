"""Kata 03 by the worked examples of its stub and its lesson."""

from typing import Any

from dojo.judging.expect import expect_error


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.matmul_flops((2, 3), (3, 4)) == 48
    assert kata.matmul_flops((8, 2, 3), (3, 4)) == 8 * 48
    assert kata.matmul_flops((8, 1, 2, 3), (5, 3, 4)) == 8 * 5 * 48
    assert kata.matmul_flops((3,), (3, 4)) == 24
    assert kata.matmul_flops((2, 3), (3,)) == 12
    expect_error(ValueError, kata.matmul_flops, (2, 3), (4, 5), because="the example says so")
    assert kata.linear_flops((3,), 4) == 24
    assert kata.linear_flops((5, 2, 3), 4) == 240
    assert kata.elementwise_flops((2, 3), (2, 3)) == 6
    assert kata.elementwise_flops((2, 1), (3,)) == 6
    assert kata.elementwise_flops((4, 1, 5), (), (3, 1)) == 60
    assert kata.elementwise_flops((2, 1), (0,)) == 0
    expect_error(ValueError, kata.elementwise_flops, (2,), (3,), because="the example says so")
    assert kata.einsum_flops("ij,jk->ik", (2, 3), (3, 4)) == 48
    assert kata.einsum_flops("ij,kj->", (2, 3), (4, 3)) == 48
    expect_error(ValueError, kata.einsum_flops, "ij,jk->ik", (2, 3), (4, 5), because="the example says so")
    assert kata.mlp_flops(32, (784, 128, 10)) == 2 * 32 * (784 * 128 + 128 * 10)
    assert kata.mlp_flops(32, (784,)) == 0
    assert kata.attention_flops(2, 3, 4, 7, 5) == 4 * 2 * 3 * 4 * 7 * 5
    # 2 · 4 · 4 · 4 FLOPs over 4 · 3 · 16 bytes
    assert abs(kata.arithmetic_intensity(4, 4, 4, 4) - 128 / 192) < 1e-9
    assert kata.roofline_seconds(2e12, 1e9, 1e12, 1e12) == 2.0
    assert kata.roofline_seconds(1e9, 3e12, 1e12, 1e12) == 3.0
    expect_error(ValueError, kata.roofline_seconds, 1, 1, 0, 1, because="the example says so")
    assert kata.mfu(5e14, 1.0, 1e15) == 0.5
    expect_error(ValueError, kata.mfu, 1, 0, 1, because="the example says so")
