"""Small training runs that use every kind of randomness, and what there is to see of one."""

from __future__ import annotations

import contextlib
import functools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np
import torch
from torch import Tensor, nn

from dojo.seam.data import copied, plain, same

from ..shared.described import execute

Lines = list[str]

WIDTH = 3
"""Columns of the data."""
ROWS = 8
TABLE = '; model.register_buffer("table", torch.rand(400_000))'
"""What makes a model whose file is larger than a mebibyte, after the line that makes it."""
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
        dtype = next(self.model.parameters()).dtype
        data = torch.linspace(-1, 1, ROWS * WIDTH, dtype=dtype, device=self.device).reshape(ROWS, WIDTH)
        target = data.sum(dim=1, keepdim=True).sin()
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # batch norm would wake all of them for four rows, and wait for them
        for _ in range(steps):
            rows = torch.randperm(ROWS, device="cpu")[:4].to(self.device)
            noise = 0.1 * np.random.randn() + random.gauss(0, 0.1)
            self.optimizer.step(functools.partial(self._loss, data[rows], target[rows] - noise))
            if self.scheduler is not None:
                self.scheduler.step()
            self.step += 1
        torch.set_num_threads(threads)

    def _loss(self, data: Tensor, target: Tensor) -> float:
        """Make the gradients; some optimizers ask for them more than once a step."""
        loss: Tensor = (self.model(data) - target).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        return float(loss.detach())


def seed(number: int, device: str) -> None:
    """Seed all the random states of a run. torch.manual_seed would keep a stack for each GPU that it has not got."""
    torch.default_generator.manual_seed(number)
    if device != "cpu":
        torch.cuda.manual_seed_all(number)
    np.random.seed(number)
    random.seed(number)


def make(lines: Lines, device: str, number: int) -> Run:
    """The run that the lines describe, its model made with this seed; nothing of it is left of an earlier one."""
    seed(number, device)
    names = ["model", "optimizer", "scheduler"]
    values = execute([*IMPORTS, *lines], names, {}, device)
    return Run(values["model"], values["optimizer"], values["scheduler"], device)


State = dict[str, Any]
"""A run as data: what each of its parts says of itself, the gradients, and the random states."""


BY_HAND: dict[str, float] = {"lr": 0.07, "weight_decay": 0.03, "maximize": True}
"""Settings that may be changed by hand during a run, and to what."""


def straight(lines: Lines, number: int, steps: int, device: str, *, by_hand: Sequence[str] = (), after: int = 0) -> Run:
    """A run that takes its steps in one go. After so many of them, these of BY_HAND are set in each parameter group."""
    run = make(lines, device, number)
    run.train(after)
    for group in run.optimizer.param_groups:
        group.update(set_by_hand(lines, by_hand))
    run.train(steps - after)
    return run


def set_by_hand(lines: Lines, names: Sequence[str]) -> dict[str, float]:
    """Return those of these settings that the optimizer has, with what they are changed to."""
    rate_alone = any("LBFGS" in line for line in lines)
    return {name: BY_HAND[name] for name in names if name == "lr" or not rate_alone}


def snapshots(lines: Lines, number: int, steps: int, device: str) -> list[Snapshot]:
    """A run after 0 steps, after 1, and so on."""
    run = make(lines, device, number)
    taken = [snapshot(lines, run)]
    for _ in range(steps):
        run.train(1)
        taken.append(snapshot(lines, run))
    return taken


def state_of(run: Run) -> State:
    """The run as data on the CPU, to be sent to another process."""
    return {
        "model": _copied(run.model.state_dict()),
        "gradients": {name: _copied(p.grad) for name, p in run.model.named_parameters()},
        "optimizer": _copied(run.optimizer.state_dict()),
        "scheduler": _copied(run.scheduler.state_dict()) if run.scheduler is not None else None,
        "random": (torch.get_rng_state(), np.random.get_state(), _python_state()),
        "cuda": torch.cuda.get_rng_state_all() if run.device != "cpu" else [],
        "step": run.step,
    }


def _python_state() -> tuple[int, np.ndarray[Any, Any], float | None]:
    """Python's random state, its 625 words as an array, which is copied and sent at once."""
    version, words, gauss = random.getstate()
    return version, np.array(words), gauss


def _copied(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().cpu().clone()
    if isinstance(value, dict):
        return type(value)({key: _copied(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return type(value)(map(_copied, value))
    return copied(value)


def remade(lines: Lines, device: str, state: State) -> Run:
    """The run of these lines in this state: it says nothing of the seed that it comes from."""
    run = make(lines, device, 0)
    put(run, state)
    return run


def put(run: Run, state: State) -> None:
    """Bring a run into a state."""
    run.model.load_state_dict(state["model"])
    for name, parameter in run.model.named_parameters():
        gradient = state["gradients"][name]
        parameter.grad = gradient.to(run.device) if gradient is not None else None
    run.optimizer.load_state_dict(_copied(state["optimizer"]))  # it would take the tensors for its own
    if run.scheduler is not None:
        run.scheduler.load_state_dict(state["scheduler"])
    torch.set_rng_state(state["random"][0])
    np.random.set_state(state["random"][1])
    version, words, gauss = state["random"][2]
    random.setstate((version, tuple(words.tolist()), gauss))
    torch.cuda.set_rng_state_all(state["cuda"])
    run.step = state["step"]


@dataclass(frozen=True)
class Snapshot:
    """A run at one moment: the lines that make it, its step, and all there is to see of it then, and as data."""

    lines: Lines
    step: int
    seen: dict[str, object]
    state: State


def snapshot(lines: Lines, run: Run) -> Snapshot:
    """Take one of a run that was made by these lines."""
    return Snapshot(lines, run.step, everything(run, gradients=True), state_of(run))


@contextlib.contextmanager
def without_cuda(device: str) -> Iterator[None]:
    """A forked process cannot use CUDA: for a run on the CPU there is none, so that a checkpoint fits anywhere."""
    with contextlib.ExitStack() as stack:
        if device == "cpu":
            stack.enter_context(mock.patch("torch.cuda.is_available", bool))  # bool() is False, and int() 0
            for module in ("torch.cuda", "torch.cuda.random"):
                stack.enter_context(mock.patch(f"{module}.device_count", int))
        yield


def everything(run: Run, *, gradients: bool = False) -> dict[str, object]:
    """All there is to see of a run, each under the expression that shows it; looking changes nothing."""
    seen = dict(_flat("model.state_dict()", run.model.state_dict()))
    seen |= _flat("optimizer.state_dict()", _counts_on_cpu(run.optimizer.state_dict()))
    if run.scheduler is not None:
        seen |= _flat("scheduler.state_dict()", run.scheduler.state_dict())
    if gradients:
        seen |= _flat("gradients", {name: p.grad for name, p in run.model.named_parameters()})
    for name, module in run.model.named_modules():
        seen[f"model[{name}].training" if name else "model.training"] = module.training
    seen["[p.requires_grad for p in model.parameters()]"] = [p.requires_grad for p in run.model.parameters()]
    return seen | next_numbers(cuda=run.device != "cpu")


def _counts_on_cpu(optimizer: dict[str, Any]) -> dict[str, Any]:
    """The state_dict with each step on the CPU: load_state_dict leaves those where the file had them, and both work."""
    state = {place: _stepped(kept) for place, kept in optimizer["state"].items()}
    return optimizer | {"state": state}


def _stepped(kept: dict[str, Any]) -> dict[str, Any]:
    step = kept.get("step")
    return kept | {"step": step.cpu()} if isinstance(step, Tensor) else kept


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
