"""What a report draws beside a failing example of kata 03: sums term by term."""

from __future__ import annotations

import functools
import itertools
import math
from typing import Any

import torch

from dojo.judging.pictures import Terms
from dojo.seam.data import shown

from ..shared.shapes import Shape
from ..shared.sums import asked, terms
from . import truth

LAYER_ALONE = "Each of yours is what it returns for that layer alone."


def products(kata: Any, answer: object, device: str, a_shape: Shape, b_shape: Shape) -> Terms | None:
    """A batch of matrix products: one product, and all of them. None if there is only one."""
    if min(len(a_shape), len(b_shape)) < 2:
        return None
    count = math.prod(torch.broadcast_shapes(a_shape[:-2], b_shape[:-2]))
    one = (a_shape[-2:], b_shape[-2:])
    if count < 2:
        return None
    total = truth.matmul_flops(device, a_shape, b_shape)
    row = (f"one of {count} products", asked(lambda: kata.matmul_flops(*one)), shown(truth.matmul_flops(device, *one)))
    return Terms([row], ("in all", shown(answer), shown(total)), f"One product is {one[0]} @ {one[1]}.")


def layers(kata: Any, answer: object, device: str, batch: int, dims: Shape) -> Terms | None:
    """The forward pass of some layers, layer by layer."""
    pairs = {f"layer {index}: {pair[0]} to {pair[1]}": pair for index, pair in enumerate(itertools.pairwise(dims))}
    counted = {name: truth.mlp_flops(device, batch, pair) for name, pair in pairs.items()}
    alone = {name: functools.partial(kata.mlp_flops, batch, pair) for name, pair in pairs.items()}
    return terms(counted, answer, alone, LAYER_ALONE)


def attention(
    answer: object, device: str, batch: int, heads: int, q_len: int, kv_len: int, head_dim: int
) -> Terms | None:
    """The two products of attention."""
    q, k, scores = ((batch, heads, *sizes) for sizes in ((q_len, head_dim), (head_dim, kv_len), (q_len, kv_len)))
    v = (batch, heads, kv_len, head_dim)
    products = {"the scores": (q, k), "the weighted sum of v": (scores, v)}
    return terms({name: truth.matmul_flops(device, *shapes) for name, shapes in products.items()}, answer)


def ratio(answer: object, right: float, parts: dict[str, int]) -> Terms:
    """FLOPs, and the bytes that they are divided by."""
    return Terms(
        [(name, "", shown(part)) for name, part in parts.items()], ("FLOPs per byte", shown(answer), shown(right)), ""
    )
