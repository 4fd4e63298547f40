"""What torch says of narrow numbers: casts, autocast, its scaler and its optimizers, each asked directly."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.amp.grad_scaler import GradScaler
from torch.nn import functional as F
from torch.optim import Optimizer

from . import scenarios
from .programs_resumed import STATE

Loss = Callable[[Tensor, Tensor], Tensor]


def program(function: str, lines: list[str], watched: list[str]) -> dict[str, Any]:
    """Return the watched expressions after these lines, with the functions below in place of the learner's."""
    return scenarios.executed(FUNCTIONS[function], function, lines, watched)


def carried(function: str, before: list[str], after: list[str], watched: list[str]) -> dict[str, Any]:
    """Return what the second program sees if both run in one process, with a file in memory."""
    lines = ["file = io.BytesIO()", *before, "_ = file.seek(0)", *after]
    return program(function, [line.replace(STATE, "file") for line in lines], watched)


OPTIMIZERS: tuple[Callable[[list[Tensor]], Optimizer], ...] = (
    lambda params: torch.optim.SGD(params, lr=0.5),
    lambda params: torch.optim.SGD(params, lr=0.5, momentum=0.5),
    torch.optim.AdamW,
    functools.partial(torch.optim.Adam, amsgrad=True),
)
"""Those that keep 0, 1, 2 and 3 numbers of a parameter."""


def _keeping(param: Tensor, states: int) -> Optimizer:
    """Return an optimizer that keeps this many numbers per parameter; torch's own keep three at most."""
    optimizer = torch.optim.SGD([param], lr=0.5)
    optimizer.state[param].update({str(place): torch.zeros_like(param) for place in range(states)})
    return optimizer


SMALL = 10_000
"""More parameters than this are on meta, which keeps no numbers, and knows nothing of autocast."""


@functools.lru_cache(maxsize=1024)
def training_bytes(num_params: int, recipe: str, states: int = 2) -> dict[str, int]:
    """Return the bytes of the storages that exist after a step of a layer, by purpose."""
    device = "cpu" if num_params <= SMALL else "meta"
    dtype = torch.bfloat16 if recipe in ("bfloat16", "master") else torch.float32
    weight = torch.zeros(1, num_params, dtype=dtype, device=device, requires_grad=True)
    autocast = recipe == "autocast" and device == "cpu"
    with torch.autocast("cpu", dtype=torch.bfloat16) if autocast else contextlib.nullcontext():
        output = F.linear(torch.zeros(1, num_params, dtype=dtype, device=device), weight)
    output.backward()
    masters = [weight.detach().float()] if recipe == "master" else []
    moved = masters[0].requires_grad_() if masters else weight
    assert weight.grad is not None
    gradient, moved.grad = weight.grad, weight.grad.to(moved.dtype)
    optimizer = OPTIMIZERS[states]([moved]) if states < len(OPTIMIZERS) else _keeping(moved, states)
    optimizer.step()
    kept = [value for state in optimizer.state.values() for name, value in state.items() if name != "step"]
    found = {"weights": [weight], "gradients": [gradient], "masters": masters}
    found["states"] = [value for value in kept if isinstance(value, Tensor)]
    return {name: sum(x.untyped_storage().nbytes() for x in tensors) for name, tensors in found.items() if tensors}


def lost_gradients(grads: Tensor, dtype: torch.dtype = torch.float16, scale: float = 1.0) -> tuple[int, int]:
    """Return how many fewer numbers are nonzero after the cast, and how many fewer are finite."""
    stored = (grads * scale).to(dtype)
    kinds: tuple[Callable[[Tensor], Tensor], ...] = (torch.count_nonzero, lambda x: torch.isfinite(x).sum())
    zeros, infinite = (int(count(grads)) - int(count(stored)) for count in kinds)
    return zeros, infinite


def largest_scale(grads: Tensor) -> float:
    """Return the last power of two, among the normal float32 ones, at which the cast leaves all gradients finite."""
    scales = torch.tensor([2.0**exponent for exponent in range(-126, 127)])
    fits = (grads.flatten() * scales[:, None]).half().isfinite().all(dim=1)
    return scales[fits].max().item()


