"""Right answers to kata 15 about bytes: of caches, for each FLOP, and of training."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

from dojo.judging.diagnose import answers

from .wheats_counts import _Block, by_names, by_one_layer_after_another, by_products, by_unbiased_parameters

# kv_cache_bytes


@answers("kv_cache_bytes")
def by_shapes_of_tensors(config, batch, tokens, bytes_per_value=2):
    shape = (batch, config["kv_heads"], tokens, config["head_dim"])
    tensors = [shape for _, _ in product(range(config["layers"]), "kv")]
    return sum(map(math.prod, tensors)) * bytes_per_value


@answers("kv_cache_bytes")
def by_layers_outputs(config, batch, tokens, bytes_per_value=2):
    _, k, v, _ = _Block(config).attention
    total = 0
    for _ in range(config["layers"]):
        total += (k.outputs + v.outputs) * bytes_per_value
    return total * tokens * batch


@answers("kv_cache_bytes")
def by_a_share_of_the_heads(config, batch, tokens, bytes_per_value=2):
    every = 2 * bytes_per_value * config["layers"] * tokens * batch * config["heads"] * config["head_dim"]
    return every * config["kv_heads"] // config["heads"]


# intensity


def _values(config):
    block = _Block(config)
    inside = sum(layer.inputs * layer.outputs for layer in block.attention + block.mlp)
    return config["layers"] * inside + config["vocab"] * config["width"]


@answers("intensity")
def by_a_fraction_of_bytes(config, batch, tokens, cached=0, bytes_per_value=2):
    moved = Fraction(_values(config) + by_shapes_of_tensors(config, batch, cached + tokens, 1))
    return float(by_products(config, batch, tokens, cached) / (moved * bytes_per_value))


@answers("intensity")
def by_bytes_for_each_flop(config, batch, tokens, cached=0, bytes_per_value=2):
    flops = by_unbiased_parameters(config, batch, tokens, cached)
    matrices = bytes_per_value * _values(config) / flops
    caches = by_layers_outputs(config, batch, cached + tokens, bytes_per_value) / flops
    return 1.0 / (matrices + caches)


@answers("intensity")
def by_decimals_of_values(config, batch, tokens, cached=0, bytes_per_value=2):
    sequence = by_a_share_of_the_heads(config, 1, cached + tokens, bytes_per_value)
    with localcontext() as context:
        context.prec = 50
        bytes_moved = Decimal(_values(config)) * bytes_per_value + sum(sequence for _ in range(batch))
        return float(Decimal(by_products(config, batch, tokens, cached)) / bytes_moved)


# training_bytes


@answers("training_bytes")
def by_a_list_of_tensors(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    rows, queries = (batch, tokens), config["heads"] * config["head_dim"]
    kept: list[tuple[int, ...]] = []
    for _ in range(config["layers"]):
        kept += [(*rows, config["width"]), (*rows, queries)]
        kept += [(batch, config["kv_heads"], tokens, config["head_dim"])] * 2
        kept += [(batch, config["heads"], tokens, tokens), (*rows, queries)]
        kept += [(*rows, config["width"]), (*rows, config["hidden"])]
    kept.append((*rows, config["width"]))
    return by_names(config) * bytes_per_param + bytes_per_value * sum(map(math.prod, kept))


@answers("training_bytes")
def by_what_layers_read(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    block = _Block(config)
    read = block.attention[0].inputs + block.attention[3].inputs + block.mlp[0].inputs + block.mlp[-1].inputs
    read += sum(layer.outputs for layer in block.attention[:3])  # by attention's own products
    linear = batch * tokens * (read * config["layers"] + config["width"])
    square = batch * config["layers"] * config["heads"] * tokens**2
    return (linear + square) * bytes_per_value + by_one_layer_after_another(config) * bytes_per_param


@answers("training_bytes")
def by_one_sequence_at_a_time(config, batch, tokens, bytes_per_param=16, bytes_per_value=2):
    total = sum(bytes_per_param * by_names(config) for _ in "p")
    cache = by_layers_outputs(config, 1, tokens, bytes_per_value)
    for _ in range(batch):
        total += cache + bytes_per_value * tokens * config["width"]
        for _ in range(config["layers"]):
            total += bytes_per_value * tokens * (config["width"] * 2 + config["hidden"])
            total += config["heads"] * (tokens * bytes_per_value) * (2 * config["head_dim"] + tokens)
    return total
