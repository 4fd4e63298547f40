"""Small training runs that use every kind of randomness, and what there is to see of one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from dojo.seam.data import plain, same

from ..shared.described import execute

Lines = list[str]

WIDTH = 3
"""Columns of the data."""
ROWS = 8
IMPORTS = ["import random", "import numpy", "from torch.optim import *", "from torch.optim.lr_scheduler import *"]


@dataclass
class Run:
    """A model in training, and how many steps it has taken."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    scheduler: Any
    device: str
    step: int = 0

    def train(self, steps: int) -> None:
        """Take steps on random rows of the data, with noise from numpy and from Python."""
        data = torch.linspace(-1, 1, ROWS * WIDTH, device=self.device).reshape(ROWS, WIDTH)
        target = data.sum(dim=1, keepdim=True).sin()
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # batch norm would wake all of them for four rows, and wait for them
        for _ in range(steps):
            rows = torch.randperm(ROWS, device="cpu")[:4].to(self.device)
            noise = 0.1 * np.random.randn() + random.gauss(0, 0.1)
            loss = (self.model(data[rows]) - target[rows] + noise).square().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if self.scheduler is not None:
                self.scheduler.step()
            self.step += 1
        torch.set_num_threads(threads)


def seed(number: int) -> None:
    """Seed all the random states of a run."""
    torch.manual_seed(number)
    np.random.seed(number)
    random.seed(number)


def make(lines: Lines, device: str, number: int) -> Run:
    """The run that the lines describe, its model made with this seed; nothing of it is left of an earlier one."""
    seed(number)
    names = ["model", "optimizer", "scheduler"]
    values = execute([*IMPORTS, *lines], names, {}, device)
    return Run(values["model"], values["optimizer"], values["scheduler"], device)


def everything(run: Run, *, gradients: bool = False) -> dict[str, object]:
    """All there is to see of a run, each under the expression that shows it; looking changes nothing."""
    seen = dict(_flat("model.state_dict()", run.model.state_dict()))
    seen |= _flat("optimizer.state_dict()", run.optimizer.state_dict())
    if run.scheduler is not None:
        seen |= _flat("scheduler.state_dict()", run.scheduler.state_dict())
    if gradients:
        seen |= _flat("gradients", {name: p.grad for name, p in run.model.named_parameters()})
        seen["model.training"] = run.model.training
    return seen | next_numbers(cuda=run.device != "cpu")


def next_numbers(*, cuda: bool = False) -> dict[str, object]:
    """The random numbers that would come next, from each source, every CUDA device among them; they still will."""
    before = torch.get_rng_state(), np.random.get_state(), random.getstate()
    states = torch.cuda.get_rng_state_all() if cuda else []
    numbers: dict[str, object] = {
        "torch.randn(1)": torch.randn(1, device="cpu"),
        "torch.rand(1)": torch.rand(1, device="cpu"),
        "numpy.random.randn()": float(np.random.randn()),
        "numpy.random.rand()": float(np.random.rand()),
        "random.gauss(0, 1)": random.gauss(0, 1),
        "random.random()": random.random(),
    }
    for place in range(len(states)):
        device = f"cuda:{place}"
        numbers[f"torch.rand(1, device={device!r})"] = torch.rand(1, device=device).cpu()
    torch.set_rng_state(before[0])
    np.random.set_state(before[1])
    random.setstate(before[2])
    torch.cuda.set_rng_state_all(states)
    return numbers


def changed(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """The expressions whose values are not the same any more."""
    names = before | after
    return [name for name in names if not (name in before and name in after and same(after[name], before[name]))]


def _flat(path: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(f"{path}[{key!r}]", item)
    elif isinstance(value, list | tuple) and any(isinstance(item, dict | Tensor) for item in value):
        for place, item in enumerate(value):
            yield from _flat(f"{path}[{place}]", item)
    else:
        yield path, plain(value)
