"""Kata 03: count the FLOPs. The lesson is in README.md beside this file.

This kata uses plain integers and floats and is solved without torch. A multiply is one FLOP and an add is one FLOP.

Sizes may be 0; then nothing is computed. They may also be far larger than any memory holds: no size is refused for
that. Counts are exact integers, however large they get, even beyond 2**64. A float may be off by rounding, by 1e-12 of
its value. Where a float is promised, an int of that value will do.
"""

Shape = tuple[int, ...]


def matmul_flops(a_shape: Shape, b_shape: Shape) -> int:
    """Return the FLOPs of `a @ b`, by torch.matmul's rules for broadcasting and for vectors.

    (m, k) @ (k, n)              ->  2 · m · k · n
    (8, m, k) @ (k, n)           ->  8 times as many
    (8, 1, m, k) @ (5, k, n)     ->  8 · 5 times as many
    (k,) @ (k, n)                ->  a vector on the left is one row
    (m, k) @ (k,)                ->  a vector on the right is one column

    Raises ValueError if torch.matmul would refuse the shapes: one of them is (), the inner sizes differ (1 and 3 differ
    too), or the batches do not broadcast.
    """
    raise NotImplementedError("matmul_flops")


def linear_flops(x_shape: Shape, out_features: int) -> int:
    """Return the FLOPs of `nn.Linear(in_features, out_features)` on x of shape (..., in_features). The bias is free.

    (3,), 4         ->  2 · 3 · 4
    (5, 2, 3), 4    ->  5 · 2 such rows
    """
    raise NotImplementedError("linear_flops")


def elementwise_flops(*shapes: Shape) -> int:
    """Return the FLOPs of one elementwise operation on one or more tensors.

    It costs one FLOP for each element of the broadcast result.

    (2, 3), (2, 3)      ->  6
    (2, 1), (3,)        ->  6
    (4, 1, 5), (), (3, 1)  ->  60
    (2, 1), (0,)        ->  0: a size of 1 stretches to 0, too

    Raises ValueError if torch would refuse to broadcast the shapes: two of them have different sizes in the same place,
    counted from the right, and neither size is 1.
    """
    raise NotImplementedError("elementwise_flops")


def einsum_flops(equation: str, a_shape: Shape, b_shape: Shape) -> int:
    """Return the FLOPs of `einsum(equation, a, b)`: a multiply and an add for each combination of all the indices.

    "ij,jk->ik", (2, 3), (3, 4)   ->  2 · 2 · 3 · 4
    "ij,kj->", (2, 3), (4, 3)     ->  the same number: an index that is summed away still counts

    The equation has two operands, an arrow and no spaces. An index occurs at most once in each operand. Upper and lower
    case are different indices. The operands share at least one index that the result lacks.

    Raises ValueError if an operand's rank is not what the equation says, or if the two operands disagree about a size.
    (If one of the two sizes is 1, torch stretches it; this is not tested.)
    """
    raise NotImplementedError("einsum_flops")


def mlp_flops(batch: int, dims: Shape) -> int:
    """Return the forward FLOPs of linear layers without bias, dims[0] -> dims[1] -> ..., on a batch of rows.

    32, (784, 128, 10)  ->  2 · 32 · 784 · 128  +  2 · 32 · 128 · 10
    32, (784,)          ->  0: no layer

    dims has at least one width.
    """
    raise NotImplementedError("mlp_flops")


def attention_flops(batch: int, heads: int, q_len: int, kv_len: int, head_dim: int) -> int:
    """Return the FLOPs of the two matrix products of attention: scores = q @ k.T, and weights @ v.

    q is (batch, heads, q_len, head_dim); k and v are (batch, heads, kv_len, head_dim). The softmax and the scaling are
    not counted, and a causal mask is not counted as a saving.
    """
    raise NotImplementedError("attention_flops")


def arithmetic_intensity(m: int, k: int, n: int, bytes_per_element: int) -> float:
    """Return the FLOPs of (m, k) @ (k, n) per byte moved, in FLOP/byte. Every size is at least 1.

    Each of the three matrices is moved once: two are read and the result is written.
    """
    raise NotImplementedError("arithmetic_intensity")


def roofline_seconds(flops: float, nbytes: float, peak_flops: float, peak_bandwidth: float) -> float:
    """Return the least time, in seconds, in which a machine with these peaks can compute `flops` and move `nbytes`.

    The machine computes and moves at the same time. peak_flops is in FLOP/s, peak_bandwidth in byte/s. flops and nbytes
    are 0 or more.

    Raises ValueError for a peak that is 0 or less, even if there is no work for it.
    """
    raise NotImplementedError("roofline_seconds")


def mfu(flops: float, seconds: float, peak_flops: float) -> float:
    """Return the model FLOPs utilization: the achieved FLOP/s as a share of the promised FLOP/s.

    0.5 is half. The result is not clamped. flops is what the model needed, 0 or more. seconds is how long it took.
    peak_flops is what the data sheet promises, in FLOP/s.

    Raises ValueError for seconds or a peak that is 0 or less, even if flops is 0.
    """
    raise NotImplementedError("mfu")
