"""Kata 14, solved: what the forward pass keeps for the backward pass."""

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

KEPT_IN_AN_MLP = {"none": 1, "relu": 1, "tanh": 1, "gelu": 2, "silu": 2}


def saved_bytes(function: Callable[[], Any], exclude: Iterable[Tensor] = ()) -> int:
    """Hold each storage, so that it keeps its address and no other storage can have it."""
    excluded = {tensor.untyped_storage()._cdata for tensor in exclude}
    saved = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        saved[storage._cdata] = storage
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        function()
    return sum(storage.nbytes() for key, storage in saved.items() if key not in excluded)


def op_saved_bytes(op: str, shape: tuple[int, ...], dtype: torch.dtype = torch.float32) -> int:
    """Count what the derivative is computed from: for most operations, one tensor of the size of x."""
    x, rows = math.prod(shape) * dtype.itemsize, math.prod(shape[:-1])
    kept = {
        **dict.fromkeys(("relu", "tanh", "exp", "softmax", "gelu", "square"), x),
        **dict.fromkeys(("add", "scale", "sum"), 0),
        "mul": 2 * x,
        "layer_norm": x + 2 * rows * dtype.itemsize,
        "max": rows * torch.int64.itemsize,
        "masked_fill": math.prod(shape) * torch.bool.itemsize,
    }
    if op not in kept:
        raise ValueError(f"{op!r} is none of {', '.join(kept)}")
    return kept[op]


def mlp_saved_bytes(batch: int, dims: tuple[int, ...], activation: str = "relu", bytes_per_value: int = 4) -> int:
    """Count, between two layers, the next layer's input, and what the activation keeps if that is another tensor."""
    if activation not in KEPT_IN_AN_MLP:
        raise ValueError(f"{activation!r} is none of {', '.join(KEPT_IN_AN_MLP)}")
    return KEPT_IN_AN_MLP[activation] * batch * sum(dims[1:-1]) * bytes_per_value


def attention_saved_bytes(
    batch: int, heads: int, q_len: int, kv_len: int, head_dim: int, bytes_per_value: int = 4, fused: bool = False
) -> int:
    """Count the weights, or for the fused kernel its result and one number for each query."""
    q, kv = q_len * head_dim, kv_len * head_dim
    values = 2 * q + 2 * kv if fused else q + 2 * kv + q_len * kv_len
    return batch * heads * (values * bytes_per_value + (q_len * torch.float32.itemsize if fused else 0))


def peak_activations(num_layers: int, segment: int) -> int:
    """Count the last whole segment, which needs most: a shorter one after it has one more input, but fewer results."""
    if segment < 1 or num_layers < 0:
        raise ValueError(f"{num_layers} layers in segments of {segment}")
    return max(num_layers // segment - 1, 0) + min(segment, num_layers)


def best_segment(num_layers: int) -> int:
    """Round the square root up: then there are about as many inputs as results."""
    if num_layers < 1:
        raise ValueError(f"{num_layers} layers have no segment")
    return math.isqrt(num_layers - 1) + 1


def checkpointed_step_flops(batch: int, dims: tuple[int, ...], recomputed: tuple[int, ...] = ()) -> int:
    """Count three products per layer, a fourth if it is recomputed, and none for the gradient of the data."""
    layers = [2 * batch * d_in * d_out for d_in, d_out in itertools.pairwise(dims)]
    if any(not 0 <= index < len(layers) for index in recomputed):
        raise ValueError(f"{recomputed} of {len(layers)} layers")
    return 3 * sum(layers) - sum(layers[:1]) + sum(layers[index] for index in set(recomputed))


def checkpoint(function: Callable[..., Any], *args: Any) -> Any:
    """Keep a number in place of each saved tensor, and run again when the first tensor is asked for."""
    device = next((arg.device.type for arg in args if isinstance(arg, Tensor)), "cpu")
    cast, dtype = torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)
    state = torch.get_rng_state()
    places = itertools.count()
    again: dict[int, Tensor] = {}

    def recompute() -> None:
        def keep(tensor: Tensor) -> None:
            again[len(again)] = tensor.detach()

        with torch.random.fork_rng(devices=[]), torch.enable_grad(), torch.autocast(device, dtype, cast):
            torch.set_rng_state(state)
            with saved_tensors_hooks(keep, lambda kept: kept):
                function(*args)

    def unpack(place: int) -> Tensor:
        if not again:
            recompute()
        return again.pop(place)

    with saved_tensors_hooks(lambda _: next(places), unpack):
        return function(*args)


def checkpoint_sequential(layers: Sequence[Callable[..., Any]], segments: int, x: Tensor) -> Tensor:
    """Round the ends of the runs down, so that their lengths differ by at most one."""
    if not 1 <= segments <= len(layers):
        raise ValueError(f"{len(layers)} layers in {segments} segments")

    def run(start: int, end: int, x: Tensor) -> Tensor:
        for layer in layers[start:end]:
            x = layer(x)
        return x

    ends = [len(layers) * number // segments for number in range(segments + 1)]
    for start, end in itertools.pairwise(ends):
        x = checkpoint(run, start, end, x)
    return x
