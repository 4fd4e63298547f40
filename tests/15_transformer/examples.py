"""Kata 15 by the worked examples of its stub and its lesson."""

from typing import Any

from dojo.judging.expect import expect_error

from .strategies_configs import REAL, config

SMALL = config(10, 1, 8, 2, 2, 4, 32, False, False, 0, True)


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.block_parameters(SMALL) == 784
    assert kata.block_parameters(SMALL | {"bias": True}) == 872
    assert kata.parameters(SMALL) == 872
    assert kata.parameters(SMALL | {"tied": False}) == 952
    # 2 · 4 · 768 + 4 · 4 · 4 · 8 + 2 · 4 · 80
    assert kata.forward_flops(SMALL, 1, 4) == 7296
    assert kata.forward_flops(SMALL, 1, 1, 3) == 1824
    expect_error(ValueError, kata.forward_flops, SMALL | {"positions": 3}, 1, 1, 3, because="the example says so")
    assert kata.crossover_tokens(SMALL) == 33
    # 2 · 32 · 32 · 128 · 4096 · 2
    assert kata.kv_cache_bytes(REAL["Llama-2 7B"], 1, 4096) == 2 * 1024**3
    # 848 numbers in matrices and 64 in the cache, 2 bytes each
    assert abs(kata.intensity(SMALL, 1, 4) - 7296 / 1824) < 1e-9
    assert abs(kata.intensity(SMALL, 1, 1, 3) - 1.0) < 1e-9
    # 16 · 872, and for each of 4 tokens 16 + 16 + 16 + 8 + 32, and 8
    assert kata.training_bytes(SMALL, 1, 4) == 16 * 872 + 2 * 4 * (88 + 8)
    assert kata.moe_parameters(REAL["Mixtral"], 8, 2) == (46_702_792_704, 12_879_925_248)
    expect_error(ValueError, kata.moe_parameters, SMALL, 2, 3, because="the example says so")
    count, tokens = kata.compute_optimal(12000.0, 5.0)
    assert abs(count - 20) < 1e-9
    assert abs(tokens - 100) < 1e-9
    expect_error(ValueError, kata.compute_optimal, 0.0, because="the example says so")
