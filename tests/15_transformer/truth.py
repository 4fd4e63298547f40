"""What torch says of models: each measured on a real one on meta, never recomputed by the formula under test."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from . import lean
from .decoder import Block, Config, Decoder

SMALL = 1000
"""Models of smaller sizes than this are run on the CPU where the numbers matter."""

MLP = ("up", "gate", "down")

DTYPES = {2: torch.bfloat16, 4: torch.float32, 8: torch.float64}

Key = tuple[tuple[str, Any], ...]
"""A config that can be looked up."""


class Storages(NamedTuple):
    """Bytes of the storages of what the products of a forward pass multiply, each once."""

    matrices: int
    cache: int
    activations: dict[str, int]


def numel(tensors: Iterable[Tensor]) -> int:
    """How many numbers they have together."""
    return sum(x.numel() for x in tensors)


def block_parameters(config: Config) -> dict[str, int]:
    """Numbers in the parameters of a real block, by part."""
    block = Block(config, device="meta")
    parts = {"attention": block.attention, "MLP": block.mlp, "norm 1": block.norm1, "norm 2": block.norm2}
    return {name: numel(part.parameters()) for name, part in parts.items()}


def parameters(config: Config) -> dict[str, int]:
    """Numbers in the parameters of a real model, each once, by part."""
    return dict(_parameters(_key(config)))


@functools.lru_cache(4096)
def _parameters(key: Key) -> Key:
    seen: dict[int, Tensor] = {}
    found: dict[str, int] = {}
    for name, part in Decoder(dict(key), device="meta").named_children():
        fresh = {id(p): p for p in part.parameters() if id(p) not in seen}
        found[name] = numel(fresh.values())
        seen |= fresh
    return tuple(found.items())


def flops(config: Config, batch: int, tokens: int, cached: int = 0) -> dict[str, int]:
    """What torch's counter counts of a pass through a lean model, by product."""
    return dict(_flops(_key(config), batch, tokens, cached))


@functools.lru_cache(4096)
def _flops(key: Key, batch: int, tokens: int, cached: int) -> Key:
    config = dict(key)
    block, head = lean.products(config, batch, tokens, cached)
    counted = lean.flops([*block, head])
    return tuple((name, count * (config["layers"] if name != "head" else 1)) for name, count in counted.items())


def storages(config: Config, batch: int, tokens: int, cached: int = 0, size: int = 2) -> Storages:
    """What a lean model reads whose numbers have so many bytes. Of 1 byte torch multiplies none: half of 2."""
    found = _storages(_key(config), batch, tokens, cached, max(size, 2))
    if size > 1:
        return found
    return Storages(found.matrices // 2, found.cache // 2, {name: n // 2 for name, n in found.activations.items()})


@functools.lru_cache(4096)
def _storages(key: Key, batch: int, tokens: int, cached: int, size: int) -> Storages:
    config = dict(key)
    block, head = lean.products(config, batch, tokens, cached, DTYPES[size])
    layers = config["layers"]
    right = lean.nbytes(("cache" if product.cached else "matrices", product.right) for product in block)
    left = lean.nbytes((product.of, product.left) for product in block)
    activations = {name: layers * count for name, count in left.items()} | lean.nbytes([(head.of, head.left)])
    last = head.right.untyped_storage().nbytes()
    return Storages(layers * right["matrices"] + last, layers * right["cache"], activations)


def intensity(config: Config, batch: int, tokens: int, cached: int = 0, size: int = 2) -> float:
    """The FLOPs, over the bytes of matrices, keys and values."""
    found = storages(config, batch, tokens, cached, size)
    return sum(flops(config, batch, tokens, cached).values()) / (found.matrices + found.cache)


def decoder_flops(config: Config, batch: int, tokens: int, cached: int) -> int:
    """What torch's counter counts of the whole decoder, its norms, softmaxes and activations too."""
    with FlopCounterMode(display=False) as counter:
        Decoder(config, device="meta")(batch, tokens, cached)
    return int(counter.get_total_flops())


def crossover_tokens(config: Config) -> int:
    """The fewest tokens at which torch counts more for attention's two products than for the MLP."""
    low, high = 0, 1
    while not attention_costs_more(config, high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if attention_costs_more(config, middle) else (middle, high)
    return high


def attention_costs_more(config: Config, tokens: int) -> bool:
    """Whether torch counts more for attention's two products than for the MLP of the same block.

    Where not even meta has products of so many tokens, it counts those of one: attention's for each pair of tokens.
    """
    if tokens < 2**20 and tokens * config["heads"] * max(config.values()) < 2**60:
        attention, mlp = attention_and_mlp(config, tokens)
        return attention > mlp
    attention, mlp = attention_and_mlp(config, 1)
    return tokens**2 * attention > tokens * mlp


def attention_and_mlp(config: Config, tokens: int) -> tuple[int, int]:
    """What torch counts for attention's two products, and for the MLP."""
    return _attention_and_mlp(_key(config), tokens)


@functools.lru_cache(4096)
def _attention_and_mlp(key: Key, tokens: int) -> tuple[int, int]:
    block, _ = lean.products(dict(key), 1, tokens)
    counted = lean.flops([product for product in block if product.cached or product.name in MLP])
    return counted["q · k"] + counted["weights · v"], sum(counted.get(name, 0) for name in MLP)


def moe_parameters(config: Config, experts: int, active: int) -> tuple[int, int]:
    """Numbers in the parameters of a real mixture of experts, and in those that have a gradient after one token."""
    if config["layers"] <= 2:
        return _moe_parameters(_key(config), experts, active)
    none, one = (_moe_parameters(_key(config | {"layers": layers}), experts, active) for layers in (0, 1))
    every, used = (end + config["layers"] * (more - end) for end, more in zip(none, one, strict=True))
    return every, used


@functools.lru_cache(4096)
def _moe_parameters(key: Key, experts: int, active: int) -> tuple[int, int]:
    model = Decoder(dict(key), (experts, active), device="cpu" if max(dict(key).values()) < SMALL else "meta")
    model(1, 1)[0].sum().backward()
    found = list(model.parameters())
    return numel(found), numel(p for p in found if p.grad is not None)


def _key(config: Config) -> Key:
    return tuple(config.items())
