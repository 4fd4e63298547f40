"""Kata 03: count the FLOPs. The lesson is in README.md beside this file.

Plain integers and floats: this kata is solved without torch. A multiply is one FLOP and an add is one FLOP.

Sizes may be 0, and then nothing is computed. They may also be far larger than any memory holds: no size is refused for
that, and counts are exact integers however large they get, beyond 2**64 too. A float may be off by rounding, by 1e-12
of itself, and where a float is promised, an int of that value will do.
"""

Shape = tuple[int, ...]


def matmul_flops(a_shape: Shape, b_shape: Shape) -> int:
    """FLOPs of `a @ b`, by torch.matmul's rules for broadcasting and for vectors.

    (m, k) @ (k, n)              ->  2 · m · k · n
    (8, m, k) @ (k, n)           ->  8 times as many
    (8, 1, m, k) @ (5, k, n)     ->  8 · 5 times as many
    (k,) @ (k, n)                ->  a vector on the left is one row
    (m, k) @ (k,)                ->  a vector on the right is one column

    Raises ValueError where torch.matmul would refuse the shapes: one of them is (), the inner sizes differ (1 and 3
    differ as well), or the batches do not broadcast.
    """
    raise NotImplementedError("matmul_flops")


def linear_flops(x_shape: Shape, out_features: int) -> int:
    """FLOPs of `nn.Linear(in_features, out_features)` on x of shape (..., in_features). The bias is free.

    (3,), 4         ->  2 · 3 · 4
    (5, 2, 3), 4    ->  5 · 2 rows of it
    """
    raise NotImplementedError("linear_flops")


def elementwise_flops(*shapes: Shape) -> int:
    """FLOPs of one elementwise operation on these tensors, at least one: one for each element of the broadcast result.

    (2, 3), (2, 3)      ->  6
    (2, 1), (3,)        ->  6
    (4, 1, 5), (), (3, 1)  ->  60
    (2, 1), (0,)        ->  0: a size of 1 stretches to 0 as well

    Raises ValueError where torch would refuse to broadcast the shapes: any two of them have sizes in one place, counted
    from the right, that differ, and neither is 1.
    """
    raise NotImplementedError("elementwise_flops")


def einsum_flops(equation: str, a_shape: Shape, b_shape: Shape) -> int:
    """FLOPs of `einsum(equation, a, b)`: a multiply and an add for each combination of all the indices.

    "ij,jk->ik", (2, 3), (3, 4)   ->  2 · 2 · 3 · 4
    "ij,kj->", (2, 3), (4, 3)     ->  the same number: an index that is summed away was counted through all the same

    The equation has two operands, an arrow and no spaces; an index stands at most once in each operand, upper and lower
    case are different indices, and the operands share at least one index that the result lacks.

    Raises ValueError where an operand's rank is not what the equation says, or the two disagree about a size. (Where
    one says 1, torch stretches it; nobody asks for that.)
    """
    raise NotImplementedError("einsum_flops")


def mlp_flops(batch: int, dims: Shape) -> int:
    """Forward FLOPs of linear layers without bias, dims[0] -> dims[1] -> ..., on a batch of rows.

    32, (784, 128, 10)  ->  2 · 32 · 784 · 128  +  2 · 32 · 128 · 10
    32, (784,)          ->  0: no layer

    dims holds at least one width.
    """
    raise NotImplementedError("mlp_flops")


def attention_flops(batch: int, heads: int, q_len: int, kv_len: int, head_dim: int) -> int:
    """FLOPs of the two matrix products of attention: scores = q @ k.T, and weights @ v.

    q is (batch, heads, q_len, head_dim); k and v are (batch, heads, kv_len, head_dim). The softmax and the scaling are
    not counted, and a causal mask is not counted as a saving.
    """
    raise NotImplementedError("attention_flops")


def arithmetic_intensity(m: int, k: int, n: int, bytes_per_element: int) -> float:
    """FLOPs of (m, k) @ (k, n) for each byte moved, in FLOP/byte; every size is at least 1.

    Each of the three matrices is moved once: two are read and the result is written.
    """
    raise NotImplementedError("arithmetic_intensity")


def roofline_seconds(flops: float, nbytes: float, peak_flops: float, peak_bandwidth: float) -> float:
    """The least time, in seconds, in which a machine with these peaks can compute `flops` and move `nbytes`.

    It computes and moves at the same time. peak_flops is in FLOP/s, peak_bandwidth in byte/s. Work is 0 or more.

    Raises ValueError for a peak that is 0 or less, also where there is no work for it.
    """
    raise NotImplementedError("roofline_seconds")


def mfu(flops: float, seconds: float, peak_flops: float) -> float:
    """Model FLOPs utilization: the FLOP/s achieved, as a share of the FLOP/s promised. 0.5 is half. Not clamped.

    flops is what the model needed, 0 or more, seconds how long it took, peak_flops what the data sheet promises in
    FLOP/s.

    Raises ValueError for seconds or a peak that is 0 or less, also where flops is 0.
    """
    raise NotImplementedError("mfu")
