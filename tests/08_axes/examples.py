"""Kata 08 by the worked examples of its stub and its lesson."""

from typing import Any

import torch

from dojo.judging.expect import expect_error

from . import scenarios

BECAUSE = "the example says so"


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    side = "batch seq (heads hidden)"
    assert kata.axis_sizes(side, (2, 3, 8), {"heads": 2}) == {"batch": 2, "seq": 3, "heads": 2, "hidden": 4}
    assert kata.axis_sizes("batch (seq 1) ()", (0, 3, 1), {}) == {"batch": 0, "seq": 3}
    assert kata.axis_sizes("(a b)", (0,), {"a": 2}) == {"a": 2, "b": 0}
    assert kata.axis_sizes("", (), {}) == {}
    expect_error(ValueError, kata.axis_sizes, "(a b)", (7,), {"a": 2}, because=BECAUSE)
    split = "batch seq (heads hidden) -> batch heads seq hidden"
    assert kata.rearrange_shape(split, (2, 3, 8), {"heads": 2}) == (2, 2, 3, 4)
    assert kata.rearrange_shape("... hidden -> hidden (...)", (2, 3, 8), {}) == (8, 6)
    assert kata.rearrange_shape("a b -> (a b)", (50000, 60000), {}) == (3000000000,)
    expect_error(ValueError, kata.rearrange_shape, "a b -> a", (2, 3), {}, because=BECAUSE)
    _of_six_numbers(kata)
    _of_products(kata)


def _of_six_numbers(kata: Any) -> None:
    """What the stub shows of rearrange, reduce and repeat."""
    six = "torch.arange(6.0, dtype=torch.float64)"
    holds(kata, "rearrange", [f"x = {six}"], "x, '(a b) -> a b', {'a': 2}", [[0, 1, 2], [3, 4, 5]])
    holds(kata, "rearrange", [f"x = {six}"], "x, '(a b) -> b a', {'a': 2}", [[0, 3], [1, 4], [2, 5]])
    holds(kata, "rearrange", [f"x = {six}"], "x, '(a b) -> (b a)', {'a': 2}", [0, 3, 1, 4, 2, 5])
    holds(kata, "rearrange", [f"x = {six}"], "x, '(b a) -> (a b)', {'a': 2}", [0, 2, 4, 1, 3, 5])
    holds(kata, "rearrange", [f"x = {six}"], "x, 'a -> 1 a ()', {}", [[[n] for n in range(6)]])
    holds(kata, "rearrange", [f"x = {six}"], "x, '... -> ... 1', {}", [[n] for n in range(6)])
    refuses(kata, "rearrange", [f"x = {six}"], "x, 'a -> a b', {}")
    x = [f"x = {six}.reshape(2, 3)"]
    holds(kata, "reduce", x, "x, 'a b -> b', 'max', {}", [3, 4, 5])
    holds(kata, "reduce", x, "x, '... b -> ...', 'sum', {}", [3, 12])
    holds(kata, "reduce", x, "x, 'a b -> 1 b', 'sum', {}", [[3, 5, 7]])
    holds(kata, "reduce", x, "x, 'a ... -> a', 'mean', {}", [1, 4])
    holds(kata, "reduce", x, "x, '(a 1) b -> b a', 'min', {}", [[0, 3], [1, 4], [2, 5]])
    refuses(kata, "reduce", x, "x, 'a b -> a', 'median', {}")
    x = ["x = torch.arange(2.0, dtype=torch.float64)"]
    holds(kata, "repeat", x, "x, 'a -> a b', {'b': 3}", [[0, 0, 0], [1, 1, 1]])
    holds(kata, "repeat", x, "x, 'a -> (a b)', {'b': 3}", [0, 0, 0, 1, 1, 1])
    holds(kata, "repeat", x, "x, 'a -> (b a)', {'b': 3}", [0, 1, 0, 1, 0, 1])
    refuses(kata, "repeat", x, "x, 'a -> a b', {}")


def _of_products(kata: Any) -> None:
    """What the stub shows of einsum, per_head, patchify and grouped_attention."""
    x, y = torch.arange(6.0).double().reshape(2, 3), torch.arange(12.0).double().reshape(3, 4)
    lines = [f"{name} = torch.tensor({t.tolist()}, dtype=torch.float64)" for name, t in (("x", x), ("y", y))]
    holds(kata, "einsum", lines, "x, y, 'i j, j k -> i k'", (x @ y).tolist())
    holds(kata, "einsum", lines, "x, y, 'i j, j k -> k i'", (x @ y).T.tolist())
    holds(kata, "einsum", lines, "x, x, 'i j, i j -> i j'", (x * x).tolist())
    holds(kata, "einsum", lines, "x, y[0], 'i j, k -> '", (x.sum() * y[0].sum()).tolist())
    holds(kata, "einsum", lines, "x[None], y[:, 0], '... i j, j -> ... i'", (x @ y[:, 0])[None].tolist())
    refuses(kata, "einsum", lines, "x, y, 'i j, i k -> k'")
    lines = ["x = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64)"]
    lines.append("w = torch.tensor([[1.0, 1.0], [0.0, 1.0]], dtype=torch.float64)")
    holds(kata, "per_head", lines, "x, w", [1, 3, 3, 7])
    refuses(kata, "per_head", lines, "x[1:], w")
    lines = ["images = torch.arange(8.0, dtype=torch.float64).reshape(1, 1, 2, 4)"]
    holds(kata, "patchify", lines, "images, 2", [[[0, 1, 4, 5], [2, 3, 6, 7]]])
    refuses(kata, "patchify", lines, "images, 4")
    # With a single key its value is what comes out: that of the head that is shared.
    lines = ["q = torch.ones(1, 4, 1, 1, dtype=torch.float64)", "k = torch.ones(1, 2, 1, 1, dtype=torch.float64)"]
    lines.append("v = torch.tensor([5.0, 7.0], dtype=torch.float64).reshape(1, 2, 1, 1)")
    holds(kata, "grouped_attention", lines, "q, k, v", [[[[5]], [[5]], [[7]], [[7]]]])
    refuses(kata, "grouped_attention", lines, "q[:, 1:], k, v")


def holds(kata: Any, function: str, lines: list[str], arguments: str, right: Any) -> None:
    """Raise unless the call makes these numbers."""
    answer = kata.run(scenarios.result, function, lines, arguments, "cpu")
    assert answer.shape == torch.tensor(right).shape
    assert torch.allclose(answer, torch.tensor(right, dtype=torch.float64))


def refuses(kata: Any, function: str, lines: list[str], arguments: str) -> None:
    """Raise unless the call is refused."""
    expect_error(ValueError, kata.run, scenarios.result, function, lines, arguments, "cpu", because=BECAUSE)
