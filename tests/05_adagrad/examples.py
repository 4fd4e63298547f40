"""Kata 05 by the worked examples of its stub and its lesson."""

from typing import Any

import torch

from dojo.judging.expect import expect_error

from . import scenarios


def walk(kata: Any, optimizer: str, made: str, gradients: tuple[float, ...]) -> float:
    """Where a single number, 1.0, is after these gradients."""
    lines = ["p = torch.tensor(1.0, requires_grad=True)", f"optimizer = {optimizer}([p], {made})"]
    for gradient in gradients:
        lines += [f"p.grad = torch.tensor({gradient})", "optimizer.step()"]
    p = kata.run(scenarios.program, optimizer, lines, ["p"], "cpu")["p"]
    assert isinstance(p, torch.Tensor)
    return p.item()


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert abs(walk(kata, "SGD", "lr=0.5", (3.0, 4.0)) - (1 - 0.5 * 7)) < 1e-6
    assert abs(walk(kata, "AdaGrad", "lr=0.5", (3.0,)) - 0.5) < 1e-6
    assert abs(walk(kata, "AdaGrad", "lr=0.5", (3.0, 4.0)) - 0.1) < 1e-6
    assert abs(walk(kata, "AdaGrad", "lr=0.5", (3000.0, 4000.0)) - 0.1) < 1e-6
    # sum 16 + 9, root 5, and eps 1 beside it
    assert abs(walk(kata, "AdaGrad", "lr=0.5, initial_accumulator_value=16.0, eps=1.0", (3.0,)) - 0.75) < 1e-6
    # the gradient 2 becomes 2 + 1 · 1, and the step is 0.5 whatever it is
    assert abs(walk(kata, "AdaGrad", "lr=0.5, weight_decay=1.0", (2.0,)) - 0.5) < 1e-6
    # the second rate is 0.5 / (1 + 1 · 1)
    assert abs(walk(kata, "AdaGrad", "lr=0.5, lr_decay=1.0", (3.0, 4.0)) - (0.5 - 0.25 * 4 / 5)) < 1e-6
    for name in ("SGD", "AdaGrad"):
        lines = [f"{name}([torch.ones(2)], lr=-0.5)"]
        expect_error(ValueError, kata.run, scenarios.program, name, lines, [], "cpu", because="the example says so")
    # 4 · (36 parameters · 3 + 64 activations)
    assert kata.training_memory(4, 2, 8) == 688
    assert kata.training_memory(8, 3, 64) == 8544
    assert kata.training_memory(8, 3, 64, states_per_param=2) == 9344
