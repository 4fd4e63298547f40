"""Kata 09 by the worked examples of its stub and its lesson."""

import math
from typing import Any

import torch

from dojo.judging.expect import expect_error

from . import scenarios


def seen(kata: Any, function: str, lines: list[str], *watched: str) -> Any:
    """What these expressions are worth after the lines."""
    values = kata.run(scenarios.program, function, lines, list(watched), "cpu")
    return [values[name] for name in watched]


def near(answer: object, right: float, rel: float = 1e-12) -> bool:
    """Whether a number is that one, but for rounding."""
    assert isinstance(answer, int | float)
    return math.isclose(answer, right, rel_tol=rel)


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    because = "the example says so"
    assert kata.fans((3, 4)) == (4, 3)
    assert kata.fans((3, 4, 5)) == (20, 15)
    assert kata.fans((8, 2, 3, 3)) == (18, 72)
    expect_error(ValueError, kata.fans, (4,), because=because)
    assert near(kata.init_std((3, 4), "scaled"), 0.5)
    assert near(kata.init_std((8, 2, 3, 3), "xavier"), math.sqrt(2 / 90))
    assert near(kata.init_std((3, 8), "kaiming"), 0.5)
    expect_error(ValueError, kata.init_std, (3, 4), "he", because=because)
    assert near(kata.uniform_bound(1.0), 3**0.5)
    assert kata.uniform_bound(0.0) == 0
    for cut, std in ((1.0, 0.5396), (2.0, 0.8796), (3.0, 0.9866)):
        assert near(kata.truncated_std(cut), std, 1e-4)
    expect_error(ValueError, kata.truncated_std, 0.0, because=because)
    line = "x = truncated_normal((100, 10), 0.5, 2.0, torch.Generator().manual_seed(5))"
    (x,) = seen(kata, "truncated_normal", [line], "x")
    assert x.shape == (100, 10)
    assert x.dtype == torch.float32
    assert 0.5 < x.abs().max() <= 1.000001
    (zeros,) = seen(kata, "truncated_normal", ["x = truncated_normal((), 0.0, 3.0)"], "x")
    assert zeros.shape == ()
    assert zeros == 0
    assert near(kata.output_std((16, 64), [1.0]), 4.0)
    assert near(kata.output_std((16, 64, 64), [0.25, 0.5]), 4.0)
    assert kata.output_std((16,), []) == 1
    expect_error(ValueError, kata.output_std, (16, 64), [], because=because)
    lines = ["model = Linear(3, 2)", 'model.load_state_dict({"weight": torch.arange(6.0).reshape(2, 3)})']
    (y,) = seen(kata, "Linear", lines, "model(torch.ones(4, 3))")
    assert y.tolist() == [[3.0, 12.0]] * 4
    names = ["layers.0.weight", "layers.1.weight", "final.weight"]
    lines = ["model = Cruncher(64, 2)", "sizes = {name: w.numel() for name, w in model.state_dict().items()}"]
    sizes, y = seen(kata, "Cruncher", lines, "sizes", "model(torch.ones(1, 64))")
    assert sizes == dict(zip(names, (4096, 4096, 64), strict=True))
    assert y.shape == (1,)
