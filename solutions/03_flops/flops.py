"""Kata 03, solved: count the FLOPs."""

from itertools import pairwise
from math import prod

Shape = tuple[int, ...]


def matmul_flops(a_shape: Shape, b_shape: Shape) -> int:
    """Count two FLOPs for each row, inner index and column of each product in the broadcast batch."""
    if not a_shape or not b_shape:
        raise ValueError(f"matmul wants at least one dimension on each side, not {a_shape} @ {b_shape}")
    *a_batch, m, k = (1, *a_shape) if len(a_shape) == 1 else a_shape
    *b_batch, k_again, n = (*b_shape, 1) if len(b_shape) == 1 else b_shape
    if k != k_again:
        raise ValueError(f"the inner sizes of {a_shape} @ {b_shape} differ: {k} and {k_again}")
    return 2 * prod(_broadcast(tuple(a_batch), tuple(b_batch))) * m * k * n


def linear_flops(x_shape: Shape, out_features: int) -> int:
    """Count two FLOPs for each element of x and each output feature."""
    return 2 * prod(x_shape) * out_features


def elementwise_flops(*shapes: Shape) -> int:
    """Count one FLOP for each element of the broadcast result."""
    return prod(_broadcast(*shapes))


def einsum_flops(equation: str, a_shape: Shape, b_shape: Shape) -> int:
    """Count two FLOPs for each combination of all the indices."""
    sizes: dict[str, int] = {}
    operands = equation.partition("->")[0].split(",")
    for indices, shape in zip(operands, (a_shape, b_shape), strict=True):
        if len(indices) != len(shape):
            raise ValueError(f"{indices!r} names {len(indices)} dimensions, and {shape} has {len(shape)}")
        for index, size in zip(indices, shape, strict=True):
            if sizes.setdefault(index, size) != size:
                raise ValueError(f"index {index!r} is both {sizes[index]} and {size}")
    return 2 * prod(sizes.values())


def mlp_flops(batch: int, dims: Shape) -> int:
    """Count one matrix product for each pair of neighboring widths."""
    return sum(2 * batch * d_in * d_out for d_in, d_out in pairwise(dims))


def attention_flops(batch: int, heads: int, q_len: int, kv_len: int, head_dim: int) -> int:
    """Count one product for the scores and one for the output, for each head. Both cost the same."""
    return 2 * (2 * batch * heads * q_len * kv_len * head_dim)


def arithmetic_intensity(m: int, k: int, n: int, bytes_per_element: int) -> float:
    """Divide the FLOPs by the bytes of both operands and the result."""
    return 2 * m * k * n / (bytes_per_element * (m * k + k * n + m * n))


def roofline_seconds(flops: float, nbytes: float, peak_flops: float, peak_bandwidth: float) -> float:
    """Return the slower of computing and moving."""
    if peak_flops <= 0 or peak_bandwidth <= 0:
        raise ValueError(f"a peak must be above 0, not {peak_flops} FLOP/s and {peak_bandwidth} byte/s")
    return max(flops / peak_flops, nbytes / peak_bandwidth)


def mfu(flops: float, seconds: float, peak_flops: float) -> float:
    """Achieved FLOP/s over promised FLOP/s."""
    if seconds <= 0 or peak_flops <= 0:
        raise ValueError(f"seconds and peak must be above 0, not {seconds} s and {peak_flops} FLOP/s")
    return flops / seconds / peak_flops


def _broadcast(*shapes: Shape) -> Shape:
    """Return the shape that these broadcast to, aligned on the right. Raises ValueError if they do not."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    result = []
    for sizes in zip(*padded, strict=True):
        wider = {size for size in sizes if size != 1}
        if len(wider) > 1:
            raise ValueError(f"{' and '.join(map(str, shapes))} do not broadcast")
        result.append(wider.pop() if wider else 1)
    return tuple(result)
