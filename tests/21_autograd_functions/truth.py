"""What torch's own functions return, give back, keep and compute in the same programs."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from ..shared.operators import CHECKS, TRACED
from ..shared.own_functions import REFUSED
from . import scenarios
from .typed import Case

LEARNERS: dict[str, Callable[[str, dict[str, Any]], object]] = {
    "hidden": lambda name, found: [],
    "not_yours": lambda name, found: [],
    "len": lambda name, found: True,
    "checked": lambda name, found: dict.fromkeys((*CHECKS, *TRACED * ("all_of_it" in name)), "SUCCESS"),
    "registered": lambda name, found: found["y"],
}
"""What is asked of a learner's function alone, and what is right: nothing is hidden, no node is of torch's making, one
node has several results, each check succeeds, and what is registered is what was returned."""


def program(function: str, case: Case, device: str) -> tuple[dict[str, object], dict[str, int]]:
    """What the watched expressions are worth with torch's function, and the most that the others may be."""
    own = [name for name in case.watched if not name.startswith(tuple(LEARNERS))]
    measured = [name for name, most in case.most.items() if most is None]
    found: dict[str, Any] = scenarios.program(TORCHS, function, case.lines, [*own, *measured], device, {})
    asked = {name: LEARNERS[name.partition("(")[0]] for name in case.watched if name not in own}
    right = {name: found[name] if name in own else asked[name](name, found) for name in case.watched}
    if found.get("second") == REFUSED:  # torch knows that a gradient is constant, and asks for none by k
        right["second"] = [torch.zeros_like(leaf) for leaf in found["leaves"]]
        right.pop("also_k", None)
    return right, {name: found[name] if most is None else most for name, most in case.most.items()}


def round_ste(x: Tensor, step: float) -> tuple[Tensor, Tensor]:
    """By the operator that trains quantized models; a float32 of 2**24 steps or more is a multiple of step."""
    rounded = torch.fake_quantize_per_tensor_affine(x, step, 0, -(2**25), 2**25)
    rounded = torch.where(x.abs() < 2.0**24 * step, rounded, x)
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


TORCHS: Any = SimpleNamespace(
    relu=torch.relu,
    relu_=torch.relu_,
    round_ste=round_ste,
    linear=F.linear,
    swiglu=swiglu,
    rms_norm=rms_norm,
    cross_entropy=cross_entropy,
    linear_cross_entropy=linear_cross_entropy,
    define_swiglu=lambda name: swiglu,
)
