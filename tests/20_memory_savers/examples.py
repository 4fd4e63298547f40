"""Kata 20 by the worked examples of its stub and its lesson."""

from typing import Any

import torch

from dojo.judging.expect import expect_error

from . import scenarios

BECAUSE = "the example says so"


def seen(kata: Any, function: str, lines: list[str], *watched: str) -> Any:
    """What these expressions are worth after the lines."""
    values = kata.run(scenarios.program, function, lines, list(watched), "cpu")
    return [values[name] for name in watched]


A = "a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)"


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.peak_bytes([("new", "a", 8), ("new", "b", 4), ("del", "a")]) == 12
    assert kata.peak_bytes([("new", "a", 8), ("view", "v", "a"), ("del", "a"), ("new", "b", 4)]) == 12
    assert kata.peak_bytes([]) == 0
    expect_error(ValueError, kata.peak_bytes, [("new", "a", 8), ("new", "a", 4)], because=BECAUSE)
    assert kata.released({"a": ["b"], "b": [], "c": ["c"]}, []) == (["a", "b"], ["c"])
    assert kata.released({"a": ["a", "b"], "b": [], "c": ["a"]}, []) == (["c"], ["a", "b"])
    assert kata.released({"a": ["b"], "b": ["a"], "c": []}, ["b"]) == (["c"], [])
    expect_error(ValueError, kata.released, {"a": ["b"]}, [], because=BECAUSE)
    assert kata.overwritten([("y", "exp", "x"), ("y", "add_", "y")]) == [0]
    assert kata.overwritten([("y", "sin", "x"), ("y", "add_", "y")]) == []
    assert kata.overwritten([("y", "sin", "x"), ("d", "detach", "x"), ("d", "mul_", "d")]) == [0]
    expect_error(ValueError, kata.overwritten, [("x", "add_", "x")], because=BECAUSE)
    lines = [A, "with offload_to_disk(folder):", "    y = a.exp()", "files = len(os.listdir(folder))"]
    lines += ["y.sum().backward()", "del y"]
    assert seen(kata, "offload_to_disk", lines, "files", "os.listdir(folder)", "a.grad.shape") == [1, [], (2, 2)]
    codes, scales = kata.quantize(torch.tensor([1.0, -2.0, 0.5, 254.0]), 2)
    assert codes.tolist() == [64, -127, 0, 127]  # 63.5 and 0.25 are rounded, 127 · 2 = 254
    assert scales.tolist() == [torch.tensor(2 / 127).item(), 2.0]
    expect_error(ValueError, kata.quantize, torch.ones(3), 0, because=BECAUSE)
    codes, scales = torch.tensor([1, 2, 3], dtype=torch.int8), torch.tensor([0.5, 10.0])
    assert kata.dequantize(codes, scales, 2).tolist() == [0.5, 1.0, 30.0]
    expect_error(ValueError, kata.dequantize, codes, scales, 3, because=BECAUSE)
    lines = [A, "optimizer = SGD8bit([a], 0.5)", "a.grad = torch.ones(2, 2)", "optimizer.step()"]
    assert seen(kata, "SGD8bit", lines, "a")[0].tolist() == [[0.5, 1.5], [2.5, 3.5]]
    lines = [A, "handle = attach_sgd([a], 0.5)", "a.sum().backward()", "gone = a.grad is None", "handle.remove()"]
    lines += ["a.sum().backward()"]
    (a, gone, grad) = seen(kata, "attach_sgd", lines, "a", "gone", "a.grad")
    assert grad is not None
    assert (a.tolist(), gone, grad.tolist()) == ([[0.5, 1.5], [2.5, 3.5]], True, [[1.0, 1.0], [1.0, 1.0]])
    lines = [A, "optimizer = FactoredAdaGrad([a], 0.5)", "a.grad = torch.full((2, 2), 3.0)", "optimizer.step()"]
    # g / √S is 1 in a first step, where g² is an outer product
    (a,) = seen(kata, "FactoredAdaGrad", lines, "a")
    assert a.allclose(torch.tensor([[0.5, 1.5], [2.5, 3.5]]))
