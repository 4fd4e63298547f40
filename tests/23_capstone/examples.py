"""Kata 23 by the worked examples of its stub and its lesson."""

from typing import Any

from dojo.judging.expect import expect_error

from . import scenarios

BECAUSE = "the example says so"
MODEL = ["torch.manual_seed(3)", "model = GPT(5, 4, 6, 2, 2).double()", "tokens = torch.randint(5, (3, 5))"]


def seen(kata: Any, function: str, lines: list[str], *watched: str) -> Any:
    """What these expressions are worth after the lines."""
    values = kata.run(scenarios.program, function, lines, list(watched))
    return [values[name] for name in watched]


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    assert kata.gpt_params(50257, 1024, 768, 12) == 124_439_808
    assert kata.gpt_params(50257, 1024, 1024, 24) == 354_823_168
    assert kata.gpt_params(50257, 1024, 1280, 36) == 774_030_080
    assert kata.gpt_params(50257, 1024, 1600, 48) == 1_557_611_200
    assert kata.gpt_params(5, 4, 8, 0) == 88  # (5 + 4) · 8 + 2 · 8
    assert kata.step_flops(1, 2, 3, 4, 0) == 144
    # a block: 2 · 2 · (12 · 16 + 2 · 2 · 4) = 832
    assert kata.step_flops(1, 2, 3, 4, 1) == 144 + 3 * 832
    assert kata.step_flops(1, 2, 3, 4, 1, 1) == 144 + 4 * 832
    assert f"{kata.step_flops(1, 1024, 50257, 768, 12):.3e}" == "8.749e+11"
    expect_error(ValueError, kata.step_flops, 1, 2, 3, 4, 1, 2, because=BECAUSE)
    assert kata.plan(8, 2, 100, 10, 50, 1000) == (4, 0)
    assert kata.plan(8, 2, 100, 10, 50, 240) == (1, 1)
    assert kata.plan(8, 2, 100, 10, 50, 69) is None
    expect_error(ValueError, kata.plan, 0, 2, 100, 10, 50, 1000, because=BECAUSE)
    lines = ["model = nn.Linear(3, 4)", "groups = param_groups(model, 0.1)"]
    decays = '{tuple(p.shape): group["weight_decay"] for group in groups for p in group["params"]}'
    assert seen(kata, "param_groups", lines, decays) == [{(4, 3): 0.1, (4,): 0.0}]
    lines = [*MODEL, "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)", "before = model.norm.weight.tolist()"]
    lines += ["loss = train_step(model, optimizer, tokens, 2, 1)"]
    loss, moved, gone = seen(
        kata, "train_step", lines, "loss", "before != model.norm.weight.tolist()", "model.norm.weight.grad is None"
    )
    assert (type(loss), moved, gone) == (float, True, True)
    lines[-1] = "loss = train_step(model, optimizer, tokens, 0)"
    expect_error(ValueError, kata.run, scenarios.program, "train_step", lines, [], because=BECAUSE)
    lines = [*MODEL[:2], "trainer = Trainer(model, torch.arange(9) % 5, batch=2, context=4, lr=0.01, seed=0)"]
    lines += ["losses = [trainer.step() for _ in range(3)]", "kept = type(trainer.state_dict())"]
    assert len(seen(kata, "Trainer", lines, "losses")[0]) == 3
    short = [*MODEL[:2], lines[2].replace("(9)", "(4)")]
    expect_error(ValueError, kata.run, scenarios.program, "Trainer", short, [], because=BECAUSE)
    spent = kata.run(scenarios.small, (8, 8, 16, 2, 2), 5, 5_000_000, 20_000)
    assert sum(spent["FLOPs"].values()) <= 5_000_000
    assert spent["bytes"] <= 20_000
