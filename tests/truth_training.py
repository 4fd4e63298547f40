"""What torch says of a training step: its FLOPs, its gradients, its optimizers, each measured."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from tests.described import execute, placed, tensors
from tests.strategies import Shape
from tests.truth import flops
from tests.truth import tensors as sized


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


def program(lines: list[str], watched: list[str], device: str) -> dict[str, object]:
    """What the watched expressions are worth after these lines with torch's own optimizers."""
    return execute(placed(lines, device), watched, {"SGD": _sgd, "AdaGrad": torch.optim.Adagrad})


def _sgd(params: Any, lr: float = 0.01) -> torch.optim.SGD:
    return torch.optim.SGD(params, lr)  # torch's default is another one


OPTIMIZERS: dict[int, Callable[..., torch.optim.Optimizer]] = {
    0: torch.optim.SGD,
    1: torch.optim.Adagrad,
    2: torch.optim.Adam,
    3: functools.partial(torch.optim.Adam, amsgrad=True),
}
"""An optimizer of torch's that keeps so many states of a parameter's size."""

DTYPES = {2: torch.bfloat16, 4: torch.float32, 8: torch.float64}


def training_bytes(
    device: str, dim: int, num_layers: int, batch_size: int, bytes_per_value: int = 4, states_per_param: int = 1
) -> dict[str, int]:
    """Bytes of the storages that a real training step of the deep linear model needs but for its data, by kind.

    The weights, their gradients, what the optimizer keeps of a parameter's size, and what autograd saves on the way.
    """
    shapes = [(dim, dim)] * num_layers + [(dim, 1)]
    dtype = DTYPES[bytes_per_value]
    data, *weights = (x.to(dtype) for x in sized(device, (batch_size, dim), *shapes))
    optimizer = OPTIMIZERS[states_per_param]([weight.requires_grad_() for weight in weights])
    kept: list[Tensor] = []

    def keep(saved: Tensor) -> Tensor:
        kept.append(saved)
        return saved

    x = data
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda saved: saved):
        for weight in weights:
            x = x @ weight
    x.backward(torch.empty_like(x))
    optimizer.step()
    gradients = [weight.grad for weight in weights if weight.grad is not None]
    states = [state for states in optimizer.state.values() for name, state in states.items() if name != "step"]
    seen = {data.untyped_storage()._cdata}
    kinds = {"parameters": weights, "gradients": gradients, "optimizer states": states, "activations": kept}
    return {kind: sum(_first_seen(x, seen) for x in tensors) for kind, tensors in kinds.items()}


def _first_seen(x: Tensor, seen: set[int]) -> int:
    """The bytes of its storage, 0 where that was seen before."""
    storage = x.untyped_storage()
    if storage._cdata in seen:  # by identity: on meta, as for empty tensors, all addresses are 0
        return 0
    seen.add(storage._cdata)
    return storage.nbytes()
