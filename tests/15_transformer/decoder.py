"""The model that a config describes, made of torch's layers. On meta it needs no memory, however large it is."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

Config = dict[str, Any]
"""What each key means is said in the stub."""

Cache = list[tuple[Tensor, Tensor]]
"""The keys and values of each block, (batch, kv_heads, tokens, head_dim)."""


class Linear(nn.Linear):
    """A layer whose numbers are left as they are: only its sizes are looked at."""

    def reset_parameters(self) -> None:
        """Draw nothing."""


class Embedding(nn.Embedding):
    """A table whose numbers are left as they are."""

    def reset_parameters(self) -> None:
        """Draw nothing."""


class Masked(nn.Module):
    """A softmax over the tokens up to its own: scores are (…, heads of a group · new tokens, all tokens)."""

    def forward(self, scores: Tensor, tokens: int) -> Tensor:
        """Return the weights."""
        later = torch.ones(tokens, scores.shape[-1], dtype=torch.bool, device=scores.device)
        later = later.triu(scores.shape[-1] - tokens + 1).repeat(scores.shape[-2] // max(tokens, 1), 1)
        return scores.masked_fill(later, -torch.inf).softmax(-1)


class Attention(nn.Module):
    """Queries in groups: the heads of a group are further rows of one product, so that no key is copied."""

    def __init__(self, config: Config, **how: Any):
        super().__init__()
        width, bias = config["width"], config["bias"]
        self.heads, self.kv_heads, self.head_dim = config["heads"], config["kv_heads"], config["head_dim"]
        self.q = Linear(width, self.heads * self.head_dim, bias, **how)
        self.k = Linear(width, self.kv_heads * self.head_dim, bias, **how)
        self.v = Linear(width, self.kv_heads * self.head_dim, bias, **how)
        self.o = Linear(self.heads * self.head_dim, width, bias, **how)
        self.softmax = Masked()

    def forward(self, x: Tensor, past: tuple[Tensor, Tensor]) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Return the result, and keys and values with the new ones at the end."""
        batch, tokens, _ = x.shape
        group, dim = self.heads // self.kv_heads, self.head_dim
        q = self.q(x).reshape(batch, tokens, self.kv_heads, group, dim).permute(0, 2, 3, 1, 4)
        q = q.reshape(batch * self.kv_heads, group * tokens, dim)
        split = (batch, tokens, self.kv_heads, dim)
        new = (part(x).reshape(split).transpose(1, 2) for part in (self.k, self.v))
        k, v = (torch.cat(pair, 2) for pair in zip(past, new, strict=True))
        weights = self.softmax(q @ k.flatten(0, 1).mT, tokens)
        result = (weights @ v.flatten(0, 1)).reshape(batch, self.kv_heads, group, tokens, dim)
        result = result.permute(0, 3, 1, 2, 4).reshape(batch, tokens, self.heads * dim)
        return self.o(result), (k, v)


class Mlp(nn.Module):
    """One matrix up, or two of which one is the gate of the other, and one down."""

    def __init__(self, config: Config, **how: Any):
        super().__init__()
        width, hidden, bias = config["width"], config["hidden"], config["bias"]
        self.up = Linear(width, hidden, bias, **how)
        self.gate = Linear(width, hidden, bias, **how) if config["gated"] else None
        self.act: nn.Module = nn.SiLU() if config["gated"] else nn.GELU()
        self.down = Linear(hidden, width, bias, **how)

    def forward(self, x: Tensor) -> Tensor:
        """Up, activated, down."""
        up = self.up(x)
        inner: Tensor = self.down(self.act(up) if self.gate is None else self.act(self.gate(x)) * up)
        return inner


class Mixture(nn.Module):
    """Several MLPs, and a router that picks some of them for the one token that comes."""

    def __init__(self, config: Config, experts: int, active: int, **how: Any):
        super().__init__()
        self.router = Linear(config["width"], experts, False, **how)
        self.experts = nn.ModuleList(Mlp(config, **how) for _ in range(experts))
        self.active = active

    def forward(self, x: Tensor) -> Tensor:
        """Add up what the experts make of it, each by its share."""
        share = self.router(x).softmax(-1)
        # On meta there are no numbers to pick by; which of them it is makes no difference to a count.
        best = range(self.active) if x.is_meta else share.flatten().topk(self.active).indices.tolist()
        return torch.stack([share[..., one, None] * self.experts[one](x) for one in best]).sum(0)


class Block(nn.Module):
    """Norm, attention, add; norm, MLP, add."""

    def __init__(self, config: Config, experts: tuple[int, int] | None = None, **how: Any):
        super().__init__()
        self.norm1, self.norm2 = norm(config, **how), norm(config, **how)
        self.attention = Attention(config, **how)
        self.mlp = Mixture(config, *experts, **how) if experts else Mlp(config, **how)

    def forward(self, x: Tensor, past: tuple[Tensor, Tensor]) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Return what the next block reads, and keys and values."""
        result, kept = self.attention(self.norm1(x), past)
        x = x + result
        return x + self.mlp(self.norm2(x)), kept


class Decoder(nn.Module):
    """Tables, blocks, norm, head. Rotary positions, elementwise as they are, are left out."""

    def __init__(self, config: Config, experts: tuple[int, int] | None = None, **how: Any):
        super().__init__()
        self.config = config
        self.tokens = Embedding(config["vocab"], config["width"], **how)
        self.positions = Embedding(config["positions"], config["width"], **how) if config["positions"] else None
        self.blocks = nn.ModuleList(Block(config, experts, **how) for _ in range(config["layers"]))
        self.norm = norm(config, **how)
        self.head = Linear(config["width"], config["vocab"], False, **how)
        if config["tied"]:
            self.head.weight = self.tokens.weight

    def forward(self, batch: int, tokens: int, cached: int = 0) -> tuple[Tensor, Cache]:
        """Logits of so many new tokens, all of them number 0, behind so many in the cache; and the cache."""
        like = self.head.weight
        x = self.tokens(torch.zeros(batch, tokens, dtype=torch.int64, device=like.device))
        if self.positions is not None:
            x = x + self.positions(torch.arange(cached, cached + tokens, device=like.device))
        caches = []
        for block in self.blocks:
            shape = (batch, self.config["kv_heads"], cached, self.config["head_dim"])
            x, kept = block(x, (like.new_zeros(shape), like.new_zeros(shape)))
            caches.append(kept)
        return self.head(self.norm(x)), caches


def norm(config: Config, **how: Any) -> nn.Module:
    """LayerNorm where there are biases, and RMSNorm where there are none."""
    return (nn.LayerNorm if config["bias"] else nn.RMSNorm)(config["width"], **how)
