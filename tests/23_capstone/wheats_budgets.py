"""Right answers to kata 23 that train within a budget: by AdaGrad, one sequence at a time, by plan, with a schedule."""
# mypy: ignore-errors

import math
import random

import torch
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from dojo.judging.diagnose import answers, solution

solved = solution("23_capstone")


@answers("fit")
def one_at_a_time(model, tokens, context, flops, nbytes):
    optimizer = torch.optim.Adam(model.parameters(), lr=8e-3, betas=(0.9, 0.95))
    dim, vocab = model.embed(tokens[None, :1]).shape[-1], model.head(model.embed(tokens[None, :1])).shape[-1]
    layers = len(model.blocks)
    flops -= 2 * dim * vocab
    places = list(range(0, len(tokens) - context, 3))
    rng = random.Random(7)
    rng.shuffle(places)
    while places:
        batch, places = places[:6], places[6:] + places[:6]
        cost = solved.step_flops(len(batch), context, vocab, dim, layers, layers)
        if flops < cost:
            break
        flops -= cost
        for begin in batch:
            h = model.embed(tokens[begin : begin + context][None])
            for block in model.blocks:
                h = checkpoint(block, h, use_reentrant=True)
            (F.cross_entropy(model.head(h)[0], tokens[begin + 1 : begin + context + 1]) / len(batch)).backward()
        optimizer.step()
        optimizer.zero_grad()


@answers("fit")
def with_a_schedule(model, tokens, context, flops, nbytes):
    layers, logits = len(model.blocks), model(tokens[None, :1])
    vocab, dim = logits.shape[-1], model.embed(tokens[None, :1]).shape[-1]
    flops -= solved.step_flops(1, 1, vocab, dim, layers) // 3 + 1
    windows = torch.stack([tokens[i : i + context + 1] for i in range(0, len(tokens) - context, context)])
    steps = flops // solved.step_flops(8, context, vocab, dim, layers, layers)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda s: 2e-2 * min(1, (s + 1) / 4) * (0.1 + 0.9 * (1 + math.cos(math.pi * s / max(steps, 1))) / 2)
    )
    generator, order = torch.Generator().manual_seed(1), []
    for _ in range(steps):
        while len(order) < 8:
            order += torch.randperm(len(windows), generator=generator).tolist()
        chosen, order = order[:8], order[8:]
        solved.train_step(model, optimizer, windows[chosen], 2, layers)
        schedule.step()


@answers("fit")
def by_adagrad(model, tokens, context, flops, nbytes):
    counted = 0
    params = list(model.parameters())
    sums = [torch.full_like(p, 1e-10) for p in params]
    layers = len(model.blocks)
    vocab = dim = 0
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        h = model.embed(tokens[None, :1])
        dim, vocab = h.shape[-1], model.head(h).shape[-1]
        counted += 2 * dim * vocab
    one = 2 * context * (3 * (layers * (12 * dim * dim + 2 * context * dim) + dim * vocab))
    one += layers * 2 * context * (12 * dim * dim + 2 * context * dim)
    while counted + 4 * one <= flops:
        counted += 4 * one
        total = [torch.zeros_like(p) for p in params]
        for begin in torch.randint(len(tokens) - context, (4,), generator=generator).tolist():
            part = tokens[begin : begin + context + 1].unsqueeze(0)
            h = model.embed(part[:, :-1])
            for block in model.blocks:
                h = checkpoint(block, h, use_reentrant=False)
            loss = F.nll_loss(model.head(h)[0].log_softmax(-1), part[0, 1:])
            for t, g in zip(total, torch.autograd.grad(loss, params)):
                t += g / 4
        with torch.no_grad():
            for p, s, g in zip(params, sums, total):
                s += g * g
                p -= 0.04 * g / s.sqrt()


@answers("fit")
def one_block_kept(model, tokens, context, flops, nbytes):
    layers = len(model.blocks)
    vocab, dim = model(tokens[None, :1]).shape[-1], model.embed(tokens[None, :1]).shape[-1]
    flops -= 2 * solved.step_flops(1, context, vocab, dim, layers) // 3 + 2

    def weigh(recomputed):
        seen = {}

        def pack(t):
            seen[t.untyped_storage()._cdata] = t.untyped_storage()
            return t

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
            solved._summed_loss(model, tokens[None, : context + 1].clone(), recomputed)
        own = {p.untyped_storage()._cdata for p in [*model.parameters(), *model.buffers()]}
        return sum(s.nbytes() for key, s in seen.items() if key not in own)

    if flops < 2 * solved.step_flops(1, context, vocab, dim, layers, layers):
        return
    kept, least = weigh(0), weigh(layers)
    flops -= 2 * solved.step_flops(1, context, vocab, dim, layers) // 3
    each = (kept - least) // max(layers, 1)
    found = solved.plan(8, layers, each, 0, least, nbytes - 8 * 8 * (context + 1) - 64) or (1, layers)
    micro, recomputed = found
    optimizer = torch.optim.RMSprop(model.parameters(), lr=5e-3)
    generator = torch.Generator().manual_seed(11)
    windows = tokens.unfold(0, context + 1, 1)
    for _ in range(flops // solved.step_flops(8, context, vocab, dim, layers, layers)):
        rows = windows[torch.randint(len(windows), (8,), generator=generator)]
        solved.train_step(model, optimizer, rows, micro, recomputed)
