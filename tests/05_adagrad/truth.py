"""What torch says of a training step: its optimizers, and the bytes that it keeps, measured."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ..shared.described import execute, placed
from ..shared.flops import tensors as sized


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

DTYPES = {1: torch.float8_e5m2, 2: torch.bfloat16, 4: torch.float32, 8: torch.float64}


def training_bytes(
    device: str, dim: int, num_layers: int, batch_size: int, bytes_per_value: int = 4, states_per_param: int = 1
) -> dict[str, int]:
    """Bytes of the storages that a real training step of the deep linear model needs but for its data, by kind.

    The weights, their gradients, what the optimizer keeps of a parameter's size, and what autograd saves on the way.
    """
    shapes = [(dim, dim)] * num_layers + [(dim, 1)]
    dtype = DTYPES[bytes_per_value]
    place = "meta" if bytes_per_value == 1 else device  # elsewhere torch multiplies no float8
    data, *weights = (x.to(dtype) for x in sized(place, (batch_size, dim), *shapes))
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
