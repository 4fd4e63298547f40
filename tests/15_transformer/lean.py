"""A decoder with its products alone, each by its two operands: what they cost, and what they read.

All blocks are alike: one is gone through, and counts as often as there are blocks. A test of torch's facts holds this
to the whole decoder of decoder.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from .decoder import Config


class Product(NamedTuple):
    """A product of a block, or of the head.

    name: what it is called. of: what the left operand is, a result of the layer before. The right one is a matrix of
    the model, or keys or values that are `cached`.
    """

    name: str
    of: str
    left: Tensor
    right: Tensor
    cached: bool = False

    def __call__(self) -> Tensor:
        """Multiply."""
        return self.left @ self.right


def products(
    config: Config, batch: int, tokens: int, cached: int = 0, dtype: torch.dtype = torch.bfloat16
) -> tuple[list[Product], Product]:
    """The products of a block, and the head's, for so many new tokens behind so many in the cache."""
    width, hidden, dim = config["width"], config["hidden"], config["head_dim"]
    queries, kept = config["heads"] * dim, config["kv_heads"] * dim
    group, pairs, rows = config["heads"] // config["kv_heads"], batch * config["kv_heads"], batch * tokens
    found: list[Product] = []

    def new(*shape: int) -> Tensor:
        return torch.empty(shape, dtype=dtype, device="meta")

    def product(name: str, of: str, left: Tensor, right: Tensor, cached: bool = False) -> Tensor:
        found.append(Product(name, of, left, right, cached))
        return found[-1]()

    x = new(rows, width)  # the norm's result
    q = product("q", "norm 1", x, new(width, queries))
    for name in ("k", "v"):
        product(name, "norm 1", x, new(width, kept))
    # Queries of a group are further rows: a product with each head of its own would copy the keys.
    q = q.reshape(batch, tokens, config["kv_heads"], group, dim).permute(0, 2, 3, 1, 4)
    keys, values = (new(pairs, cached + tokens, dim) for _ in "kv")
    weights = product("q · k", "q", q.reshape(pairs, group * tokens, dim), keys.mT, True)
    result = product("weights · v", "weights", weights, values, True)
    result = result.reshape(batch, config["kv_heads"], group, tokens, dim).permute(0, 3, 1, 2, 4)
    product("o", "attention", result.reshape(rows, queries), new(queries, width))
    x = new(rows, width)  # the second norm's
    inner = product("up", "norm 2", x, new(width, hidden))
    if config["gated"]:
        product("gate", "norm 2", x, new(width, hidden))
    product("down", "hidden", inner, new(hidden, width))
    return found, Product("head", "last norm", new(rows, width), new(width, config["vocab"]))


def flops(some: list[Product]) -> dict[str, int]:
    """What torch's counter counts of each."""
    found, before = {}, 0
    with FlopCounterMode(display=False) as counter:
        for product in some:
            product()
            found[product.name] = int(counter.get_total_flops()) - before
            before += found[product.name]
    return found


def nbytes(named: Iterable[tuple[str, Tensor]]) -> dict[str, int]:
    """Bytes of the storages of these tensors by their names, each storage once."""
    seen: set[int] = set()
    found: dict[str, int] = {}
    for name, x in named:
        storage = x.untyped_storage()
        found[name] = found.get(name, 0) + (0 if storage._cdata in seen else storage.nbytes())
        seen.add(storage._cdata)
    return found
