"""Kata 12 by the worked examples of its stub and its lesson."""

import math
from typing import Any

import pytest
import torch

from dojo.judging.expect import expect_error

from . import scenarios

BECAUSE = "the example says so"


def seen(kata: Any, function: str, lines: list[str], *watched: str) -> Any:
    """Return the values of these expressions after the lines."""
    values = kata.run(scenarios.program, function, lines, list(watched), "cpu")
    return [values[name] for name in watched]


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    lines = ["seed_everything(5)", "after = random.random(), np.random.rand(), torch.rand(1).item()"]
    again = ["random.seed(5), np.random.seed(5), torch.manual_seed(5)", lines[1].replace("after", "right")]
    assert seen(kata, "seed_everything", [*lines, *again], "after == right") == [True]
    expect_error(ValueError, seen, kata, "seed_everything", ["seed_everything(2**32)"], because=BECAUSE)
    _counts(kata)
    _losses(kata)
    rates = [kata.learning_rate(step, 1.0, 4, 8) for step in range(10)]
    assert rates == pytest.approx([0.25, 0.5, 0.75, 1.0, 1.0, 0.854, 0.5, 0.146, 0.0, 0.0], abs=1e-3)
    expect_error(ValueError, kata.learning_rate, 0, 1.0, 4, 4, because=BECAUSE)
    lines = ["a, b = nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(1))"]
    lines += ["a.grad, b.grad = torch.tensor([3.0, 4.0]), torch.tensor([12.0])", "norm = clip_gradients([a, b], 6.5)"]
    norm, a, b = seen(kata, "clip_gradients", lines, "norm", "a.grad.tolist()", "b.grad.tolist()")
    assert (norm, a, b) == (13.0, pytest.approx([1.5, 2.0]), pytest.approx([6.0]))
    _loops(kata)


def _counts(kata: Any) -> None:
    lines = ["tied = nn.Sequential(nn.Embedding(5, 3), nn.Linear(3, 5))", "tied[1].weight = tied[0].weight"]
    counts = ["count_parameters(nn.Linear(3, 4))", "count_parameters(tied)", "count_parameters(nn.Tanh())"]
    assert seen(kata, "count_parameters", lines, *counts) == [16, 20, 0]


def _losses(kata: Any) -> None:
    lines = ["logits = torch.tensor([[0.0, 800.0], [0.0, 0.0]], dtype=torch.float64, requires_grad=True)"]
    lines += ["loss = cross_entropy(logits, torch.tensor([0, -100]))", "loss.backward()"]
    loss, gradient = seen(kata, "cross_entropy", lines, "loss.item()", "logits.grad.tolist()")
    assert loss == pytest.approx(800)
    assert gradient == [[-1.0, 1.0], [0.0, 0.0]]
    line = "cross_entropy(torch.zeros(3, 4), torch.zeros(3, 1).long())"
    expect_error(ValueError, seen, kata, "cross_entropy", [line], because=BECAUSE)
    two, eight = math.log(2), math.log(8)
    assert kata.perplexity([two, eight], [1, 1]) == pytest.approx(4)
    assert kata.perplexity([two, eight], [0, 5]) == pytest.approx(8)
    assert kata.perplexity([math.log(50257)], [7]) == pytest.approx(50257)
    expect_error(ValueError, kata.perplexity, [], [], because=BECAUSE)


FIVE = [
    "model = nn.Linear(1, 1, bias=False)",
    "x, y = torch.ones(5, 1), torch.zeros(5, 1)",
    "weights = torch.tensor([[1.0], [3.0], [5.0], [7.0], [4.0]])",
    "def loss_of(prediction, target):",
    "    return (prediction - target).mean()",
    "_ = model.weight.data.fill_(1.0)",
]


def _loops(kata: Any) -> None:
    lines = [*FIVE, "loss = accumulate_gradients(model, loss_of, weights, y, 2)"]
    loss, gradient = seen(kata, "accumulate_gradients", lines, "loss", "model.weight.grad.item()")
    assert (loss, gradient) == pytest.approx((4, 4))
    lines = [*FIVE, "loss = evaluate(model, loss_of, [(weights[:4], y[:4]), (weights[4:], y[4:])])"]
    assert seen(kata, "evaluate", lines, "loss", "model.training") == [pytest.approx(4), True]
    lines = [*FIVE, "optimizer = torch.optim.SGD(model.parameters(), lr=0.25)"]
    lines += ["losses = train(model, optimizer, loss_of, [(weights, y)] * 2, micro_batch=2)"]
    losses, weight = seen(kata, "train", lines, "losses", "model.weight.detach()")
    assert losses == pytest.approx([4.0, 0.0])  # 4 - 0.25 · 4 · 4, and then 0.0
    assert weight == pytest.approx(torch.tensor([[-1.0]]))
    lines[-1] = "losses = train(model, optimizer, loss_of, [(weights * math.inf, y)])"
    expect_error(FloatingPointError, seen, kata, "train", lines, because=BECAUSE)
