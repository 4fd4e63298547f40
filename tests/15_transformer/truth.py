"""What torch says of models: each measured on a real one on meta, never recomputed by the formula under test."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from . import lean
from .decoder import Block, Config, Decoder

SMALL = 1000
"""Models of smaller sizes than this are run on the CPU where the numbers matter."""

LARGEST = 2**60
"""Above it not even meta has a size."""

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


def linear(measure: Callable[[Config], dict[str, int]], config: Config, **largest: int) -> dict[str, int]:
    """What is measured of a config; of one with a larger size than these, what a line through two small ones says."""
    for name, most in largest.items():
        if config[name] > most:
            first = 0 if name == "layers" else 1
            one, two = (linear(measure, config | {name: size}, **largest) for size in (first, first + 1))
            return {part: n + (config[name] - first) * (two[part] - n) for part, n in one.items()}
    return measure(config)


def stretched(measure: Callable[[Config], dict[str, int]], config: Config) -> dict[str, int]:
    """What is measured of a config, which may have a head or an MLP that not even meta has."""
    return linear(measure, config, head_dim=LARGEST, hidden=LARGEST)


def block_parameters(config: Config) -> dict[str, int]:
    """Numbers in the parameters of a real block, by part."""
    return stretched(_block_parameters, config)


def _block_parameters(config: Config) -> dict[str, int]:
    block = Block(config, device="meta")
    parts = {"attention": block.attention, "MLP": block.mlp, "norm 1": block.norm1, "norm 2": block.norm2}
    return {name: numel(part.parameters()) for name, part in parts.items()}


def parameters(config: Config) -> dict[str, int]:
    """Numbers in the parameters of a real model, each once, by part."""
    return stretched(lambda one: dict(_parameters(_key(one))), config)


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
    return stretched(lambda one: dict(_flops(_key(one), batch, tokens, cached)), config)


@functools.lru_cache(4096)
def _flops(key: Key, batch: int, tokens: int, cached: int) -> Key:
    config = dict(key)
    block, head = lean.products(config, batch, tokens, cached)
    counted = lean.flops([*block, head])
    return tuple((name, count * (config["layers"] if name != "head" else 1)) for name, count in counted.items())


def storages(config: Config, batch: int, tokens: int, cached: int = 0, size: int = 2) -> Storages:
    """What a lean model reads whose numbers have so many bytes. Of 1 byte torch multiplies none: half of 2."""
    found = stretched(lambda one: dict(_storages(_key(one), batch, tokens, cached, max(size, 2))), config)
    if size == 1:
        found = {name: n // 2 for name, n in found.items()}
    return Storages(found.pop("all matrices"), found.pop("cache"), found)


@functools.lru_cache(4096)
def _storages(key: Key, batch: int, tokens: int, cached: int, size: int) -> Key:
    config = dict(key)
    block, head = lean.products(config, batch, tokens, cached, DTYPES[size])
    layers = config["layers"]
    right = lean.nbytes(("cache" if product.cached else "matrices", product.right) for product in block)
    left = lean.nbytes((product.of, product.left) for product in block)
    activations = {name: layers * count for name, count in left.items()} | lean.nbytes([(head.of, head.left)])
    last = head.right.untyped_storage().nbytes()
    every = {"all matrices": layers * right["matrices"] + last, "cache": layers * right["cache"], **activations}
    return tuple(every.items())


def intensity(config: Config, batch: int, tokens: int, cached: int = 0, size: int = 2) -> float:
    """The FLOPs, over the bytes of matrices, keys and values."""
    found = storages(config, batch, tokens, cached, size)
    return sum(flops(config, batch, tokens, cached).values()) / (found.matrices + found.cache)


def cache_bytes(config: Config, batch: int, tokens: int, size: int = 2) -> int:
    """The bytes of the keys and values."""
    return storages(config, batch, tokens, 0, size).cache


def step(config: Config, batch: int, tokens: int, bytes_per_param: int = 16, size: int = 2) -> dict[str, int]:
    """Bytes that a training step keeps, by part."""
    found = storages(config, batch, tokens, 0, size)
    held = bytes_per_param * sum(parameters(config).values())
    return {"parameters": held, **found.activations, "k and v": found.cache}


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
    found = stretched(lambda one: dict(_attention_and_mlp(_key(one), tokens)), config)
    return found["attention"], found["MLP"]


@functools.lru_cache(4096)
def _attention_and_mlp(key: Key, tokens: int) -> Key:
    block, _ = lean.products(dict(key), 1, tokens)
    counted = lean.flops([product for product in block if product.cached or product.name in MLP])
    mlp = sum(counted.get(name, 0) for name in MLP)
    return ("attention", counted["q · k"] + counted["weights · v"]), ("MLP", mlp)


def moe_parameters(config: Config, experts: int, active: int) -> tuple[int, int]:
    """Numbers in the parameters of a real mixture of experts, and in those that have a gradient after one token."""

    def measure(one: Config) -> dict[str, int]:
        return dict(_moe_parameters(_key(one), experts, active))

    found = linear(measure, config, layers=2, head_dim=LARGEST, hidden=LARGEST)
    return found["every"], found["used"]


@functools.lru_cache(4096)
def _moe_parameters(key: Key, experts: int, active: int) -> Key:
    model = Decoder(dict(key), (experts, active), device="cpu" if max(dict(key).values()) < SMALL else "meta")
    model(1, 1)[0].sum().backward()
    found = list(model.parameters())
    return ("every", numel(found)), ("used", numel(p for p in found if p.grad is not None))


def _key(config: Config) -> Key:
    return tuple(config.items())
