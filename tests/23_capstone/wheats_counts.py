"""Right answers to kata 23 about parameters, FLOPs, plans and groups: by shapes, by recursion, by search, by ids."""
# mypy: ignore-errors

import itertools
import math
from fractions import Fraction
from functools import reduce

import torch
from torch import nn

from dojo.judging.diagnose import answers

# gpt_params


@answers("gpt_params")
def by_shapes(vocab, context, dim, layers):
    block = [(3 * dim, dim), (3 * dim,), (dim, dim), (dim,), (4 * dim, dim), (4 * dim,), (dim, 4 * dim), (dim,)]
    block += [(dim,)] * 4
    others = [(vocab, dim), (context, dim), (dim,), (dim,)]
    return sum(map(math.prod, others)) + layers * sum(map(math.prod, block))


@answers("gpt_params")
def layer_by_layer_of_two(vocab, context, dim, layers):
    if layers > 1:
        half, odd = (layer_by_layer_of_two(vocab, context, dim, n) for n in (layers // 2, layers % 2))
        return 2 * half + odd - 2 * layer_by_layer_of_two(vocab, context, dim, 0)
    linear = lambda i, o: i * o + o
    one = linear(dim, 3 * dim) + linear(dim, dim) + linear(dim, 4 * dim) + linear(4 * dim, dim) + 2 * 2 * dim
    return (vocab + context + 2) * dim + layers * one


@answers("gpt_params")
def on_meta(vocab, context, dim, layers):
    with torch.device("meta"):
        block = nn.TransformerEncoderLayer(dim, 1, 4 * dim)
        rest = [nn.Embedding(vocab, dim), nn.Embedding(context, dim), nn.LayerNorm(dim)]
    count = lambda *modules: sum(p.numel() for m in modules for p in m.parameters())
    return count(*rest) + count(block) * layers


# step_flops


@answers("step_flops")
def product_by_product(batch, context, vocab, dim, layers, recomputed=0):
    if recomputed not in range(layers + 1):
        raise ValueError(recomputed)
    mm = lambda m, k, n: 2 * m * k * n
    rows = batch * context
    block = sum(mm(rows, i, o) for i, o in ((dim, 3 * dim), (dim, dim), (dim, 4 * dim), (4 * dim, dim)))
    for _ in "qk", "wv":
        block += batch * mm(context, dim, context)
    total = 0
    if layers:
        total = block * (layers * 3 + recomputed)
    return total + 3 * mm(rows, dim, vocab)


@answers("step_flops")
def six_n_d_mended(batch, context, vocab, dim, layers, recomputed=0):
    if recomputed < 0 or recomputed > layers:
        raise ValueError
    tokens = batch * context
    six_n_d = 6 * (12 * dim**2 * layers + vocab * dim) * tokens
    attention = 12 * layers * context * dim * tokens
    again = Fraction(six_n_d + attention - 6 * vocab * dim * tokens, 3 * max(layers, 1)) * recomputed
    return int(six_n_d + attention + again)


@answers("step_flops")
def by_a_counter(batch, context, vocab, dim, layers, recomputed=0):
    if not recomputed <= layers or recomputed < 0:
        raise ValueError("no such blocks")
    passes = {"forward": (layers, 1), "recomputed": (recomputed, 0), "backward": (2 * layers, 2)}
    per_token = (4 * dim * (context + 6 * dim), 2 * dim * vocab)
    return sum(batch * context * count * cost for counts in passes.values() for count, cost in zip(counts, per_token))


# plan


@answers("plan")
def by_min(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    if min(batch - 1, layers) < 0:
        raise ValueError
    saves = lambda m, r: m * (rest_bytes + r * boundary_bytes + (layers - r) * block_bytes)
    every = itertools.product((m for m in range(1, batch + 1) if not batch % m), range(layers + 1))
    return min((p for p in every if saves(*p) <= budget), key=lambda p: (p[1], -p[0]), default=None)


@answers("plan")
def by_division(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    if batch <= 0 or layers <= -1:
        raise ValueError("nothing to plan")
    recomputed = 0
    while recomputed <= layers:
        one = rest_bytes + layers * block_bytes - recomputed * (block_bytes - boundary_bytes)
        most = batch if one == 0 else max(0, min(batch, budget // one))
        while most and batch % most:
            most -= 1
        if most:
            return most, recomputed
        recomputed += 1
    return None


@answers("plan")
def by_recursion(batch, layers, block_bytes, boundary_bytes, rest_bytes, budget):
    if batch < 1 or layers < 0:
        raise ValueError

    def tried(micro, recomputed):
        if recomputed > layers:
            return None
        if micro == 0:
            return tried(batch, recomputed + 1)
        total = sum([boundary_bytes] * recomputed + [block_bytes] * (layers - recomputed), rest_bytes)
        if batch % micro == 0 and total * micro <= budget:
            return (micro, recomputed)
        return tried(micro - 1, recomputed)

    return tried(batch, 0)


# param_groups


@answers("param_groups")
def by_named_parameters(model, weight_decay):
    groups = {True: [], False: []}
    for _, p in model.named_parameters():
        if p.requires_grad:
            groups[p.dim() >= 2].append(p)
    return [dict(params=found, weight_decay=weight_decay if big else 0.0) for big, found in groups.items() if found]


@answers("param_groups")
def by_modules_and_ids(model, weight_decay):
    seen, groups = set(), []
    for module in model.modules():
        for p in module.parameters(recurse=False):
            if id(p) in seen or not p.requires_grad:
                continue
            seen.add(id(p))
            groups.append({"params": [p], "weight_decay": weight_decay * (len(p.shape) > 1)})
    return groups


@answers("param_groups")
def as_generators(model, weight_decay):
    trained = lambda: filter(lambda p: p.requires_grad, model.parameters())
    return [
        {"params": (p for p in trained() if p.ndim < 2), "weight_decay": 0},
        {"params": (p for p in trained() if not p.ndim < 2), "weight_decay": weight_decay},
    ]


@answers("param_groups")
def by_reduce(model, weight_decay):
    def into(groups, p):
        groups[0 if p.ndim > 1 else 1]["params"].append(p)
        return groups

    start = [{"params": [], "weight_decay": weight_decay}, {"params": [], "weight_decay": 0.0}]
    return reduce(into, (p for p in model.parameters() if p.requires_grad), start)
