"""What torch says of averages, of optimizers and of what they keep, measured."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from ..shared.described import execute, placed
from ..shared.shapes import Shape
from .scenarios import NO_GROUP, changing_model, decay


def program(lines: list[str], watched: list[str], device: str) -> dict[str, Any]:
    """Return the values of the watched expressions after these lines with torch's own optimizers."""
    return execute(placed(lines, device), watched, {"SGD": _sgd, "RMSProp": _rmsprop, "Adam": _adam, "AdamW": _adamw})


# torch's own arguments are in another order, or by name only. foreach=False takes one parameter after the other: on a
# GPU torch takes all of them at once by default, and then SGD's step ahead is added to the gradients themselves.


def _sgd(
    params: Any,
    lr: float = 0.01,
    momentum: float = 0.0,
    dampening: float = 0.0,
    weight_decay: float = 0.0,
    nesterov: bool = False,
) -> torch.optim.Optimizer:
    return torch.optim.SGD(params, lr, momentum, dampening, weight_decay, nesterov, foreach=False)


def _rmsprop(
    params: Any,
    lr: float = 0.01,
    alpha: float = 0.99,
    eps: float = 1e-8,
    weight_decay: float = 0.0,
    momentum: float = 0.0,
) -> torch.optim.Optimizer:
    return torch.optim.RMSprop(params, lr, alpha, eps, weight_decay, momentum, foreach=False)


def _adam(
    params: Any,
    lr: float = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.0,
) -> torch.optim.Optimizer:
    return torch.optim.Adam(params, lr, betas, eps, weight_decay, foreach=False)


def _adamw(
    params: Any,
    lr: float = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.01,
) -> torch.optim.Optimizer:
    return torch.optim.AdamW(params, lr, betas, eps, weight_decay, foreach=False)


def running_average(values: list[float], beta: float, corrected: bool = True) -> list[float]:
    """Return Adam's first average when fed the values; if corrected, divided by the same for as many ones."""
    p = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Adam([p], betas=(beta, 0.5))
    averages = []
    for value in values:
        p.grad = torch.tensor([value, 1.0], dtype=torch.float64)
        optimizer.step()
        average, weight = optimizer.state[p]["exp_avg"].tolist()
        averages.append(average / weight if corrected else average)
    return averages


def decays(lines: list[str], weight_decay: float, device: str) -> dict[str, object]:
    """Return what happens to each parameter of a model, by its dimensions and by whether it is trained."""
    made = changing_model(lines, lambda model, weight_decay: [], device)
    return {
        name: decay(weight_decay if len(p.shape) > 1 else 0.0) if p.requires_grad else NO_GROUP
        for name, p in made.named_parameters()
    }


def state_bytes(
    optimizer: str,
    shapes: list[Shape],
    dtype: torch.dtype = torch.float32,
    momentum: float = 0.0,
    amsgrad: bool = False,
) -> dict[str, int]:
    """Return the bytes that torch's optimizer of that name stores after a step on meta, by the name of a state."""
    params = [torch.empty(shape, dtype=dtype, device="meta", requires_grad=True) for shape in shapes]
    settings: dict[str, Any] = {
        "SGD": {"momentum": momentum},
        "RMSprop": {"momentum": momentum},
        "Muon": {"momentum": momentum, "ns_steps": 0},  # what it iterates takes most of its time, and no state
        "Adam": {"amsgrad": amsgrad},
        "AdamW": {"amsgrad": amsgrad},
    }
    kept: dict[str, int] = {}
    if params:  # torch makes no optimizer of none
        made = getattr(torch.optim, optimizer)(params, **settings.get(optimizer, {}))
        for p in params:
            p.grad = torch.empty_like(p)
        made.step()
        for states in made.state.values():
            for name, state in states.items():
                if isinstance(state, Tensor):
                    kept[name] = kept.get(name, 0) + state.untyped_storage().nbytes()
    return kept


def orthogonalized(grad: Tensor, steps: int) -> Tensor:
    """Return the polynomial of the singular values, with the values and vectors that torch finds in float64."""
    left, values, right = torch.linalg.svd(grad.double(), full_matrices=False)
    values = values / values.norm().clamp(min=1e-300)
    for _ in range(steps):
        values = 3.4445 * values - 4.7750 * values**3 + 2.0315 * values**5
    found: Tensor = ((left * values) @ right).to(grad.dtype)
    return found


def orthogonalize(lines: list[str], device: str) -> dict[str, object]:
    """Return what a program that orthogonalizes `grad` leaves."""

    def function(grad: Tensor, steps: int = 5) -> Tensor:
        return orthogonalized(grad, steps)

    return execute(placed(lines, device), ["x", "grad"], {"orthogonalize": function})
