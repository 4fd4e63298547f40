"""The figure of lesson 06: a run that is killed, and two that go on from its checkpoint."""

import multiprocessing
import os
import signal
import tempfile
from pathlib import Path
from typing import Any

import torch
from torch import nn

from dojo.figures import BLUE, FAINT, GREEN, ORANGE
from dojo.judging.diagnose import solution

solved = solution("06_checkpoint")

STEPS, SAVED, DIES = 60, 30, 42
"""Steps of the run, after which one it is saved, and after which it is killed."""


class Run:
    """A regression on random rows of data with dropout, its learning rate on a schedule."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        self.model = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 1))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.005)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, STEPS)
        self.step = 0

    def train(self) -> float:
        """Take a step, and return its loss."""
        rows = torch.randn(64, 4)
        loss = (self.model(rows) - rows.sum(dim=1, keepdim=True)).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
        self.step += 1
        return float(loss.item())


def measure() -> dict[str, Any]:
    """Train in one go; in a process that is killed; and on from its checkpoint, with all of it and with a part."""
    with tempfile.TemporaryDirectory() as folder:
        child = multiprocessing.get_context("spawn").Process(target=_killed, args=(folder,))
        child.start()
        child.join()
        killed = [float(line) for line in (Path(folder) / "losses").read_text(encoding="utf-8").split()]
        saved = Path(folder) / "run.ckpt"
        straight = Run()
        losses = {"in one go": _losses(straight), "killed": killed}
        whole = Run()
        whole.step = solved.load_checkpoint(saved, whole.model, whole.optimizer, whole.scheduler)
        losses["all of it"] = _losses(whole)
        part = Run()
        part.step = solved.load_checkpoint(saved, part.model, part.optimizer)
        torch.manual_seed(0)  # as its program begins
        losses["model and optimizer"] = _losses(part)
    return {
        "killed by signal": -(child.exitcode or 0),
        "equal to the bit": losses["in one go"][SAVED:] == losses["all of it"] and killed == losses["in one go"][:DIES],
        **{name: [float(f"{loss:.4g}") for loss in each] for name, each in losses.items()},
    }


def _losses(run: Run) -> list[float]:
    return [run.train() for _ in range(STEPS - run.step)]


def _killed(folder: str) -> None:
    """Train, save once, and have the kernel end this process without a word."""
    run = Run()
    with (Path(folder) / "losses").open("w", encoding="utf-8") as file:
        for _ in range(DIES):
            print(run.train(), file=file, flush=True)
            if run.step == SAVED:
                solved.save_checkpoint(Path(folder) / "run.ckpt", run.model, run.optimizer, run.step, run.scheduler)
        os.kill(os.getpid(), signal.SIGKILL)


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the losses step by step, and when the run was saved and killed."""
    figure.set_figheight(3.6)
    axes = figure.add_subplot()
    steps = range(1, STEPS + 1)
    same = "equal to the bit" if numbers["equal to the bit"] else "NOT equal"
    axes.semilogy(steps, numbers["in one go"], color=FAINT, alpha=0.5, linewidth=5, label="never killed")
    axes.plot(steps[:DIES], numbers["killed"], color=BLUE, linewidth=1.2, label=f"killed after step {DIES}")
    axes.plot(steps[DIES - 1], numbers["killed"][-1], "X", color=BLUE, markersize=9)
    axes.plot(steps[SAVED:], numbers["all of it"], "o", color=GREEN, markersize=3.5, label=f"on from all of it: {same}")
    axes.plot(
        steps[SAVED:], numbers["model and optimizer"], "--^", color=ORANGE, markersize=3.5, linewidth=1,
        label="on from model and optimizer alone",
    )  # fmt: skip
    axes.axvline(SAVED + 0.5, color=FAINT, linewidth=0.8, linestyle=":")
    axes.text(SAVED + 0.2, axes.get_ylim()[1], f"saved after step {SAVED}", ha="right", va="top", color=FAINT)
    axes.set_xlabel("step")
    axes.set_ylabel("loss")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.legend(loc="lower left")
