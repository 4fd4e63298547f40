"""Right answers to kata 23 that take a step: reentrant, by gradients that are asked for, by hand, by weighted means."""
# mypy: ignore-errors

import math

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from dojo.judging.diagnose import answers, solution

solved = solution("23_capstone")


@answers("train_step")
def reentrant_with_weighted_means(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    if not micro_batch > 0:
        raise ValueError("at least one sequence")
    optimizer.zero_grad(set_to_none=True)
    mean, n = 0.0, len(tokens)
    for begin in range(0, n, micro_batch):
        x, y = tokens[begin : begin + micro_batch, :-1], tokens[begin : begin + micro_batch, 1:]
        h = model.embed(x)
        h = h if h.requires_grad else h.requires_grad_()  # or the first block would get no gradients
        for i, block in enumerate(model.blocks):
            h = checkpoint(block, h, use_reentrant=True) if i < recomputed else block(h)
        loss = F.cross_entropy(model.head(h).transpose(1, 2), y) * (len(x) / n)
        loss.backward()
        mean += float(loss.detach())
    torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
    optimizer.step()
    for p in model.parameters():
        p.grad = None
    return mean


@answers("train_step")
def with_logarithms_of_all_shares(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    if micro_batch < 1:
        raise ValueError(micro_batch)
    optimizer.zero_grad()
    model.zero_grad()
    losses = []
    for part in torch.split(tokens, micro_batch):
        h = model.embed(part[:, :-1])
        for i, block in enumerate(model.blocks):
            h = checkpoint(block, h, use_reentrant=False) if i < recomputed else block(h)
        logits = model.head(h)
        logs = logits - logits.logsumexp(-1, keepdim=True)
        loss = -logs.gather(-1, part[:, 1:, None]).mean() * (len(part) / len(tokens))
        loss.backward()
        losses.append(loss.item())
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    model.zero_grad()
    return sum(losses)


@answers("train_step")
def with_gradients_asked_for(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    if micro_batch <= 0:
        raise ValueError
    params = [p for p in model.parameters() if p.requires_grad]
    sums = [torch.zeros_like(p) for p in params]
    total = torch.zeros((), dtype=params[0].dtype)
    count = tokens.shape[0] * (tokens.shape[1] - 1)
    for part in torch.split(tokens, micro_batch):
        h = model.embed(part[:, :-1].clone())
        for block in model.blocks[:recomputed]:
            h = checkpoint(block.forward, h, use_reentrant=False, preserve_rng_state=False)
        for block in model.blocks[recomputed:]:
            h = block.forward(h)
        logits = model.head(h)
        picked = logits.gather(2, part[:, 1:].unsqueeze(2)).squeeze(2)
        loss = (logits.logsumexp(2) - picked).sum()
        for s, g in zip(sums, torch.autograd.grad(loss, params)):
            s.add_(g / count)
        total += loss.detach() / count
        del h, logits, picked, loss
    norm = math.sqrt(sum(s.square().sum().item() for s in sums))
    scale = min(1.0, max_norm / norm) if norm else 1.0
    for p, s in zip(params, sums):
        p.grad = s.mul_(scale)
    optimizer.step()
    optimizer.zero_grad()
    return total.item()


class _Recomputed(torch.autograd.Function):
    """A block that is run again in the backward pass."""

    @staticmethod
    def forward(ctx, h, block, *params):
        ctx.block, ctx.count = block, len(params)
        ctx.save_for_backward(h)
        return block(h)

    @staticmethod
    def backward(ctx, grad):
        (h,) = ctx.saved_tensors
        with torch.enable_grad():
            h = h.detach().requires_grad_()
            out = ctx.block(h)
        out.backward(grad)
        return (h.grad, None, *[None] * ctx.count)


@answers("train_step")
def with_a_function_of_its_own(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    if micro_batch < 1:
        raise ValueError(micro_batch)
    for p in model.parameters():
        p.grad = None
    losses = []
    begin = 0
    while begin < tokens.size(0):
        part = tokens.narrow(0, begin, min(micro_batch, tokens.size(0) - begin))
        h = model.embed(part[:, :-1])
        for index, block in enumerate(model.blocks):
            h = _Recomputed.apply(h, block, *block.parameters()) if index < recomputed else block(h)
        loss = -model.head(h).log_softmax(-1).gather(-1, part[:, 1:, None]).mean() * part.size(0) / tokens.size(0)
        loss.backward()
        losses.append(loss.item())
        begin += micro_batch
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    norm = torch.cat([g.flatten() for g in grads]).norm()
    for g in grads:
        g *= torch.clamp(max_norm / (norm + 1e-6), max=1.0)
    optimizer.step()
    model.zero_grad(set_to_none=True)
    return math.fsum(losses)


@answers("train_step")
def in_equal_parts(model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
    if micro_batch < 1:
        raise ValueError("micro_batch")
    optimizer.zero_grad()
    parts = -(-len(tokens) // micro_batch)
    loss_sum = 0.0

    def run(part):
        h = model.embed(part[:, :-1])
        for k, block in enumerate(model.blocks):
            h = checkpoint(lambda x, b=block: b(x), h, use_reentrant=False) if k < recomputed else block(h)
        return nn.CrossEntropyLoss(reduction="none")(model.head(h).flatten(0, 1), part[:, 1:].flatten()).sum()

    for part in torch.tensor_split(tokens, parts):
        loss = run(part)
        (loss / tokens[:, 1:].numel()).backward()
        loss_sum += loss.item()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm, foreach=False)
    optimizer.step()
    optimizer.zero_grad()
    return loss_sum / tokens[:, 1:].numel()
