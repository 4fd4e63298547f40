"""What torch says: each measured on the same case, never recomputed by the formula under test."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from tests import described as made

Shape = tuple[int, ...]

SMALL = 1_000_000
"""Tensors of more elements than this are measured on meta, which computes shapes and needs no memory."""


# FLOPs


def tensors(device: str, *shapes: Shape) -> list[Tensor]:
    """Tensors of these shapes on the device, or all of them on meta where one is not small."""
    # A result can be far larger than its operands, and is not empty where only the inner size is 0.
    bounds = sorted(math.prod(max(size, 1) for size in shape) for shape in shapes)
    place = device if math.prod(bounds[-2:]) <= SMALL else "meta"
    return [torch.empty(shape, device=place) for shape in shapes]


def flops(function: Callable[..., Any], *arguments: Any) -> int:
    """What torch's own counter counts while the function runs."""
    with FlopCounterMode(display=False) as counter:
        function(*arguments)
    return int(counter.get_total_flops())


def matmul_flops(device: str, a_shape: Shape, b_shape: Shape) -> int:
    """FLOPs of a @ b. torch's counter is blind to products with a vector; a loop counts those."""
    if len(a_shape) == 1 or len(b_shape) == 1:
        batch = "pqrs"[: max(0, max(len(a_shape), len(b_shape)) - 2)]
        a_indices = "k" if len(a_shape) == 1 else batch + "mk"
        b_indices = "k" if len(b_shape) == 1 else batch + "kn"
        kept = "".join(index for index in dict.fromkeys(a_indices + b_indices) if index != "k")
        return count_by_loop(f"{a_indices},{b_indices}->{kept}", a_shape, b_shape)
    return flops(torch.matmul, *tensors(device, a_shape, b_shape))


def count_by_loop(equation: str, a_shape: Shape, b_shape: Shape) -> int:
    """Compute an einsum one number at a time, and count each multiply and each add."""
    return einsum_by_loop(equation, _numbers(a_shape), _numbers(b_shape))[1]


def einsum_by_loop(equation: str, a: Tensor, b: Tensor) -> tuple[Tensor, int]:
    """The result of an einsum of two operands and the operations that it took, by nested loops over every index."""
    inputs, _, kept = equation.partition("->")
    a_indices, b_indices = inputs.split(",")
    sizes = dict(zip(a_indices, a.shape, strict=True)) | dict(zip(b_indices, b.shape, strict=True))
    a_values, b_values = _by_index(a), _by_index(b)
    result: dict[Shape, int] = {}
    operations = 0
    for combination in itertools.product(*(range(size) for size in sizes.values())):
        at = dict(zip(sizes, combination, strict=True))
        product = a_values[tuple(at[i] for i in a_indices)] * b_values[tuple(at[i] for i in b_indices)]
        operations += 1
        place = tuple(at[i] for i in kept)
        result[place] = result.get(place, 0) + product
        operations += 1
    out = torch.zeros([sizes[i] for i in kept], dtype=a.dtype)
    for place, value in result.items():
        out[place] = value
    return out, operations


def _numbers(shape: Shape) -> Tensor:
    return torch.arange(1, math.prod(shape) + 1).reshape(shape)


def _by_index(x: Tensor) -> dict[Shape, int]:
    return dict(zip(itertools.product(*map(range, x.shape)), x.flatten().tolist(), strict=True))


def linear_flops(device: str, x_shape: Shape, out_features: int) -> int:
    """FLOPs of nn.Linear, bias and all."""
    x, weight, bias = tensors(device, x_shape, (out_features, x_shape[-1]), (out_features,))
    layer = _linear(weight)
    layer.bias = nn.Parameter(bias)
    return flops(layer, x)


def mlp_flops(device: str, batch: int, dims: Shape) -> int:
    """FLOPs of real layers without bias."""
    weights = [(d_out, d_in) for d_in, d_out in itertools.pairwise(dims)]
    x, *matrices = tensors(device, (batch, dims[0]), *weights)
    return flops(nn.Sequential(*map(_linear, matrices)), x)


def _linear(weight: Tensor) -> nn.Linear:
    """A layer without bias around this weight, which may be empty: the constructor would warn of that."""
    layer = nn.Linear(1, 1, bias=False)
    layer.weight = nn.Parameter(weight)
    return layer


def attention_flops(device: str, batch: int, heads: int, q_len: int, kv_len: int, head_dim: int) -> int:
    """FLOPs of torch's attention by its MATH backend; the counter is blind to the fused kernel of the CPU."""
    q_shape, kv_shape = (batch, heads, q_len, head_dim), (batch, heads, kv_len, head_dim)
    q, k, v = tensors(device, q_shape, kv_shape, kv_shape)
    with sdpa_kernel(SDPBackend.MATH):
        return flops(nn.functional.scaled_dot_product_attention, q, k, v)


def bytes_moved(m: int, k: int, n: int, dtype: torch.dtype) -> dict[str, int]:
    """Bytes of each of the two operands and of the result of a matrix product."""
    a, b = torch.empty((m, k), dtype=dtype, device="meta"), torch.empty((k, n), dtype=dtype, device="meta")
    named = {"bytes of a": a, "bytes of b": b, "bytes of the result": torch.matmul(a, b)}
    return {name: x.untyped_storage().nbytes() for name, x in named.items()}


