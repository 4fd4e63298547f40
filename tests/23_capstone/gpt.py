"""The model of kata 23: GPT-2's layout, small, with masks and positions as buffers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Watch(Protocol):
    """Looks at the parts of models while they run, copies of them too."""

    def enter(self, part: Any, x: Tensor) -> None:
        """A part begins, on this."""

    def leave(self) -> None:
        """It has ended, or raised."""


WATCHES: list[Watch] = []
"""Who looks. No hooks: whoever calls `forward` itself is seen too."""


def watched(method: Callable[[Any, Tensor], Tensor]) -> Callable[[Any, Tensor], Tensor]:
    """Show each call of a method to those who look."""

    @functools.wraps(method)
    def shown(self: Any, x: Tensor) -> Tensor:
        watches = [*WATCHES]
        for watch in watches:
            watch.enter(self, x)
        try:
            return method(self, x)
        finally:
            for watch in watches:
                watch.leave()

    return shown


class Block(nn.Module):
    """Attention and an MLP, each behind a norm and beside the residual stream: (batch, tokens, dim) -> the same."""

    mask: Tensor

    def __init__(self, index: int, context: int, dim: int, heads: int) -> None:
        super().__init__()
        self.index, self.heads = index, heads
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.out = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)
        self.register_buffer("mask", torch.ones(context, context, dtype=torch.bool).triu(1))

    @watched
    def forward(self, h: Tensor) -> Tensor:
        """What goes into the stream, and what comes out of it."""
        batch, tokens, dim = h.shape
        q, k, v = self.qkv(self.norm1(h)).view(batch, tokens, 3, self.heads, dim // self.heads).permute(2, 0, 3, 1, 4)
        weights = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(self.mask[:tokens, :tokens], -math.inf).softmax(-1)
        h = h + self.out((weights @ v).transpose(1, 2).reshape(batch, tokens, dim))
        result: Tensor = h + self.down(F.gelu(self.up(self.norm2(h))))
        return result


class GPT(nn.Module):
    """Embeddings, blocks, and a head whose weight is the token embedding's."""

    places: Tensor

    def __init__(self, vocab: int, context: int, dim: int, layers: int, heads: int = 1) -> None:
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocab, dim), nn.Embedding(context, dim)
        self.blocks = nn.ModuleList(Block(index, context, dim, heads) for index in range(layers))
        self.norm = nn.LayerNorm(dim)
        self.register_buffer("places", torch.arange(context))
        for name, p in self.named_parameters():  # token embeddings stay as torch makes them, N(0, 1)
            if p.ndim > 1 and name != "tokens.weight":
                nn.init.normal_(p, std=0.1)

    @watched
    def embed(self, tokens: Tensor) -> Tensor:
        """(batch, tokens) -> (batch, tokens, dim)."""
        h: Tensor = self.tokens(tokens) + self.positions(self.places[: tokens.shape[1]])
        return h

    @watched
    def head(self, h: Tensor) -> Tensor:
        """(batch, tokens, dim) -> logits (batch, tokens, vocab)."""
        return F.linear(self.norm(h), self.tokens.weight)

    def forward(self, tokens: Tensor) -> Tensor:
        """All of that: (batch, tokens) -> logits (batch, tokens, vocab)."""
        h = self.embed(tokens)
        for block in self.blocks:
            h = block(h)
        logits: Tensor = self.head(h)
        return logits
