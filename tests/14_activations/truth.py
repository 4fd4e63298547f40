"""What torch keeps, computes and returns: the programs without a checkpoint, or with torch's own."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.multiprocessing.reductions import StorageWeakRef
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint as torchs_checkpoint
from torch.utils.checkpoint import set_checkpoint_early_stop

from ..shared.collector import without_collector
from ..shared.described import Lines
from ..shared.flops import flops, linear
from ..shared.flops import tensors as sized
from ..shared.shapes import Shape
from . import scenarios
from .strategies_bytes import Heads, Mlp
from .strategies_chains import Step


def program(function: str, lines: Lines, watched: Lines, device: str, *, torchs: bool = False) -> dict[str, object]:
    """What the watched expressions are worth after these lines, with what is below in place of the learner's.

    torchs: with torch's own checkpoint, and not without any.
    """
    functions = {"saved_bytes": saved_bytes, "checkpoint_sequential": chained}
    functions["checkpoint"] = recomputing if torchs else calling
    found: dict[str, object] = scenarios.program(SimpleNamespace(**functions), function, lines, watched, device)
    return found


def saved_bytes(function: Callable[[], Any], exclude: Iterable[Tensor] = ()) -> int:
    """Ask each tensor that is saved for its storage, and hold on to it."""
    held: dict[int, Any] = {}
    without = [tensor.untyped_storage() for tensor in exclude]

    def pack(tensor: Tensor) -> Tensor:
        held.setdefault(tensor.untyped_storage()._cdata, tensor.untyped_storage())
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        function()
    for storage in without:
        held.pop(storage._cdata, None)
    return sum(storage.nbytes() for storage in held.values())


def calling(function: Callable[..., Any], *args: Any) -> Any:
    """No checkpoint at all."""
    return function(*args)


def recomputing(function: Callable[..., Any], *args: Any) -> Any:
    """torch's own, that needs no argument which requires grad."""
    return torchs_checkpoint(function, *args, use_reentrant=False)


def chained(layers: Sequence[Callable[..., Any]], segments: int, x: Tensor) -> Tensor:
    """The plain chain."""
    return functools.reduce(lambda value, layer: layer(value), layers, x)


# One operation each, of x and of what else it needs.
OPS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "tanh": torch.tanh,
    "exp": torch.exp,
    "softmax": lambda x: x.softmax(-1),
    "gelu": F.gelu,
    "square": torch.square,
    "mul": lambda x: x * torch.empty_like(x).requires_grad_(),
    "layer_norm": lambda x: F.layer_norm(x, x.shape[-1:]),
    "max": lambda x: x.max(dim=-1).values,
    "masked_fill": lambda x: x.masked_fill(torch.empty_like(x, dtype=torch.bool), 0.0),
    "add": lambda x: x + torch.empty_like(x).requires_grad_(),
    "scale": lambda x: 2 * x,
    "sum": torch.sum,
}

SMALL = 10_000
"""Tensors of more elements than this are measured on meta."""


def op_saved_bytes(op: str, shape: Shape, dtype: torch.dtype, device: str) -> int:
    """What hooks around the operation see."""
    place = device if math.prod(shape) <= SMALL else "meta"
    x = torch.ones(shape, dtype=dtype, device=place).requires_grad_()
    return saved_bytes(lambda: OPS[op](x))


WIDTHS = {2: torch.bfloat16, 4: torch.float32, 8: torch.float64}
LAYERS = {"relu": nn.ReLU(), "gelu": nn.GELU(), "none": nn.Identity(), "tanh": nn.Tanh(), "silu": nn.SiLU()}


def mlp_saved_bytes(case: Mlp, device: str) -> int:
    """What hooks around a real model see."""
    place = device if max(case.batch, *case.dims) <= 100 else "meta"
    layers: list[nn.Module] = []
    for d_in, d_out in itertools.pairwise(case.dims):
        layer = linear(torch.empty(d_out, d_in, dtype=WIDTHS[case.width], device=place))
        layer.bias = nn.Parameter(torch.empty(d_out, dtype=WIDTHS[case.width], device=place))
        layers += [LAYERS[case.activation], layer]
    model = nn.Sequential(*layers[1:])
    x = torch.empty(case.batch, case.dims[0], dtype=WIDTHS[case.width], device=place)
    return saved_bytes(lambda: model(x), [x, *model.parameters()])


def attention_saved_bytes(case: Heads, fused: bool, device: str) -> int:
    """What hooks around the program see, or around the fused kernel."""
    batch, heads, queries, keys, d = case.sizes
    place = device if fused or math.prod(case.sizes) <= SMALL else "meta"
    q, k, v = (
        torch.zeros(batch, heads, length, d, dtype=WIDTHS[case.width], device=place).requires_grad_()
        for length in (queries, keys, keys)
    )
    if fused:
        return saved_bytes(lambda: F.scaled_dot_product_attention(q, k, v))
    return saved_bytes(lambda: (q @ k.mT / math.sqrt(d)).softmax(-1) @ v)


@functools.cache
def peak_activations(num_layers: int, segment: int) -> int:
    """How many results of layers are there at most, of a real chain under torch's own checkpoint."""
    if (num_layers, segment) != (1, 1):
        peak_activations(1, 1)  # the first one of all imports, and that holds frames
    with without_collector():
        return _peak(num_layers, segment)


def _peak(num_layers: int, segment: int) -> int:
    results: list[StorageWeakRef] = []
    there = [0]

    def layer(x: Tensor) -> Tensor:
        y = x.tanh()
        results.append(StorageWeakRef(y.untyped_storage()))
        there.append(sum(not result.expired() for result in results))
        return y

    def run(count: int, x: Tensor) -> Tensor:
        for _ in range(count):
            x = layer(x)
        return x

    def chain(x: Tensor) -> Tensor:
        for start in range(0, num_layers, segment):
            x = recomputing(run, min(segment, num_layers - start), x)
        return x.sum()

    with set_checkpoint_early_stop(False):
        chain(torch.zeros(1, requires_grad=True)).backward()
    return max(there)


def step_flops(case: Step, device: str) -> int:
    """What torch counts in a step, with each of the layers that are recomputed in a checkpoint of its own."""
    x, *weights = sized(device, (case.batch, case.dims[0]), *itertools.pairwise(case.dims))

    def step() -> None:
        out = x
        for index, weight in enumerate(weights):
            weight.requires_grad_()
            again = index in case.recomputed
            out = torchs_checkpoint(torch.matmul, out, weight, use_reentrant=False) if again else out @ weight
        if out.requires_grad:
            out.backward(torch.empty_like(out))

    with set_checkpoint_early_stop(False):
        return flops(step)
