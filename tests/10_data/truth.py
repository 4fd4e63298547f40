"""What numpy and torch say of tokens, orders and masks."""

from __future__ import annotations

import functools

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F
from torch.utils.data.distributed import DistributedSampler


def token_dtype(vocab_size: int) -> str:
    """Return what numpy chooses for the largest token."""
    return str(np.min_scalar_type(vocab_size - 1).name)


def width(vocab_size: int) -> int:
    """Return the bytes of a token."""
    return int(np.min_scalar_type(vocab_size - 1).itemsize)


def stored(tokens: list[int], vocab_size: int) -> bytes:
    """Return the bytes of a file of these tokens."""
    return b"".join(token.to_bytes(width(vocab_size), "little") for token in tokens)


def shard(order: list[int], rank: int, world_size: int) -> list[int]:
    """Return what torch's own sampler takes."""
    sampler: DistributedSampler[int] = DistributedSampler(order, world_size, rank, shuffle=False, drop_last=True)  # type: ignore[arg-type]
    return [order[place] for place in sampler] if len(order) >= world_size else []


def document_mask(tokens: list[int], eos: int, device: str) -> Tensor:
    """Return where torch's own causal attention, within each document, looks at all."""
    mask = torch.zeros(len(tokens), len(tokens), dtype=torch.bool, device=device)
    start = 0
    for place, token in enumerate(tokens, 1):
        if token == eos or place == len(tokens):
            mask[start:place, start:place] = _looked_at(place - start).to(device)
            start = place
    return mask


@functools.cache
def _looked_at(length: int) -> Tensor:
    """Return which token reaches which: each has the value 1 in a place of its own."""
    q = k = torch.ones(1, length, 1, dtype=torch.float64)
    v = torch.eye(length, dtype=torch.float64)[None]
    seen: Tensor = F.scaled_dot_product_attention(q, k, v, is_causal=True)[0] > 0
    return seen
