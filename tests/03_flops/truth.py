"""What torch says of FLOPs and bytes: each measured on the same case, never recomputed by the formula under test."""

from __future__ import annotations

import itertools
import math

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from ..shared.errors import refusal
from ..shared.flops import Shape, flops, linear, mlp_flops, tensors

__all__ = ["flops", "mlp_flops", "refusal", "tensors"]


def matmul_flops(device: str, a_shape: Shape, b_shape: Shape) -> int:
    """FLOPs of a @ b. torch's counter is blind to products with a vector; a loop counts those."""
    if len(a_shape) == 1 or len(b_shape) == 1:
        batch = "pqrs"[: max(0, max(len(a_shape), len(b_shape)) - 2)]
        a_indices = "k" if len(a_shape) == 1 else batch + "mk"
        b_indices = "k" if len(b_shape) == 1 else batch + "kn"
        kept = "".join(index for index in dict.fromkeys(a_indices + b_indices) if index != "k")
        return count_by_loop(f"{a_indices},{b_indices}->{kept}", a_shape, b_shape)
    return flops(torch.matmul, *tensors(device, a_shape, b_shape))


def scaled(counted: int, *factors: int) -> int:
    """The count at sizes that are larger, by these factors, than the sizes that were counted at.

    No tensor has 2**64 elements, so torch cannot count there. But c times as many rows, columns or heads are c blocks
    that share no work, and each of them is counted as before. A sum of c times as many products is c sums of the old
    length, and each continues where the one before it ended. So whatever the count is, it becomes c times as large.
    torch_facts.py checks that the counter agrees, as far as tensors on meta reach.
    """
    return counted * math.prod(factors)


def count_by_loop(equation: str, a_shape: Shape, b_shape: Shape) -> int:
    """Compute an einsum one number at a time, counting each multiply and each add."""
    return einsum_by_loop(equation, _numbers(a_shape), _numbers(b_shape))[1]


def einsum_by_loop(equation: str, a: Tensor, b: Tensor) -> tuple[Tensor, int]:
    """The result of an einsum of two operands and its number of operations, by nested loops over every index."""
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
    """FLOPs of nn.Linear, with a bias."""
    x, weight, bias = tensors(device, x_shape, (out_features, x_shape[-1]), (out_features,))
    layer = linear(weight)
    layer.bias = nn.Parameter(bias)
    return flops(layer, x)


def attention_flops(device: str, batch: int, heads: int, q_len: int, kv_len: int, head_dim: int) -> int:
    """FLOPs of torch's attention in its MATH backend; the counter is blind to the fused kernel of the CPU."""
    q_shape, kv_shape = (batch, heads, q_len, head_dim), (batch, heads, kv_len, head_dim)
    q, k, v = tensors(device, q_shape, kv_shape, kv_shape)
    with sdpa_kernel(SDPBackend.MATH):
        return flops(nn.functional.scaled_dot_product_attention, q, k, v)


def bytes_moved(m: int, k: int, n: int, dtype: torch.dtype) -> dict[str, int]:
    """Bytes of each of the two operands and of the result of a matrix product."""
    a, b = torch.empty((m, k), dtype=dtype, device="meta"), torch.empty((k, n), dtype=dtype, device="meta")
    named = {"bytes of a": a, "bytes of b": b, "bytes of the result": torch.matmul(a, b)}
    return {name: x.untyped_storage().nbytes() for name, x in named.items()}


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
