"""Kata 11 by the worked examples of its stub and its lesson."""

from __future__ import annotations

import math
from typing import Any

import torch

from dojo.judging.expect import expect_error

from . import scenarios
from .scenarios import NO_GROUP, decay


def walk(kata: Any, optimizer: str, settings: str, gradients: tuple[float, ...]) -> float:
    """Return where a single number, 1.0, is after these gradients."""
    lines = [
        "p = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)",
        f"optimizer = {optimizer}([p], {settings})",
    ]
    for gradient in gradients:
        lines += [f"p.grad = torch.tensor({gradient}, dtype=torch.float64)", "optimizer.step()"]
    p = kata.run(scenarios.program, optimizer, lines, ["p"], "cpu")["p"]
    assert isinstance(p, torch.Tensor)
    return p.item()


def is_near(x: float, y: float) -> bool:
    """Return whether both are the same except for rounding."""
    return math.isclose(x, y, rel_tol=1e-9)


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    _check_averages(kata)
    _check_optimizers(kata)
    _check_counts(kata)


def _check_averages(kata: Any) -> None:
    assert kata.running_average([8.0, 4.0], 0.5, False) == [4.0, 4.0]
    first, second = kata.running_average([8.0, 4.0], 0.5)
    assert first == 8.0
    assert is_near(second, 16 / 3)
    assert kata.running_average([], 0.5) == []
    assert kata.running_average([8.0, 4.0], 0.0) == [8.0, 4.0]
    expect_error(ValueError, kata.running_average, [8.0], 1.0, because="the example says so")


def _check_optimizers(kata: Any) -> None:
    # gradients 8 and 4, lr 0.5: buffers 8 and 0.5 · 8 + 4
    assert is_near(walk(kata, "SGD", "lr=0.5, momentum=0.5", (8.0, 4.0)), 1 - 0.5 * 8 - 0.5 * 8)
    # with nesterov 8 + 0.5 · 8, and 4 + 0.5 · 8
    assert is_near(walk(kata, "SGD", "lr=0.5, momentum=0.5, nesterov=True", (8.0, 4.0)), 1 - 0.5 * 12 - 0.5 * 8)
    # squares 0.5 · 64 and 0.5 · 32 + 0.5 · 16
    right = 1 - 0.5 * 8 / 32**0.5 - 0.5 * 4 / 24**0.5
    assert is_near(walk(kata, "RMSProp", "lr=0.5, alpha=0.5, eps=0.0", (8.0, 4.0)), right)
    # averages 4 and 4, corrected 8 and 16/3; squares 32 and 24, corrected 64 and 32
    right = 1 - 0.5 * 1 - 0.5 * (16 / 3) / 32**0.5
    assert is_near(walk(kata, "Adam", "lr=0.5, betas=(0.5, 0.5), eps=0.0", (8.0, 4.0)), right)
    # the parameter shrinks by 1 - 0.5 · 0.25 first
    assert is_near(walk(kata, "AdamW", "lr=0.5, eps=0.0, weight_decay=0.25", (8.0,)), 1 * 0.875 - 0.5)
    # the lesson's prediction
    for gradient in (0.001, 1000.0):
        assert is_near(walk(kata, "Adam", "lr=0.1, eps=0.0", (gradient,)), 0.9)
        assert is_near(walk(kata, "RMSProp", "lr=0.1, alpha=0.999, eps=0.0", (gradient,)), 1 - 0.1 / 0.001**0.5)
    for name in ("SGD", "RMSProp", "Adam", "AdamW"):
        lines = [f"{name}([torch.ones(2)], lr=-0.5)"]
        expect_error(ValueError, kata.run, scenarios.program, name, lines, [], "cpu", because="the example says so")


def _check_counts(kata: Any) -> None:
    lines = ["model = nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3))", "model[1].bias.requires_grad_(False)"]
    texts = {"0.weight": decay(0.5), "0.bias": decay(0.0), "1.weight": decay(0.0), "1.bias": NO_GROUP}
    assert kata.run(scenarios.decays, lines, 0.5, "cpu") == {name: words.text for name, words in texts.items()}
    shapes = [(1000, 1000), (1000,)]
    # 1001000 numbers of 4 bytes, and two counts
    assert kata.state_bytes("SGD", shapes) == 0
    assert kata.state_bytes("SGD", shapes, momentum=0.9) == 4004000
    assert kata.state_bytes("AdamW", shapes) == 8008008
    assert kata.state_bytes("AdamW", shapes, torch.bfloat16) == 4004008
    expect_error(ValueError, kata.state_bytes, "adam", shapes, because="the example says so")
    lines = ["x = orthogonalize(torch.tensor([[3.0, 0.0], [0.0, 4.0]], dtype=torch.float64), 1)"]
    x = kata.run(scenarios.program, "orthogonalize", lines, ["x"], "cpu")["x"]
    for index, value in enumerate((0.6, 0.8)):  # the norm is 5
        assert is_near(x[index, index].item(), 3.4445 * value - 4.775 * value**3 + 2.0315 * value**5)
