"""Kata 13 by the worked examples of its stub and its lesson."""

from typing import Any

import torch

from dojo.judging.expect import expect_error

from . import scenarios

BECAUSE = "the example says so"


def seen(kata: Any, function: str, lines: list[str], *watched: str) -> Any:
    """What these expressions are worth after the lines."""
    values = kata.run(scenarios.program, function, lines, list(watched))
    return [values[name] for name in watched]


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.training_bytes(1000, "bfloat16") == 8000  # 2 + 2 + 2 · 2
    assert kata.training_bytes(1000, "float32", 0) == 8000  # 4 + 4
    assert [kata.training_bytes(1, recipe) for recipe in ("float32", "autocast", "master")] == [16, 16, 16]
    expect_error(ValueError, kata.training_bytes, 1, "fp8", because=BECAUSE)
    _casts(kata)
    _operations(kata)
    _scaler(kata)
    lines = ["a = torch.ones(1, dtype=torch.bfloat16, requires_grad=True)"]
    lines += ["weights = MasterWeights([a], lambda masters: torch.optim.SGD(masters, lr=1.0))"]
    lines += ["a.grad = torch.full_like(a, -(2**-9))", "for _ in range(4): weights.step()"]
    # 2**-9 is half of half a place: four of them are one.
    assert seen(kata, "MasterWeights", lines, "a.item()") == [1 + 2**-7]
    lines = ["g = torch.Generator().manual_seed(5)", "x = torch.full((400,), 1 + 2**-9)"]
    lines += ["rounded = stochastic_round(x, g)", "same = stochastic_round(torch.tensor(1.0), g)"]
    rounded, same = seen(kata, "stochastic_round", lines, "rounded.float()", "same.item()")
    assert set(rounded.tolist()) == {1.0, 1.0078125}
    assert 40 < int((rounded > 1).sum()) < 160
    assert same == 1.0
    _step(kata)


def _casts(kata: Any) -> None:
    lines = ["grads = torch.tensor([1e-8, 1e-4, 1e8])"]
    for arguments, lost in (("", (1, 1)), (", scale=1024.0", (0, 1)), (", torch.bfloat16", (0, 0))):
        assert seen(kata, "lost_gradients", lines, f"lost_gradients(grads{arguments})") == [lost]
    for numbers, scale in (("[1.0, -0.25]", 32768.0), ("[-100000.0]", 0.5)):
        assert seen(kata, "largest_scale", [], f"largest_scale(torch.tensor({numbers}))") == [scale]
    expect_error(ValueError, seen, kata, "largest_scale", ["largest_scale(torch.zeros(3))"], because=BECAUSE)


def _operations(kata: Any) -> None:
    float32, bfloat16, float16 = torch.float32, torch.bfloat16, torch.float16
    assert kata.autocast_dtype("matmul", float32, float32) is bfloat16
    assert kata.autocast_dtype("matmul", float32, bfloat16, lower=float16) is float16
    assert kata.autocast_dtype("add", float32, bfloat16) is float32
    assert kata.autocast_dtype("prod", float16) is float32
    assert kata.autocast_dtype("softmax", float16) is float16
    expect_error(ValueError, kata.autocast_dtype, "conv2d", float32, because=BECAUSE)


def _scaler(kata: Any) -> None:
    lines = ["a = torch.ones(1, requires_grad=True)", "optimizer = torch.optim.SGD([a], lr=0.5)"]
    lines += ["scaler = LossScaler(1024.0, growth_interval=1)", "scales = []"]
    lines += ["for factor in (1.0, math.inf):", "    optimizer.zero_grad()"]
    lines += ["    scaler.scale(a.sum() * factor).backward()", "    scaler.step(optimizer)", "    scaler.update()"]
    lines += ["    scales.append(scaler.get_scale())"]
    assert seen(kata, "LossScaler", lines, "a.item()", "scales") == [0.5, [2048.0, 1024.0]]
    expect_error(ValueError, seen, kata, "LossScaler", ["LossScaler(growth_factor=1.0)"], because=BECAUSE)


def _step(kata: Any) -> None:
    lines = ["model = nn.Linear(1, 1, bias=False)", "_ = model.weight.data.fill_(1.0)"]
    lines += ["optimizer = torch.optim.SGD(model.parameters(), lr=0.5)"]
    lines += ['scaler = GradScaler("cpu", init_scale=256.0)', "moved = []"]
    lines += ["for x in (torch.ones(1, 1), torch.full((1, 1), 1e6)):"]
    lines += ["    loss_of = lambda prediction, target: (prediction - target).sum()"]
    lines += ["    moved.append(mixed_step(model, optimizer, scaler, loss_of, x, x * 0, torch.float16))"]
    watched = ("moved", "model.weight.item()", "scaler.get_scale()")
    assert seen(kata, "mixed_step", lines, *watched) == [[True, False], 0.5, 128.0]
