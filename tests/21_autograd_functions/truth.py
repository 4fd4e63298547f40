"""What torch's own functions return, give back, keep and compute in the same programs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from ..shared.own_functions import REFUSED
from . import scenarios
from .typed import Case


def program(function: str, case: Case, device: str) -> tuple[dict[str, object], dict[str, int]]:
    """What the watched expressions are worth with torch's function, and the most that the others may be.

    Nothing is hidden, and every node of the graph is of a Function: that is asked of a learner's alone.
    """
    own = [name for name in case.watched if not name.startswith(("hidden(", "not_yours("))]
    measured = [name for name, most in case.most.items() if most is None]
    found: dict[str, Any] = scenarios.program(TORCHS, function, case.lines, [*own, *measured], device)
    if found.get("second") == REFUSED:  # torch knows that a gradient is constant
        found["second"] = [torch.zeros_like(leaf) for leaf in found["leaves"]]
    right = {name: found[name] if name in own else [] for name in case.watched}
    return right, {name: found[name] if most is None else most for name, most in case.most.items()}


def round_ste(x: Tensor, step: float) -> tuple[Tensor, Tensor]:
    """By the operator that trains quantized models."""
    rounded = torch.fake_quantize_per_tensor_affine(x, step, 0, -(2**20), 2**20)
    return rounded, (x - rounded).detach()


def rms_norm(x: Tensor, weight: Tensor, eps: float = 1e-6) -> Tensor:
    """Over the last dimension."""
    return F.rms_norm(x, x.shape[-1:], weight, eps)


def swiglu(gate: Tensor, up: Tensor) -> Tensor:
    """The two operations."""
    return F.silu(gate) * up


def cross_entropy(logits: Tensor, targets: Tensor, ignore_index: int = -100) -> Tensor:
    """The mean over what is not ignored."""
    return F.cross_entropy(logits, targets, ignore_index=ignore_index)


def linear_cross_entropy(x: Tensor, weight: Tensor, targets: Tensor, rows: int) -> Tensor:
    """In one go."""
    return F.cross_entropy(x @ weight.mT, targets)


def define_swiglu(name: str) -> Any:
    """An operator of torch's library around the two operations, whose gradients are those of autograd."""

    @torch.library.custom_op(name, mutates_args=(), schema="(Tensor gate, Tensor up) -> Tensor")
    def op(gate: Tensor, up: Tensor) -> Tensor:
        return swiglu(gate, up)

    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        with torch.enable_grad():
            leaves = [tensor.detach().requires_grad_() for tensor in ctx.saved_tensors]
            return torch.autograd.grad(swiglu(*leaves), leaves, grad)

    op.register_fake(swiglu)
    op.register_autograd(backward, setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs))
    return op


TORCHS: Any = SimpleNamespace(
    relu=torch.relu,
    relu_=torch.relu_,
    round_ste=round_ste,
    linear=F.linear,
    swiglu=swiglu,
    rms_norm=rms_norm,
    cross_entropy=cross_entropy,
    linear_cross_entropy=linear_cross_entropy,
    define_swiglu=define_swiglu,
)
