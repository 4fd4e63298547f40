"""Kata 11 solved."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize
from torch.optim import Optimizer


def running_average(values: list[float], beta: float, corrected: bool = True) -> list[float]:
    """Average the values, and ones in the same way."""
    if not 0 <= beta < 1:
        raise ValueError(f"beta must be at least 0 and below 1: {beta}")
    average = weight = 0.0
    averages = []
    for value in values:
        average = beta * average + (1 - beta) * value
        weight = beta * weight + (1 - beta)
        averages.append(average / weight if corrected else average)
    return averages


class _Stepping(Optimizer):
    """Takes a step for all parameters that have a gradient; a subclass says how one of them moves."""

    def step(self, closure: Callable[[], Any] | None = None) -> Any:  # type: ignore[override]
        """Take one step."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self._move(p, p.grad, self.state[p], group)
        return loss

    def _move(self, p: Tensor, grad: Tensor, state: dict[str, Any], settings: dict[str, Any]) -> None:
        raise NotImplementedError


class SGD(_Stepping):
    """Gradient descent with momentum."""

    def __init__(
        self,
        params: Any,
        lr: float = 0.01,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        _refuse_negative(lr=lr, momentum=momentum, weight_decay=weight_decay)
        if nesterov and (momentum == 0 or dampening != 0):
            raise ValueError(f"nesterov with a momentum of {momentum} and a dampening of {dampening}")
        settings = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
        super().__init__(params, settings | {"nesterov": nesterov})

    def _move(self, p: Tensor, grad: Tensor, state: dict[str, Any], settings: dict[str, Any]) -> None:
        grad = grad + settings["weight_decay"] * p
        momentum = settings["momentum"]
        if momentum != 0:
            if "buffer" in state:
                state["buffer"] = momentum * state["buffer"] + (1 - settings["dampening"]) * grad
            else:
                state["buffer"] = grad
            grad = grad + momentum * state["buffer"] if settings["nesterov"] else state["buffer"]
        p.sub_(settings["lr"] * grad)


class RMSProp(_Stepping):
    """AdaGrad with an average instead of the sum."""

    def __init__(
        self,
        params: Any,
        lr: float = 0.01,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
    ) -> None:
        settings = {"lr": lr, "alpha": alpha, "eps": eps, "weight_decay": weight_decay, "momentum": momentum}
        _refuse_negative(**settings)
        super().__init__(params, settings)

    def _move(self, p: Tensor, grad: Tensor, state: dict[str, Any], settings: dict[str, Any]) -> None:
        if not state:
            state["squares"], state["buffer"] = torch.zeros_like(p), torch.zeros_like(p)
        grad = grad + settings["weight_decay"] * p
        state["squares"].lerp_(grad.square(), 1 - settings["alpha"])
        state["buffer"].mul_(settings["momentum"]).add_(grad / (state["squares"].sqrt() + settings["eps"]))
        p.sub_(settings["lr"] * state["buffer"])


class Adam(_Stepping):
    """RMSProp with an average of the gradients too, and both averages corrected."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        _refuse_negative(lr=lr, eps=eps, weight_decay=weight_decay)
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"betas must be at least 0 and below 1: {betas}")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def _move(self, p: Tensor, grad: Tensor, state: dict[str, Any], settings: dict[str, Any]) -> None:
        _move_by_averages(p, grad + settings["weight_decay"] * p, state, settings)


class AdamW(Adam):
    """Adam with the decay apart from the gradient."""

    def __init__(
        self,
        params: Any,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay)

    def _move(self, p: Tensor, grad: Tensor, state: dict[str, Any], settings: dict[str, Any]) -> None:
        p.mul_(1 - settings["lr"] * settings["weight_decay"])
        _move_by_averages(p, grad, state, settings)


def _move_by_averages(p: Tensor, grad: Tensor, state: dict[str, Any], settings: dict[str, Any]) -> None:
    """Move one parameter by Adam's two averages, which begin with its first gradient."""
    if not state:
        state["steps"], state["average"], state["squares"] = 0, torch.zeros_like(p), torch.zeros_like(p)
    state["steps"] += 1
    beta1, beta2 = settings["betas"]
    average = state["average"].lerp_(grad, 1 - beta1) / (1 - beta1 ** state["steps"])
    squares = state["squares"].lerp_(grad.square(), 1 - beta2) / (1 - beta2 ** state["steps"])
    p.sub_(settings["lr"] * average / (squares.sqrt() + settings["eps"]))


def _refuse_negative(**settings: float) -> None:
    for name, value in settings.items():
        if value < 0:
            raise ValueError(f"{name} must not be negative: {value}")


def decay_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Make one group of matrices, and one of everything else."""
    _refuse_negative(weight_decay=weight_decay)
    trained = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in trained if p.ndim >= 2], "weight_decay": weight_decay},
        {"params": [p for p in trained if p.ndim < 2], "weight_decay": 0.0},
    ]


def state_bytes(
    optimizer: str,
    shapes: list[tuple[int, ...]],
    dtype: torch.dtype = torch.float32,
    momentum: float = 0.0,
    amsgrad: bool = False,
) -> int:
    """Count the states that have a parameter's size, and the count of its steps."""
    with_momentum, with_amsgrad = int(momentum != 0), int(amsgrad)
    kept = {
        "SGD": (with_momentum, 0),
        "Adagrad": (1, 4),
        "RMSprop": (1 + with_momentum, 4),
        "Adam": (2 + with_amsgrad, 4),
        "AdamW": (2 + with_amsgrad, 4),
        "Muon": (1, 0),
    }
    if optimizer not in kept or (optimizer == "Muon" and any(len(shape) != 2 for shape in shapes)):
        raise ValueError(f"no state of {optimizer} for {shapes}")
    states, count = kept[optimizer]
    return sum(states * math.prod(shape) * dtype.itemsize + count for shape in shapes)


def orthogonalize(grad: Tensor, steps: int = 5) -> Tensor:
    """Apply a polynomial to the singular values, with matrix products alone."""
    if grad.ndim != 2:
        raise ValueError(f"a matrix has two dimensions, and this has {grad.ndim}")
    x = normalize(grad, dim=(0, 1))
    for _ in range(steps):
        gram = x @ x.mT
        x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
    return x
