"""Right answers to kata 15 about parameters and FLOPs."""

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, reduce

from dojo.judging.diagnose import answers


@dataclass
class _Layer:
    inputs: int
    outputs: int
    biased: bool = False

    @property
    def count(self):
        return self.inputs * self.outputs + self.outputs * self.biased

    def flops(self, rows):
        return 2 * rows * self.inputs * self.outputs


class _Block:
    """A block as a list of layers."""

    def __init__(self, config):
        width, dim, bias = config["width"], config["head_dim"], config["bias"]
        keys = [_Layer(width, config["kv_heads"] * dim, bias) for _ in range(2)]
        self.attention = [_Layer(width, config["heads"] * dim, bias), *keys, _Layer(config["heads"] * dim, width, bias)]
        self.mlp = [_Layer(width, config["hidden"], bias), _Layer(config["hidden"], width, bias)]
        if config["gated"]:
            self.mlp.insert(0, self.mlp[0])
        self.norms = [width] * (4 if bias else 2)

    def count(self):
        return sum(layer.count for layer in self.attention + self.mlp) + sum(self.norms)


# block_parameters


@answers("block_parameters")
def by_layers(config):
    return _Block(config).count()


@answers("block_parameters")
def by_shapes(config):
    match config:
        case {"width": w, "heads": h, "kv_heads": k, "head_dim": d, "hidden": f, "gated": g, "bias": b}:
            shapes = [(w, h * d), (w, k * d), (w, k * d), (h * d, w), (w, f), (f, w), (w,), (w,)]
            shapes += [(w, f)] * int(g)
            biases = [(shape[-1],) for shape in shapes] if b else []
            return sum(itertools.starmap(lambda *sizes: math.prod(sizes), shapes + biases))


@answers("block_parameters")
def by_taking_the_config_apart(config):
    config = dict(config)
    for key in ("vocab", "layers", "positions", "tied"):
        config.pop(key)
    once, total = (1 if config["bias"] else 0), 0
    ins = config["width"] + once  # a bias is the weight of an input that is always 1
    for heads in (config["heads"], config["kv_heads"], config["kv_heads"]):
        total += ins * heads * config["head_dim"]
    total += config["width"] * (config["heads"] * config["head_dim"] + once)
    total += (ins + (ins if config["gated"] else 0)) * config["hidden"]
    total += (config["hidden"] + once) * config["width"]
    return total + (1 + once) * config["width"] * 2


# parameters


@answers("parameters")
def by_one_layer_after_another(config):
    total = config["vocab"] * config["width"]
    for _ in range(config["positions"]):
        total += config["width"]
    for _ in range(config["layers"]):
        total += _Block(config).count()
    total += config["width"] << int(config["bias"])
    if config["tied"] is False:
        total += _Layer(config["width"], config["vocab"]).count
    return total


@answers("parameters")
def by_names(config):
    names: Counter[str] = Counter()
    names["tokens"] = names["head"] = config["vocab"] * config["width"]
    names["positions"] = config["positions"] * config["width"]
    names["norm"] = config["width"] * (1 + config["bias"])
    names.update({f"block {n}": by_shapes(config) for n in range(config["layers"])})
    if config["tied"]:
        del names["head"]
    return sum(names.values())


@answers("parameters")
def by_what_is_twice_width(config):
    rows = config["vocab"] + config["positions"] + 1
    rows += 1 if config["bias"] else 0
    rows += 0 if config["tied"] else config["vocab"]
    return rows * config["width"] + by_taking_the_config_apart(config) * config["layers"]


# forward_flops


@answers("forward_flops")
def by_products(config, batch, tokens, cached=0):
    if 0 < config["positions"] < cached + tokens:
        raise ValueError(f"position {cached + tokens - 1}")
    rows, every = batch * tokens, cached + tokens
    total = _Layer(config["width"], config["vocab"]).flops(rows)
    for _ in range(config["layers"]):
        block = _Block(config)
        total += sum(layer.flops(rows) for layer in block.attention + block.mlp)
        for _ in range(config["heads"]):
            total += batch * (2 * tokens * config["head_dim"] * every + 2 * tokens * every * config["head_dim"])
    return total


@answers("forward_flops")
def by_one_token_after_another(config, batch, tokens, cached=0):
    room = config["positions"] or math.inf
    if cached + tokens > room:
        raise IndexErrorOfOurs(cached + tokens)
    block = _Block(config)
    matrices = sum(layer.inputs * layer.outputs for layer in block.attention + block.mlp)
    total = 0
    for _ in range(tokens if tokens < 99 else 1):
        for _ in range(config["layers"]):
            total += matrices + 2 * config["heads"] * config["head_dim"] * (cached + tokens)
        total += config["width"] * config["vocab"]
    return batch * (total + total) * (1 if tokens < 99 else tokens)


class IndexErrorOfOurs(ValueError):
    """A position that is not there."""


@answers("forward_flops")
def by_unbiased_parameters(config, batch, tokens, cached=0):
    if config["positions"]:
        if not cached + tokens <= config["positions"]:
            raise ValueError
    bare = {**config, "bias": False, "tied": True, "positions": 0}
    norms = config["width"] * (2 * config["layers"] + 1)
    scores = config["layers"] * config["heads"] * (cached + tokens)
    return 2 * batch * tokens * (by_names(bare) - norms) + 4 * config["head_dim"] * batch * tokens * scores