def refusal(function: Callable[..., Any], *arguments: Any) -> str:
    """What torch says when it refuses, in one line. An AssertionError where it does not: then the case is wrong."""
    try:
        function(*arguments)
    except (RuntimeError, IndexError, ValueError) as error:
        return str(error).strip().partition("\n")[0]
    raise AssertionError(f"torch accepts {arguments}")


def measured_product(size: int) -> tuple[float, int]:
    """The shortest of ten measured bfloat16 products of two square matrices on CUDA, in seconds, and its bytes."""
    a, b = (torch.randn(size, size, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    result = a @ b
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    times = []
    for _ in range(10):
        start.record()
        torch.matmul(a, b, out=result)
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end) / 1000)
    return min(times), sum(x.untyped_storage().nbytes() for x in (a, b, result))


# Strides

STORAGE = torch.arange(1 << 13)
"""A storage whose elements are their own places. Every view that is drawn fits into it."""

View = made.View


def viewed(view: View, storage: Tensor = STORAGE) -> Tensor:
    """The real tensor of a view (shape, strides, offset) of the storage."""
    return storage.as_strided(*view)


def metadata(shape: Shape, strides: Shape, offset: int = 0) -> Tensor:
    """A tensor with these numbers and no storage: torch computes views of it without looking whether they fit."""
    return torch.empty(0, device="meta").as_strided(shape, strides, offset)


described = made.view_of


def unravel_index(flat: int, shape: Shape) -> Shape:
    """numpy's answer, which a test of torch's facts holds to be torch's: torch's own would import sympy first."""
    return tuple(int(place) for place in np.unravel_index(flat, shape))


def sliced(x: Tensor, dim: int, *where: int | None) -> Tensor:
    """x[..., start:stop:step, ...] along one dimension, which Python's own indexing counts from either end."""
    every = (slice(None),)
    index: Any = (*every * dim, slice(*where)) if dim >= 0 else (..., slice(*where), *every * (-dim - 1))
    return x[index]


def viewed_as(x: Tensor, shape: Shape) -> Tensor | None:
    """x.view(shape), or None where torch refuses."""
    try:
        return x.view(shape)
    except RuntimeError:
        return None


def smallest_storage(view: View) -> int:
    """The number of elements of the smallest storage on which torch makes the view; it grows until torch does."""

    def fits(numel: int) -> bool:
        try:
            viewed(view, torch.empty(numel))
        except RuntimeError:
            return False
        return True

    return bisect.bisect_left(range(len(STORAGE) + 1), True, key=fits)


def share_an_element(a: View, b: View) -> bool:
    """Write through one view of a fresh storage, and look through the other."""
    storage = torch.zeros(len(STORAGE), dtype=torch.bool)
    storage[viewed(a).flatten()] = True
    return bool(viewed(b, storage).any())


# Memory


def fresh_bytes(code: str, device: str) -> int:
    """Bytes of the storage of a fresh contiguous tensor like the one described."""
    x = made.tensor(code, device)
    return torch.empty_like(x, memory_format=torch.contiguous_format).untyped_storage().nbytes()


def cuda_growth(make: Callable[[], Tensor]) -> int:
    """What torch.cuda.memory_allocated grows by while a tensor is made and kept."""
    before = torch.cuda.memory_allocated()
    kept = make()
    grown = torch.cuda.memory_allocated() - before
    del kept
    return grown


def storage_bytes(bases: list[str], views: str, device: str) -> int:
    """Bytes of the storages of those bases that some view is made of; each base is made with a storage of its own."""
    names = [base.partition(" = ")[0] for base in bases]
    used = [name for name in names if any(view.startswith(name) for view in views.split(", "))]
    return sum(x.untyped_storage().nbytes() for x in made.tensors(bases, ", ".join(used), device))


def model_bytes(lines: list[str]) -> int:
    """Bytes of memory that the parameters and buffers of the model occupy on the CPU, each byte once, by address."""
    addresses: set[int] = set()
    for module in made.model(lines).modules():
        for x in (*module._parameters.values(), *module._buffers.values()):
            if x is not None:
                places = torch.arange(len(x.untyped_storage())).as_strided(x.shape, x.stride(), x.storage_offset())
                first = x.untyped_storage().data_ptr()
                for place in set(places.flatten().tolist()):
                    begin = first + place * x.element_size()
                    addresses.update(range(begin, begin + x.element_size()))
    return len(addresses)


def distinct_bytes(lines: list[str], parts: list[str], device: str) -> int:
    """Bytes of the storages of these parts of a model, which are known to be distinct."""
    names = {"model": made.model(lines, device)}
    return sum(eval(part, names).untyped_storage().nbytes() for part in parts)


def packed_bytes(numel: int, bits: int) -> int:
    """Bytes of numpy's packing of that many bits."""
    return int(np.packbits(np.zeros(numel * bits, dtype=np.uint8)).nbytes)
