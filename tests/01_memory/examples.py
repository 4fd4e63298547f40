"""Kata 01 by the worked examples of its stub and its lesson."""

from typing import Any

from dojo.judging.expect import expect_error

from .scenarios import memory_usage, model_memory, storage_usage


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.run(memory_usage, "torch.empty(2, 3)", "cpu") == 24
    assert kata.run(memory_usage, "torch.empty(2, 3, dtype=torch.bfloat16)", "cpu") == 12
    assert kata.run(memory_usage, "torch.empty(100, 3)[:2]", "cpu") == 24
    assert kata.run(memory_usage, "torch.empty(1, 3).expand(1000, 3)", "cpu") == 12000
    # one matrix of GPT-3's feed-forward layer in float32
    assert kata.run(memory_usage, "torch.empty(12288 * 4, 12288)", "meta") == 2304 * 1024**2
    x = ["x = torch.empty(100, 3)"]
    assert kata.run(storage_usage, x, "x[:2]", "cpu") == 1200
    assert kata.run(storage_usage, x, "x, x.t(), x", "cpu") == 1200
    assert kata.run(storage_usage, x, "x, x.clone()", "cpu") == 2400
    assert kata.run(storage_usage, x, "", "cpu") == 0
    assert kata.run(model_memory, ["model = nn.Linear(2, 3)"], "cpu") == 36
    assert kata.run(model_memory, ["model = nn.BatchNorm1d(3)"], "cpu") == 56
    assert kata.packed_bytes(3, 4) == 2
    assert kata.packed_bytes(4, 6) == 3
    assert kata.packed_bytes(9, 1) == 2
    expect_error(ValueError, kata.packed_bytes, -1, 4, because="there are no -1 values")
    expect_error(ValueError, kata.packed_bytes, 1, 0, because="there are no values of 0 bits")
    assert kata.cuda_allocation(0) == 0
    assert kata.cuda_allocation(1) == 512
    assert kata.cuda_allocation(513) == 1024
    expect_error(ValueError, kata.cuda_allocation, -1, because="there are no -1 bytes")
