"""The programs that run a learner's matmul_backward."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch

from dojo.seam.scenario import calls

from ..shared.described import Lines, on_device, tensors
from ..shared.shapes import Shape


@calls("matmul_backward(a, b, grad_out)", setup=lambda lines, device: [*on_device(device), *lines])
def matmul_backward(module: ModuleType, lines: Lines, device: str) -> Any:
    """The gradients of a and b. No graph is recorded: to walk one by its grad_fn is autograd by another door."""
    with torch.inference_mode():
        return module.matmul_backward(*tensors(lines, "a, b, grad_out", device))


LATER = ("a *= 2", "b *= -4")
"""What happens to the operands between two calls: powers of 2, so that sums of products stay exact."""


@calls(
    "matmul_backward(a, b, grad_out)",
    setup=lambda lines, device: [*on_device(device), *lines, "matmul_backward(a, b, grad_out)", *LATER],
)
def matmul_backward_again(module: ModuleType, lines: Lines, device: str) -> Any:
    """The gradients of a and b in a second call, before which both have changed in place."""
    with torch.inference_mode():
        a, b, grad_out = tensors(lines, "a, b, grad_out", device)
        module.matmul_backward(a, b, grad_out)
        a *= 2
        b *= -4
        return module.matmul_backward(a, b, grad_out)


@calls(
    "matmul_backward(a, b, grad_out); first",
    setup=lambda lines, device: [*on_device(device), *lines, "first = matmul_backward(a, b, grad_out)", *LATER],
)
def matmul_backward_before(module: ModuleType, lines: Lines, device: str) -> Any:
    """The gradients that a first call returned, as they are after the operands have changed and a second call."""
    with torch.inference_mode():
        a, b, grad_out = tensors(lines, "a, b, grad_out", device)
        first = module.matmul_backward(a, b, grad_out)
        a *= 2
        b *= -4
        module.matmul_backward(a, b, grad_out)
        return first


@calls(
    "matmul_backward(a, b, grad_out); a, b, grad_out",
    setup=lambda lines, device: [*on_device(device), *lines],
    returns_arguments=True,
)
def matmul_backward_arguments(module: ModuleType, lines: Lines, device: str) -> Any:
    """The arguments as they are after the call."""
    arguments = tensors(lines, "a, b, grad_out", device)
    module.matmul_backward(*arguments)
    return arguments


@calls("train_step_flops({0}, {1})", setup=lambda batch, dims: [f"train_step_flops(0, {dims})"])
def after_no_rows(module: ModuleType, batch: int, dims: Shape) -> Any:
    """The FLOPs of a step on a batch, asked after those on a batch without rows."""
    module.train_step_flops(0, dims)
    return module.train_step_flops(batch, dims)
