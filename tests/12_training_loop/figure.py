"""The figure of lesson 12: what a schedule makes of the same batches."""

from typing import Any

import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR

from dojo.figures import BLUE, GREEN, ORANGE

ROWS, COLUMNS, BATCH, STEPS, WARMUP, EVERY = 512, 16, 4, 400, 40, 10
HIGH, LOW = 0.06, 0.003
RUNS = {"high": (f"{HIGH} throughout", ORANGE), "low": (f"{LOW} throughout", BLUE), "schedule": ("a schedule", GREEN)}


def measure() -> dict[str, Any]:
    """Fit a line to noisy rows, by the same batches in each run; rates, and losses on all rows beyond the least."""
    return {name: _run(name) for name in RUNS}


def _run(name: str) -> dict[str, list[float]]:
    generator = torch.Generator().manual_seed(12)
    x = torch.randn(ROWS, COLUMNS, generator=generator, dtype=torch.float64)
    y = x.sum(-1, keepdim=True) + torch.randn(ROWS, 1, generator=generator, dtype=torch.float64)
    least = (x @ torch.linalg.lstsq(x, y).solution - y).square().mean()
    w = torch.zeros(COLUMNS, 1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([w], LOW if name == "low" else HIGH)
    warmup = LinearLR(optimizer, 1 / WARMUP, total_iters=WARMUP - 1)
    schedule = SequentialLR(optimizer, [warmup, CosineAnnealingLR(optimizer, STEPS - WARMUP)], [WARMUP])
    if name != "schedule":
        optimizer.param_groups[0]["lr"] = LOW if name == "low" else HIGH
    rates, losses = [], []
    for step in range(STEPS + 1):
        if step % EVERY == 0:
            rates.append(round(float(optimizer.param_groups[0]["lr"]), 5))
            beyond = ((x @ w - y).square().mean() - least).item()
            losses.append(float(f"{beyond:.3g}"))
        rows = torch.randint(ROWS, (BATCH,), generator=generator)
        optimizer.zero_grad()
        (x[rows] @ w - y[rows]).square().mean().backward()
        optimizer.step()
        if name == "schedule":
            schedule.step()
    return {"rates": rates, "losses": losses}


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the rates, and beside them the losses."""
    figure.set_figheight(2.6)
    left, right = figure.subplots(1, 2)
    for name, (told, colour) in RUNS.items():
        steps = range(0, STEPS + 1, EVERY)
        left.plot(steps, numbers[name]["rates"], color=colour)
        right.plot(steps, numbers[name]["losses"], color=colour, label=told)
    left.set_title("learning rate")
    right.set_title("loss on all rows, beyond the least")
    right.set_yscale("log")
    right.set_yticks([0.1, 1, 10], ["0.1", "1", "10"])
    right.minorticks_off()
    right.legend(fontsize=8)
    for axes in (left, right):
        axes.set_xlabel("step")
        axes.set_xlim(0, STEPS)
