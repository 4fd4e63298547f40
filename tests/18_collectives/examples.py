"""Kata 18 by the worked examples of its stub and its lesson."""

from typing import Any

import torch

from dojo.judging.expect import expect, expect_error

from . import scenarios


def _asked(kata: Any, function: str, wanted: list[list[int]], *rows: list[int]) -> None:
    seen = kata.run(scenarios.collective, function, [torch.tensor(row) for row in rows], None)
    expect(seen["ranks.results"], [torch.tensor(row) for row in wanted])


GRADS = [
    "model = nn.Linear(1, 1, bias=False, dtype=torch.float64)",
    "model.weight.grad = torch.tensor([[[2.0], [6.0], [math.nan]][rank]], dtype=torch.float64)",
]


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.ring_seconds(12.0, 4, 3.0) == 6.0
    assert kata.ring_seconds(12.0, 4, 3.0, 0.5) == 9.0
    assert kata.ring_seconds(12.0, 1, 3.0) == 0.0
    # 2 · 7/8 · 14e9 / 450e9
    assert abs(kata.ring_seconds(14e9, 8, 450e9) - 0.0544) < 1e-4
    assert abs(kata.ring_seconds(0.0, 1024, 450e9, 1e-5) - 0.02046) < 1e-9
    expect_error(ValueError, kata.ring_seconds, 12.0, 0, 3.0, because="the example says so")
    expect_error(ValueError, kata.ring_seconds, 12.0, 4, 0.0, because="the example says so")
    assert kata.stuck_ranks([[("send", 1)], [("recv", 0)]]) == []
    assert kata.stuck_ranks([[("send", 1), ("recv", 1)], [("send", 0), ("recv", 0)]]) == [0, 1]
    assert kata.stuck_ranks([[("send", 1)], [("recv", 0), ("recv", 0)], []]) == [1]
    _asked(kata, "broadcast", [[1, 2]] * 3, [1, 2], [0, 0], [0, 0])
    _asked(kata, "reduce_scatter", [[11, 22], [33]], [1, 2, 3], [10, 20, 30])
    _asked(kata, "all_gather", [[1, 2, 30]] * 2, [1, 2], [30])
    _asked(kata, "all_reduce", [[11, 22, 33]] * 2, [1, 2, 3], [10, 20, 30])
    assert kata.gradient_buckets([4, 8, 8, 4], 12) == [[3, 2], [1, 0]]
    assert kata.gradient_buckets([4, 4, 20], 12) == [[2], [1, 0]]
    assert kata.gradient_buckets([], 12) == []
    lines = ["torch.manual_seed(rank)", "model = nn.Linear(1, 1)"]
    weights = [tensors["weight"] for tensors in kata.run(scenarios.start, 2, lines)["the tensors of models"]]
    expect(weights, [weights[0]] * 2)
    grads = kata.run(scenarios.average, [1, 3, 0], GRADS)["gradients"]
    expect([grad["weight"] for grad in grads], [torch.tensor([[5.0]], dtype=torch.float64)] * 3)
