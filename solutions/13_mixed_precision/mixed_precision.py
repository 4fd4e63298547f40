"""Kata 13, solved: which numbers may be narrow, and what recovers what is lost."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

LOWER = {"matmul", "linear"}
WIDE = {"mse_loss", "cross_entropy", "prod"}
AS_IT_COMES = {"add", "mul", "cat", "relu", "gelu", "softmax", "layer_norm", "exp", "sum", "mean"}

BYTES = {"float32": (8, 4), "bfloat16": (4, 2), "autocast": (8, 4), "master": (8, 4)}
"""Of weight, gradient and master together, and of each state."""

BEYOND, LARGEST = 65520, torch.finfo(torch.float32).max
"""The least number that float16 rounds to inf, and float32's largest."""


def training_bytes(num_params: int, recipe: str, states: int = 2) -> int:
    """Count the bytes: mixed precision saves activations, and only pure bfloat16 saves some of these bytes."""
    if recipe not in BYTES or num_params < 0 or states < 0:
        raise ValueError(f"{num_params} parameters by {recipe} with {states} states")
    fixed, state = BYTES[recipe]
    return num_params * (fixed + state * states)


def lost_gradients(grads: Tensor, dtype: torch.dtype = torch.float16, scale: float = 1.0) -> tuple[int, int]:
    """Cast, and compare with what was there before."""
    stored = (grads * scale).to(dtype)
    zeros = (grads != 0) & (stored == 0)
    return int(zeros.sum()), int((grads.isfinite() & ~stored.isfinite()).sum())


def largest_scale(grads: Tensor) -> float:
    """Find the largest exponent that stays below 65520."""
    largest = grads.abs().max().item() if grads.numel() else 0.0
    if not 0 < largest < math.inf:
        raise ValueError(f"the largest gradient is {largest}")
    mantissa, exponent = math.frexp(BEYOND / largest)
    return 2.0 ** (exponent - 1 - (mantissa == 0.5))


def autocast_dtype(op: str, *dtypes: torch.dtype, lower: torch.dtype = torch.bfloat16) -> torch.dtype:
    """Look the operation up in two lists; everything else is on neither."""
    double = torch.float64 in dtypes
    if op in LOWER:
        if double and set(dtypes) != {torch.float64}:
            raise ValueError(f"{op} of {dtypes}: float64 is not cast")
        return torch.float64 if double else lower
    if op in WIDE:
        return torch.float64 if double else torch.float32
    if op not in AS_IT_COMES:
        raise ValueError(f"nothing is known of {op!r}")
    return torch.promote_types(dtypes[0], dtypes[-1])


class LossScaler:
    """A scaler that remembers what it found for each optimizer until the update."""

    def __init__(
        self,
        init_scale: float = 65536.0,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
    ) -> None:
        if init_scale <= 0 or growth_factor <= 1 or not 0 < backoff_factor < 1 or growth_interval < 1:
            raise ValueError(f"{init_scale}, {growth_factor}, {backoff_factor}, {growth_interval} scale nothing")
        self._scale, self._count = float(init_scale), 0
        self._settings = growth_factor, backoff_factor, growth_interval
        self._found: dict[int, bool] = {}
        self._stepped: set[int] = set()

    def scale(self, loss: Tensor) -> Tensor:
        """Multiply, as in any other product."""
        return loss * self._scale

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divide, and check for inf and nan."""
        if id(optimizer) in self._found:
            raise RuntimeError("these gradients are unscaled already")
        gradients = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        for gradient in gradients:
            gradient.div_(self._scale)
        self._found[id(optimizer)] = not all(gradient.isfinite().all() for gradient in gradients)

    def step(self, optimizer: Optimizer) -> None:
        """Unscale unless that was done, and step unless something was found."""
        if id(optimizer) in self._stepped:
            raise RuntimeError("update comes before another step")
        if id(optimizer) not in self._found:
            self.unscale_(optimizer)
        self._stepped.add(id(optimizer))
        if not self._found[id(optimizer)]:
            optimizer.step()

    def update(self) -> None:
        """Back off at once, grow after a while."""
        growth, backoff, interval = self._settings
        self._count += 1
        if any(self._found.values()):
            self._scale, self._count = self._scale * backoff, 0
        elif self._count == interval:
            grown = self._scale * growth
            self._scale, self._count = grown if grown <= LARGEST else self._scale, 0
        self._found, self._stepped = {}, set()

    def get_scale(self) -> float:
        """Return what a loss is multiplied by."""
        return self._scale

    def state_dict(self) -> dict[str, Any]:
        """Return what is remembered between two steps."""
        return {"scale": self._scale, "count": self._count, "settings": self._settings}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from there."""
        self._scale, self._count, self._settings = state["scale"], state["count"], state["settings"]


class MasterWeights:
    """Narrow weights with an optimizer that knows only the masters."""

    def __init__(self, params: list[Tensor], make: Callable[[list[Tensor]], Optimizer]) -> None:
        self._params = params
        self._masters = [p.detach().float().requires_grad_() for p in params]
        self._optimizer = make(self._masters)

    def step(self) -> None:
        """Pass gradients up to the masters, and weights back down."""
        for p, master in zip(self._params, self._masters, strict=True):
            master.grad = None if p.grad is None else p.grad.float()
        self._optimizer.step()
        self._round()

    def _round(self) -> None:
        with torch.no_grad():
            for p, master in zip(self._params, self._masters, strict=True):
                p.copy_(master)

    def zero_grad(self) -> None:
        """Drop the gradients."""
        for p in self._params:
            p.grad = None

    def state_dict(self) -> dict[str, Any]:
        """Return the masters with all their bits, and the optimizer's state."""
        return {"masters": [master.detach() for master in self._masters], "optimizer": self._optimizer.state_dict()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Copy into the masters that the optimizer has."""
        with torch.no_grad():
            for master, saved in zip(self._masters, state["masters"], strict=True):
                master.copy_(saved)
        self._optimizer.load_state_dict(state["optimizer"])
        self._round()


def stochastic_round(x: Tensor, generator: torch.Generator) -> Tensor:
    """Add noise to the low half of the bits, so that it carries into the upper half with the right probability."""
    noise = torch.randint(0, 2**16, x.shape, generator=generator, dtype=torch.int32, device=x.device)
    return ((x.view(torch.int32) + noise) & -(2**16)).view(torch.float32).bfloat16()


def mixed_step(
    model: nn.Module,
    optimizer: Optimizer,
    scaler: Any,
    loss_of: Callable[[Tensor, Tensor], Tensor],
    x: Tensor,
    y: Tensor,
    lower: torch.dtype = torch.bfloat16,
    max_norm: float = math.inf,
    scheduler: Any = None,
) -> bool:
    """Take the step; the scale falls exactly when the step was skipped."""
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=lower):
        loss = loss_of(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    scale: float = scaler.get_scale()
    scaler.step(optimizer)
    scaler.update()
    moved: bool = scaler.get_scale() >= scale
    if moved and scheduler is not None:
        scheduler.step()
    return moved