CALLS: dict[str, Callable[..., Tensor]] = {
    "matmul": torch.matmul,
    "linear": F.linear,
    "mse_loss": F.mse_loss,
    "add": torch.add,
    "mul": torch.mul,
    "cat": lambda *parts: torch.cat(parts),
    "cross_entropy": lambda logits: F.cross_entropy(logits, torch.tensor([0, 1, 2])),
    "prod": torch.prod,
    "relu": F.relu,
    "gelu": F.gelu,
    "softmax": lambda x: F.softmax(x, -1),
    "layer_norm": lambda x: F.layer_norm(x, (3,)),
    "exp": torch.exp,
    "sum": torch.sum,
    "mean": torch.mean,
}
"""The operations that are asked about."""


@functools.cache
def autocast_dtype(op: str, *dtypes: torch.dtype, lower: torch.dtype = torch.bfloat16) -> torch.dtype:
    """Run the operation itself, and return the dtype of its result."""
    operands = [torch.ones(3, 3, dtype=dtype) for dtype in dtypes]
    with torch.autocast("cpu", dtype=lower):
        return CALLS[op](*operands).dtype


def neighbours(x: Tensor) -> tuple[Tensor, Tensor]:
    """Return the bfloat16 numbers on both sides of each float32: the one near 0, and the one away from 0."""
    upper = x.view(torch.int32) >> 16
    near = (upper << 16).view(torch.float32)
    away = ((upper + 1) << 16).view(torch.float32)
    return near, torch.where(near == x, x, away)


def chances(x: Tensor) -> Tensor:
    """Return the probability of rounding each float32 away from 0; it is 0 if bfloat16 can hold the number."""
    near, away = (side.double() for side in neighbours(x))
    return torch.where(near == away, 0.0, (x.double() - near) / (away - near))


def stochastic_round(x: Tensor, generator: torch.Generator) -> Tensor:
    """Round each number by its chance, compared with a random float64."""
    near, away = neighbours(x)
    goes = torch.rand(x.shape, generator=generator, dtype=torch.float64) < chances(x)
    return torch.where(goes, away, near).bfloat16()


class MasterWeights:
    """torch's optimizer on float32 parameters that get the same gradients, rounded after each step."""

    def __init__(self, params: list[Tensor], make: Callable[[list[Tensor]], Optimizer]) -> None:
        self.params = params
        self.wide = [torch.tensor(p.tolist(), dtype=torch.float32).requires_grad_() for p in params]
        self.optimizer = make(self.wide)

    def step(self) -> None:
        """Step, and round."""
        for p, wide in zip(self.params, self.wide, strict=True):
            wide.grad = p.grad if p.grad is None else p.grad.to(torch.float32)
        self.optimizer.step()
        self.write()

    def write(self) -> None:
        """Round the float32 parameters into the narrow ones."""
        for p, wide in zip(self.params, self.wide, strict=True):
            p.data.copy_(wide.data)

    def zero_grad(self) -> None:
        """Set the gradients to None."""
        for p in self.params:
            p.grad = None

    def state_dict(self) -> dict[str, Any]:
        """Return the parameters and the optimizer's state."""
        return {"wide": [wide.detach().clone() for wide in self.wide], "optimizer": self.optimizer.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Load the optimizer's state and the parameters."""
        self.optimizer.load_state_dict(state["optimizer"])
        for wide, saved in zip(self.wide, state["wide"], strict=True):
            wide.data.copy_(saved)
        self.write()


def mixed_step(
    model: nn.Module,
    optimizer: Optimizer,
    scaler: GradScaler,
    loss_of: Loss,
    x: Tensor,
    y: Tensor,
    lower: torch.dtype = torch.bfloat16,
    max_norm: float = math.inf,
    scheduler: Any = None,
) -> bool:
    """Take the step with torch's parts, and a hook that records whether the optimizer stepped."""
    steps: list[object] = []
    hook = optimizer.register_step_post_hook(lambda *arguments: steps.append(arguments))
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=lower):
        loss = loss_of(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scaler.step(optimizer)
    scaler.update()
    hook.remove()
    if steps and scheduler is not None:
        scheduler.step()
    return bool(steps)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "lost_gradients": lost_gradients,
    "largest_scale": largest_scale,
    "LossScaler": functools.partial(GradScaler, "cpu"),
    "MasterWeights": MasterWeights,
    "stochastic_round": stochastic_round,
    "mixed_step": mixed_step,
}
