"""What einops and torch say: each measured on the same case."""

from __future__ import annotations

import einops
import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from ..shared.described import tensor, tensors
from ..shared.shapes import Shape
from ..shared.threads import one_thread
from .patterns import Pattern, Sizes, names_of

__all__ = ["tensor", "tensors"]


def on_meta(shape: Shape) -> Tensor:
    """A tensor of that shape without elements in memory, however many they are."""
    return torch.empty(shape, dtype=torch.uint8, device="meta")


def axis_sizes(pattern: Pattern) -> Sizes:
    """The sizes of a tensor in which einops gives each name of the left side a dimension."""
    names = names_of(pattern.left)
    split = einops.rearrange(on_meta(pattern.shape), f"{pattern.names} -> {' '.join(names)}", **pattern.sizes)
    return dict(zip(names, split.shape, strict=True))


def rearrange_shape(pattern: Pattern) -> Shape:
    """The shape of what einops makes."""
    return tuple(einops.rearrange(on_meta(pattern.shape), pattern.text, **pattern.sizes).shape)


def rearrange(x: Tensor, pattern: Pattern) -> Tensor:
    """What einops makes of x."""
    return einops.rearrange(x, pattern.text, **pattern.sizes)


def reduce(x: Tensor, pattern: Pattern, op: str) -> Tensor:
    """What einops reduces x to."""
    return einops.reduce(x, pattern.text, op, **pattern.sizes)


def repeat(x: Tensor, pattern: Pattern) -> Tensor:
    """What einops repeats x to."""
    return einops.repeat(x, pattern.text, **pattern.sizes)


def einsum(x: Tensor, y: Tensor, pattern: str) -> Tensor:
    """What einops makes of x and y."""
    product: Tensor = einops.einsum(x, y, pattern)
    return product


def per_head(x: Tensor, w: Tensor) -> Tensor:
    """x times a matrix that holds w once for each head, on its diagonal."""
    blocks: Tensor = torch.block_diag(*[w] * (x.shape[-1] // w.shape[0]))
    return x @ blocks


def patches(images: Tensor, patch: int) -> Tensor:
    """The blocks that a convolution with this stride meets."""
    with one_thread():
        blocks: Tensor = nn.functional.unfold(images, patch, stride=patch)
    return blocks.transpose(1, 2)


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """torch's own attention with groups of heads."""
    with one_thread(), sdpa_kernel(SDPBackend.MATH):
        return nn.functional.scaled_dot_product_attention(q, k, v, enable_gqa=True)
