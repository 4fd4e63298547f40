"""Kata 22 by the worked examples of its stub and its lesson."""

from typing import Any

import torch

from dojo.judging.expect import expect_error, expect_that

from . import scenarios

BECAUSE = "the example says so"

GELU = [
    ("cube", ["x"]),
    ("part", ["cube"]),
    ("sum", ["x", "part"]),
    ("scaled", ["sum"]),
    ("tanh", ["scaled"]),
    ("more", ["tanh"]),
    ("times", ["more", "x"]),
    ("gelu", ["times"]),
]


def near(tensor: Any, *numbers: float) -> None:
    """Fail unless these are the numbers, to four places."""
    expect_that(isinstance(tensor, torch.Tensor), tensor, list(numbers))
    told = [round(number, 4) for number in tensor.flatten().tolist()]
    expect_that(told == list(numbers), told, list(numbers))


def seen(kata: Any, function: str, *lines: str) -> Any:
    """What y is after the lines."""
    return kata.run(scenarios.program, function, list(lines), ["y"], "cpu")["y"]


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    chain = [("a", ["x", "y"]), ("b", ["a"])]
    assert kata.eager_bytes(chain, 10, 4) == 200
    assert kata.eager_bytes([("a", ["x", "x"])], 10, 4) == 80
    assert kata.eager_bytes(GELU, 10, 4) == (10 + 8) * 40
    expect_error(ValueError, kata.eager_bytes, [("a", [])], 10, 4, because=BECAUSE)
    expect_error(ValueError, kata.eager_bytes, [("a", ["a"])], 10, 4, because=BECAUSE)
    assert kata.fused_bytes(chain, ["b"], 10, 4) == 120
    assert kata.fused_bytes(chain, ["b", "a"], 10, 4) == 160
    assert kata.fused_bytes([("a", ["x"]), ("b", ["y"])], ["b"], 10, 4) == 80
    assert kata.fused_bytes(GELU, ["gelu"], 10, 4) == 80
    expect_error(ValueError, kata.fused_bytes, chain, ["x"], 10, 4, because=BECAUSE)
    for ops, count in (
        ([("pointwise", []), ("pointwise", [0]), ("other", [1])], 2),
        ([("pointwise", []), ("other", []), ("pointwise", [1])], 2),
        ([], 0),
    ):
        kernels = kata.fuse(ops)
        expect_that(len(kernels) == count, kernels, count)
    expect_error(ValueError, kata.fuse, [("pointwise", [0])], because=BECAUSE)
    assert kata.tiled_matmul_bytes(4, 3, 6, 2, 3, 4) == 336
    assert kata.tiled_matmul_bytes(2, 3, 5, 4, 4, 4) == 148
    assert kata.tiled_matmul_bytes(4096, 4096, 4096, 4096, 4096, 2) == 100_663_296
    assert kata.tiled_matmul_bytes(4096, 4096, 4096, 128, 128, 2) == 2_181_038_080
    expect_error(ValueError, kata.tiled_matmul_bytes, 4, 3, 6, 0, 3, 4, because=BECAUSE)
    blocks = "iter([torch.tensor([0.0, 1.0]), torch.tensor([2.0])])"
    near(seen(kata, "online_logsumexp", f"y = online_logsumexp({blocks})"), 2.4076)
    near(seen(kata, "online_logsumexp", "y = online_logsumexp([])"), -torch.inf)
    run = kata.run(scenarios.add, 5, 4, 1, (3, 5))
    near(run.get("run.result"), -1.0, 3004.5, 6010.0, 9009.0, 1003.5)
    run = kata.run(scenarios.multiply, (2, 2, 2), 2, (3, 5))
    near(run.get("run.result"), 22522.5, 9009.0, 58558.5, 36036.0)
    lines = "q = torch.ones(3, 4)", "y = flash_attention(q, q, torch.eye(3), 2, True)"
    near(seen(kata, "flash_attention", *lines), 1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.3333, 0.3333, 0.3333)
    near(seen(kata, "clip_norm", "y = clip_norm(torch.tensor([3.0, 4.0]), 1.0)"), 0.6, 0.8)
    near(seen(kata, "clip_norm", "y = clip_norm(torch.tensor([3.0, 4.0]), 9.0)"), 3.0, 4.0)
