"""Returns tensors that cannot be compared, or not be read: sparse, meta, quantized, lazy, expanded, NaN, or freed."""
# kata: 04_backward_flops
# attacks: matmul_backward

import itertools

import torch


def _freed(like):
    x = torch.zeros(like.shape, dtype=like.dtype)
    x.untyped_storage().resize_(0)
    return x


def _beyond(like):
    """It says it is larger than its storage, which an address gives it."""
    x = torch.zeros(1, dtype=like.dtype)
    return x.as_strided(like.shape, (0,) * like.ndim).expand(2**20, *like.shape)


MAKERS = itertools.cycle(
    [
        _freed,
        _beyond,
        lambda like: torch.zeros(like.shape, dtype=like.dtype).to_sparse(),
        lambda like: torch.empty(like.shape, dtype=like.dtype, device="meta"),
        lambda like: torch.quantize_per_tensor(torch.zeros(like.shape), 1.0, 0, torch.qint8),
        lambda like: torch.full(like.shape, float("nan"), dtype=like.dtype),
        lambda like: torch.empty(2**24, dtype=torch.complex128),
        lambda like: torch.zeros(like.shape, dtype=torch.complex64).conj(),
        lambda like: torch._neg_view(torch.zeros(like.shape, dtype=like.dtype)),
        lambda like: torch.nested.nested_tensor([torch.zeros(1), torch.zeros(2)]),
    ]
)


def matmul_backward(a, b, grad_out):
    make = next(MAKERS)
    return make(a), make(b)