# crossover_tokens


@answers("crossover_tokens")
def by_trying(config):
    tokens, step = 1, 1 << 128
    mlp = sum(layer.flops(1) for layer in _Block(config).mlp)
    while step:
        while 4 * (tokens + step - 1) * config["heads"] * config["head_dim"] <= mlp:
            tokens += step
        step //= 2
    return tokens


@answers("crossover_tokens")
def by_halving(config):
    mlp = sum(layer.flops(1) for layer in _Block(config).mlp)
    low, high = 0, mlp
    while high - low > 1:
        middle = (low + high) // 2
        if 4 * middle * config["heads"] * config["head_dim"] > mlp:
            high = middle
        else:
            low = middle
    return high


@answers("crossover_tokens")
def by_a_fraction(config):
    matrices = 3 if config["gated"] else 2
    exact = Fraction(matrices * config["width"] * config["hidden"], config["heads"] * config["head_dim"] * 2)
    return max(1, math.ceil(exact) + (exact.denominator == 1))


# moe_parameters


@answers("moe_parameters")
def by_taking_out_and_putting_in(config, experts, active):
    if experts < active or active < 1:
        raise ValueError(active)
    expert = sum(layer.count for layer in _Block(config).mlp)
    shared = by_names(config) - expert * config["layers"] + config["layers"] * experts * config["width"]
    return shared + config["layers"] * expert * experts, shared + config["layers"] * expert * active


@answers("moe_parameters")
def by_a_list_of_parts(config, experts, active):
    if active not in range(1, experts + 1):
        raise ValueError(f"{active} not in 1 to {experts}")
    parts = [(by_one_layer_after_another(config | {"layers": 0}), True)]
    for _ in range(config["layers"]):
        block = _Block(config)
        parts.append((sum(layer.count for layer in block.attention) + sum(block.norms), True))
        parts.append((_Layer(config["width"], experts).count, True))
        parts += [(sum(layer.count for layer in block.mlp), place < active) for place in range(experts)]
    return sum(count for count, _ in parts), sum(count for count, used in parts if used)


@answers("moe_parameters")
def by_a_difference(config, experts, active):
    assert_that(1 <= active <= experts)
    idle = config | {"hidden": 1}
    # What grows with hidden is the MLP's, but for its last bias.
    grown = by_shapes(config | {"hidden": 2}) - by_shapes(idle)
    mlp = grown * config["hidden"] + (config["width"] if config["bias"] else 0)

    def count(number):
        block = by_shapes(config) + (number - 1) * mlp + experts * config["width"]
        return by_names(config | {"layers": 0}) + config["layers"] * block

    return tuple(map(count, (experts, active)))


def assert_that(holds):
    if not holds:
        raise ValueError("experts")


@answers("moe_parameters")
def by_another_hidden_for_a_while(config, experts, active):
    hidden = config["hidden"]
    try:
        config["hidden"] = hidden + hidden
        mlp = by_shapes(config)
        config["hidden"] = hidden
        mlp -= by_shapes(config)
        if active > experts or active <= 0:
            raise ValueError
        mlp += config["width"] * config["bias"]
        router = config["width"] * experts
        every, used = (by_names(config) + config["layers"] * (router + mlp * (n - 1)) for n in (experts, active))
    finally:
        config["hidden"] = hidden
    return every, used


# compute_optimal


@answers("compute_optimal")
def by_logarithms(flops, tokens_per_param=20.0):
    if not (flops > 0 and tokens_per_param > 0):
        raise ValueError(flops, tokens_per_param)
    spent, ratio = math.log(flops / 6), math.log(tokens_per_param)
    return math.exp((spent - ratio) / 2), math.exp((spent + ratio) / 2)


@answers("compute_optimal")
def by_the_tokens(flops, tokens_per_param=20.0):
    if not (flops > 0 < tokens_per_param):
        raise ValueError
    tokens = (flops * tokens_per_param / 6) ** 0.5
    return tokens / tokens_per_param, tokens


@answers("compute_optimal")
def by_decimals(flops, tokens_per_param=20.0):
    if min(flops, tokens_per_param) <= 0:
        raise ValueError("above 0")
    with localcontext() as context:
        context.prec = 60
        spent, ratio = Decimal(flops), Decimal(tokens_per_param)
        count = (spent / (6 * ratio)).sqrt()
        return float(count), float(count * ratio)


@answers("compute_optimal")
def by_newton(flops, tokens_per_param=20.0):
    if flops <= 0:
        raise ValueError("flops")
    if tokens_per_param <= 0:
        raise ValueError("tokens_per_param")
    wanted = flops / tokens_per_param / 6
    start = 2.0 ** (math.frexp(wanted)[1] / 2)
    count = reduce(lambda guess, _: (guess + wanted / guess) / 2, range(8), start)
    return count, flops / (6 * count)


@answers("parameters")
def remembers_every_model(config):
    """Look up a model by all that describes it."""
    return _parameters_of(tuple(sorted(config.items())))


@cache
def _parameters_of(items):
    config = dict(items)
    tables = [config["vocab"], config["positions"], 0 if config["tied"] else config["vocab"], 1 + config["bias"]]
    return sum(tables) * config["width"] + config["layers"] * _Block(config).count()
