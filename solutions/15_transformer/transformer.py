"""Kata 15, solved: what a transformer costs."""

from math import sqrt
from typing import Any

Config = dict[str, Any]


def block_parameters(config: Config) -> int:
    """Count matrices, two norms, and with bias, one for each output of a matrix and those of the two norms."""
    queries, keys = config["heads"] * config["head_dim"], config["kv_heads"] * config["head_dim"]
    biases = (queries + 2 * keys + config["width"] + 2 * config["width"]) if config["bias"] else 0
    return _attention_matrices(config) + _mlp_parameters(config) + 2 * config["width"] + biases


def parameters(config: Config) -> int:
    """Count tables, blocks, the last norm, and a separate head if it is not tied."""
    tables = (config["positions"] + config["vocab"] * (1 if config["tied"] else 2)) * config["width"]
    norm = config["width"] * (2 if config["bias"] else 1)
    return tables + config["layers"] * block_parameters(config) + norm


def forward_flops(config: Config, batch: int, tokens: int, cached: int = 0) -> int:
    """Multiply each new token by each matrix once, and in each block by the keys and values of all tokens."""
    if config["positions"] and cached + tokens > config["positions"]:
        raise ValueError(f"{cached} + {tokens} tokens go beyond {config['positions']} positions")
    attention = 4 * (cached + tokens) * config["heads"] * config["head_dim"]
    return batch * tokens * (2 * _matrices(config) + config["layers"] * attention)


def crossover_tokens(config: Config) -> int:
    """Add one to the number of tokens that the MLP's FLOPs pay for."""
    return 2 * _mlp_matrices(config) // (4 * config["heads"] * config["head_dim"]) + 1


def kv_cache_bytes(config: Config, batch: int, tokens: int, bytes_per_value: int = 2) -> int:
    """Count a key and a value for each token, block and key/value head."""
    values = 2 * config["kv_heads"] * config["head_dim"]
    return config["layers"] * batch * tokens * values * bytes_per_value


def intensity(config: Config, batch: int, tokens: int, cached: int = 0, bytes_per_value: int = 2) -> float:
    """Load the matrices once, and the cache once for each sequence."""
    moved = bytes_per_value * _matrices(config) + kv_cache_bytes(config, batch, cached + tokens, bytes_per_value)
    return forward_flops(config, batch, tokens, cached) / moved


def training_bytes(config: Config, batch: int, tokens: int, bytes_per_param: int = 16, bytes_per_value: int = 2) -> int:
    """Count the parameters, and for each token what the products of each block and of the head read."""
    norms = 2 * config["width"]
    queries_and_result = 2 * config["heads"] * config["head_dim"]
    keys_and_values = 2 * config["kv_heads"] * config["head_dim"]
    block = norms + queries_and_result + keys_and_values + config["heads"] * tokens + config["hidden"]
    kept = batch * tokens * (config["layers"] * block + config["width"])
    return bytes_per_param * parameters(config) + bytes_per_value * kept


def moe_parameters(config: Config, experts: int, active: int) -> tuple[int, int]:
    """Add to the one MLP that is already there; a token uses only the active experts."""
    if not 1 <= active <= experts:
        raise ValueError(f"{active} of {experts} experts")
    expert = config["layers"] * _mlp_parameters(config)
    router = config["layers"] * config["width"] * experts
    every = parameters(config) + (experts - 1) * expert + router
    return every, every - (experts - active) * expert


def compute_optimal(flops: float, tokens_per_param: float = 20.0) -> tuple[float, float]:
    """Solve 6·N·(r·N) = C for N."""
    if flops <= 0 or tokens_per_param <= 0:
        raise ValueError(f"{flops} FLOPs, {tokens_per_param} tokens for each parameter")
    count = sqrt(flops / (6 * tokens_per_param))
    return count, tokens_per_param * count


def _attention_matrices(config: Config) -> int:
    """Count all heads for q and o, and the key/value heads for k and v."""
    return 2 * config["width"] * (config["heads"] + config["kv_heads"]) * config["head_dim"]


def _mlp_matrices(config: Config) -> int:
    return (3 if config["gated"] else 2) * config["width"] * config["hidden"]


def _mlp_parameters(config: Config) -> int:
    outputs = (2 if config["gated"] else 1) * config["hidden"] + config["width"]
    return _mlp_matrices(config) + (outputs if config["bias"] else 0)


def _matrices(config: Config) -> int:
    """Count the elements of all matrices that a token is multiplied by: those of the blocks and of the head."""
    blocks = config["layers"] * (_attention_matrices(config) + _mlp_matrices(config))
    return blocks + config["vocab"] * config["width"]
