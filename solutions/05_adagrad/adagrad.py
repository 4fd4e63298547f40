"""Kata 05 solved."""

from collections.abc import Callable
from typing import Any

import torch
from torch.optim import Optimizer


class SGD(Optimizer):
    """Gradient descent."""

    def __init__(self, params: Any, lr: float = 0.01) -> None:
        if lr < 0:
            raise ValueError(f"lr must not be negative: {lr}")
        super().__init__(params, {"lr": lr})

    def step(self, closure: Callable[[], Any] | None = None) -> Any:  # type: ignore[override]
        """Take one step."""
        loss = _evaluate(closure)
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        p.sub_(group["lr"] * p.grad)
        return loss


class AdaGrad(Optimizer):
    """AdaGrad, with eps outside the root."""

    def __init__(
        self,
        params: Any,
        lr: float = 0.01,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
    ) -> None:
        settings = {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps}
        settings["initial_accumulator_value"] = initial_accumulator_value
        for name, value in settings.items():
            if value < 0:
                raise ValueError(f"{name} must not be negative: {value}")
        super().__init__(params, settings)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:  # type: ignore[override]
        """Take one step."""
        loss = _evaluate(closure)
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        _update(p, p.grad, self.state[p], group)
        return loss


def _update(p: torch.Tensor, grad: torch.Tensor, state: dict[str, Any], settings: dict[str, Any]) -> None:
    """Update one parameter. Its state starts with its first gradient."""
    if not state:
        state["steps"] = 0
        state["sum"] = torch.full_like(p, settings["initial_accumulator_value"])
    lr = settings["lr"] / (1 + state["steps"] * settings["lr_decay"])
    grad = grad + settings["weight_decay"] * p
    state["steps"] += 1
    state["sum"] += grad.square()
    p.sub_(lr * grad / (state["sum"].sqrt() + settings["eps"]))


def _evaluate(closure: Callable[[], Any] | None) -> Any:
    if closure is None:
        return None
    with torch.enable_grad():
        return closure()


def training_memory(
    dim: int, num_layers: int, batch_size: int, bytes_per_value: int = 4, states_per_param: int = 1
) -> int:
    """Count parameters, gradients and states for each parameter, and activations, which grow with the batch."""
    params = num_layers * dim * dim + dim
    activations = num_layers * batch_size * dim
    return bytes_per_value * (params * (2 + states_per_param) + activations)
