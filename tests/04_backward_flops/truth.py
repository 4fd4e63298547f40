"""What torch says of the backward pass: its FLOPs and its gradients, measured."""

from __future__ import annotations

import itertools

import torch
from torch import Tensor

from ..shared.described import tensors
from ..shared.flops import flops
from ..shared.flops import tensors as sized
from ..shared.shapes import Shape


def backward_flops(device: str, batch: int, dims: Shape, input_needs_grad: bool, frozen: tuple[int, ...] = ()) -> int:
    """FLOPs that torch counts in the backward pass of x @ w0 @ w1 ...; layers in `frozen` are not trained."""
    out = _forward(device, batch, dims, input_needs_grad, frozen)
    if not out.requires_grad:
        return 0  # torch has nothing to go back through, and raises
    return flops(out.backward, torch.empty_like(out))


def step_flops(device: str, batch: int, dims: Shape, input_needs_grad: bool = False) -> int:
    """FLOPs that torch counts in a whole step, forward and backward, with every weight trained."""

    def step() -> None:
        out = _forward(device, batch, dims, input_needs_grad)
        if out.requires_grad:
            out.backward(torch.empty_like(out))

    return flops(step)


def _forward(device: str, batch: int, dims: Shape, input_needs_grad: bool, frozen: tuple[int, ...] = ()) -> Tensor:
    x, *weights = sized(device, (batch, dims[0]), *itertools.pairwise(dims))
    x.requires_grad_(input_needs_grad)
    for index, weight in enumerate(weights):
        x = x @ weight.requires_grad_(index not in frozen)
    return x


def matmul_gradients(lines: list[str], device: str) -> tuple[Tensor, Tensor]:
    """autograd's gradients of the a and the b that these lines make, given their grad_out."""
    a, b, grad_out = tensors(lines, "a, b, grad_out", device)
    a.requires_grad_()
    b.requires_grad_()
    (a @ b).backward(grad_out)
    assert a.grad is not None
    assert b.grad is not None
    return a.grad, b.grad


def matmul_operands(lines: list[str], device: str) -> tuple[Tensor, ...]:
    """The tensors that these lines make."""
    return tensors(lines, "a, b, grad_out", device)


def num_params(dims: Shape) -> int:
    """The elements of the weights of these layers."""
    return sum(weight.numel() for weight in sized("meta", *itertools.pairwise(dims)))
