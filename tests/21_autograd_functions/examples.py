"""Kata 21 by the worked examples of its stub and its lesson."""

from typing import Any

from dojo.judging.expect import expect_error, expect_that

from . import scenarios
from .typed import KEEPING, MEASURES, OPERATORS

BECAUSE = "the example says so"


def seen(kata: Any, function: str, lines: list[str], *watched: str) -> Any:
    """What these expressions are worth after the lines, floats to four places."""
    values = kata.run(scenarios.program, function, lines, list(watched), "cpu", {})
    return [values[name] for name in watched]


def near(tensor: Any, *numbers: float) -> None:
    """Fail unless these are the numbers, to four places."""
    told = [round(number, 4) for number in tensor.flatten().tolist()]
    expect_that(told == list(numbers), told, list(numbers))


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    lines = ["x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True)", "y = relu(x)", "y.sum().backward()"]
    y, grad = seen(kata, "relu", lines, "y", "x.grad")
    near(y, 0.0, 0.0, 2.0)
    near(grad, 0.0, 0.0, 1.0)
    lines = ["x = torch.tensor([-1.0, 2.0], requires_grad=True)", "h = x * 2", "y = relu_(h)", "y.sum().backward()"]
    same, grad = seen(kata, "relu_", lines, "y is h", "x.grad")
    assert same is True
    near(grad, 0.0, 2.0)
    expect_error(RuntimeError, seen, kata, "relu_", [lines[0], "y = relu_(x)"], because=BECAUSE)
    lines = ["h = torch.ones(2, requires_grad=True).exp()", "y = relu_(h)", "y.sum().backward()"]
    expect_error(RuntimeError, seen, kata, "relu_", lines, because=BECAUSE)
    lines = ["x = torch.tensor([0.25, 0.75, 1.0], requires_grad=True)", "r, rest = round_ste(x, 0.5)"]
    r, rest = seen(kata, "round_ste", lines, "r", "rest")
    near(r, 0.0, 1.0, 1.0)
    near(rest, 0.25, -0.25, 0.0)
    expect_error(ValueError, seen, kata, "round_ste", [lines[0], "round_ste(x, 0.0)"], because=BECAUSE)
    lines = ["x = torch.ones(2, 3, dtype=torch.float64)", "weight = torch.ones(4, 3, dtype=torch.float64)"]
    (y,) = seen(kata, "linear", [*lines, "y = linear(x, weight)"], "y")
    near(y, *[3.0] * 8)
    (y,) = seen(kata, "swiglu", ["y = swiglu(torch.tensor([2.0]), torch.tensor([3.0]))"], "y")
    near(y, 5.2848)  # 2 · sigmoid(2) · 3
    lines = ["g, u = (torch.ones(1000, requires_grad=True) for _ in range(2))", KEEPING, "    y = swiglu(g, u)"]
    assert seen(kata, "swiglu", [MEASURES, *lines], "kept.bytes") == [8000]
    lines = ["y = rms_norm(torch.tensor([3.0, 4.0]), torch.tensor([1.0, 2.0]))"]
    near(seen(kata, "rms_norm", lines, "y")[0], 0.8485, 2.2627)
    lines = ["logits = torch.zeros(2, 4, requires_grad=True)"]
    lines += ["loss = cross_entropy(logits, torch.tensor([1, -100]))", "loss.backward()"]
    loss, grad = seen(kata, "cross_entropy", lines, "loss", "logits.grad[1]")
    near(loss, 1.3863)
    near(grad, 0.0, 0.0, 0.0, 0.0)
    lines = ["x, weight = torch.zeros(3, 2), torch.zeros(4, 2)", "targets = torch.tensor([1, 0, 3])"]
    near(
        seen(kata, "linear_cross_entropy", [*lines, "y = linear_cross_entropy(x, weight, targets, 2)"], "y")[0], 1.3863
    )
    lines += ["linear_cross_entropy(x, weight, targets, 0)"]
    expect_error(ValueError, seen, kata, "linear_cross_entropy", lines, because=BECAUSE)
    lines = [
        OPERATORS,
        'op = define_swiglu(fresh("my::swiglu"))',
        "two, three = torch.tensor([2.0]), torch.tensor([3.0])",
    ]
    near(seen(kata, "define_swiglu", lines, "op(two, three)")[0], 5.2848)
    expect_error(ValueError, seen, kata, "define_swiglu", [*lines, "op(two, torch.ones(2))"], because=BECAUSE)
