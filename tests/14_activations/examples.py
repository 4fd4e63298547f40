"""Kata 14 by the worked examples of its stub and its lesson."""

from typing import Any

from dojo.judging.expect import expect_error

from . import scenarios

BECAUSE = "the example says so"


def seen(kata: Any, function: str, lines: list[str], *watched: str) -> Any:
    """What these expressions are worth after the lines."""
    values = kata.run(scenarios.program, function, lines, list(watched), "cpu")
    return [values[name] for name in watched]


X = "x = torch.ones(2, 3, dtype=torch.float32, requires_grad=True)"


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    for expression in ("x.exp()", "x * x", "(x.exp() ** 2).sum()", "x[:1] * x[1:]"):
        assert seen(kata, "saved_bytes", [X, f"count = saved_bytes(lambda: {expression})"], "count") == [24]
    assert kata.op_saved_bytes("exp", (2, 3)) == 24
    assert kata.op_saved_bytes("masked_fill", (2, 3)) == 6
    expect_error(ValueError, kata.op_saved_bytes, "sigmoid", (2, 3), because=BECAUSE)
    assert kata.mlp_saved_bytes(2, (3, 4, 5)) == 32  # 2 · 4 numbers of 4 bytes
    assert kata.mlp_saved_bytes(2, (3, 4, 5), "gelu") == 64
    assert kata.mlp_saved_bytes(2, (3, 4)) == 0
    expect_error(ValueError, kata.mlp_saved_bytes, 2, (3, 4, 5), "sigmoid", because=BECAUSE)
    assert kata.mlp_saved_bytes(32, (64, 256, 64)) == 32_768
    assert kata.mlp_saved_bytes(32, (64, 256, 64), "gelu") == 65_536
    assert kata.attention_saved_bytes(1, 1, 2, 3, 4) == 152
    assert kata.attention_saved_bytes(1, 1, 2, 3, 4, fused=True) == 168
    for length, explicit, fused in ((64, 57_344, 33_280), (128, 180_224, 66_560), (256, 622_592, 133_120)):
        assert kata.attention_saved_bytes(1, 2, length, length, 16) == explicit
        assert kata.attention_saved_bytes(1, 2, length, length, 16, 4, True) == fused
    peaks = {(16, 4): 7, (10, 5): 6, (10, 10): 10, (10, 13): 10, (0, 3): 0}
    assert {case: kata.peak_activations(*case) for case in peaks} == peaks
    expect_error(ValueError, kata.peak_activations, 3, 0, because=BECAUSE)
    assert kata.best_segment(9) in (3, 4, 5)
    assert kata.best_segment(10) in (3, 4)
    expect_error(ValueError, kata.best_segment, 0, because=BECAUSE)
    assert kata.checkpointed_step_flops(2, (3, 4, 5)) == 48 + 80 + 48 + 160
    assert kata.checkpointed_step_flops(2, (3, 4, 5), (1,)) == 336 + 80
    expect_error(ValueError, kata.checkpointed_step_flops, 2, (3, 4, 5), (-1,), because=BECAUSE)
    lines = [X, "calls = []", "def f(x):", "    calls.append(1)", "    return x.exp().exp()", "y = checkpoint(f, x)"]
    lines += ["once = len(calls)", "y.sum().backward()"]
    assert seen(kata, "checkpoint", lines, "once", "len(calls)") == [1, 2]
    lines = [X, "y = checkpoint_sequential([torch.exp] + [torch.sin] * 6, 3, x)", "y.sum().backward()"]
    assert seen(kata, "checkpoint_sequential", lines, "y.shape", "x.grad.shape") == [(2, 3), (2, 3)]
    lines[1] = "y = checkpoint_sequential([torch.exp], 2, x)"
    expect_error(ValueError, seen, kata, "checkpoint_sequential", lines, because=BECAUSE)
