"""Right answers to kata 22 about blocks, attention and clipping."""
# mypy: ignore-errors

import math
from functools import reduce

import torch

from dojo.judging.diagnose import answers

# online_logsumexp


@answers("online_logsumexp")
def online_logsumexp_by_logaddexp(blocks):
    total = torch.full((), -math.inf, dtype=torch.float64)
    for block in blocks:
        for x in block.double():
            total = torch.logaddexp(total.to(x.device), x)
    return total


def _one(block):
    if not block.numel() or block.max() == -math.inf:
        return torch.tensor(-math.inf, device=block.device)
    numbers = block.float()
    shares = numbers.log_softmax(-1)
    place = numbers.argmax()
    return numbers[place] - shares[place]


@answers("online_logsumexp")
def online_logsumexp_by_shares(blocks):
    """A number for each block, which are put together at the end."""
    parts = list(map(_one, blocks))
    while len(parts) > 1:
        parts.append(torch.logaddexp(parts.pop(), parts.pop()))
    return parts[0] if parts else torch.tensor(-math.inf)


@answers("online_logsumexp")
def online_logsumexp_by_pairs(blocks):
    def step(state, block):
        top, total = state
        highest = max(top, float(block.max())) if block.numel() else top
        if highest == -math.inf:
            return state
        return highest, total * math.exp(top - highest) + float((block.to(torch.float64) - highest).exp().sum())

    top, total = reduce(step, iter(blocks), (-math.inf, 0.0))
    return torch.tensor(top + math.log(total) if total else -math.inf)


@answers("online_logsumexp")
def online_logsumexp_in_place(blocks):
    top = torch.tensor(-1e308, dtype=torch.float64)
    total = torch.zeros((), dtype=torch.float64)
    source = iter(blocks)
    while (block := next(source, None)) is not None:
        wide = block.to(torch.float64, copy=True)
        top, total = top.to(wide.device), total.to(wide.device)
        highest = torch.amax(wide).clamp_(min=top) if len(wide) else top
        total.mul_(torch.exp(top - highest)).add_(wide.sub_(highest).exp_().sum())
        top = highest
        del block, wide
    return torch.where(total > 0, top + total.log(), -torch.inf)


# flash_attention


@answers("flash_attention")
def flash_attention_query_by_query(q, k, v, block, causal=False):
    if block < 1:
        raise ValueError("no block")
    rows = []
    for place in range(q.shape[-2]):
        one = q[..., place, :, None] * q.shape[-1] ** -0.5
        end = min(place + 1, k.shape[-2]) if causal else k.shape[-2]
        top = total = weighted = None
        for start in range(0, end, block):
            stop = min(start + block, end)
            scores = (k[..., start:stop, :] @ one)[..., 0]
            highest = scores.max(-1, keepdim=True).values
            if top is not None:
                highest = torch.maximum(highest, top)
            weights = torch.exp(scores - highest)
            part = (weights[..., None, :] @ v[..., start:stop, :])[..., 0, :]
            if top is None:
                total, weighted = weights.sum(-1, keepdim=True), part
            else:
                shrink = torch.exp(top - highest)
                total, weighted = total * shrink + weights.sum(-1, keepdim=True), weighted * shrink + part
            top = highest
        rows.append(weighted / total)
    return torch.stack(rows, -2)


@answers("flash_attention")
def flash_attention_normalized_as_it_goes(q, k, v, block, causal=False):
    """The result so far is an attention, with the logarithm of its weights beside it; keys from the last to the first."""
    if block <= 0:
        raise ValueError(block)
    n, s = q.size(-2), k.size(-2)
    out = torch.zeros(*q.shape[:-1], v.size(-1), dtype=q.dtype, device=q.device)
    logs = torch.full((*q.shape[:-1], 1), -torch.inf, dtype=q.dtype, device=q.device)
    for start in reversed(range(0, s, block)):
        keys, values = k[..., start : start + block, :], v[..., start : start + block, :]
        for first in range(0, n, block):
            part = slice(first, first + block)
            if causal and start >= min(first + block, n):
                continue
            scores = torch.einsum("...id,...jd->...ij", q[..., part, :], keys) / math.sqrt(q.size(-1))
            height, width = scores.shape[-2:]
            if causal:
                seen = torch.ones(height, width, dtype=torch.bool, device=q.device).tril(first - start)
                scores = torch.where(seen, scores, -torch.inf)
            top = scores.amax(-1, keepdim=True)
            top = torch.where(top == -torch.inf, 0.0, top)
            weights = (scores - top).exp()
            new = torch.logaddexp(logs[..., part, :], top + weights.sum(-1, keepdim=True).log())
            keep = torch.nan_to_num((logs[..., part, :] - new).exp())
            take = torch.nan_to_num((top - new).exp(), posinf=0.0)
            out[..., part, :] = out[..., part, :] * keep + torch.einsum("...ij,...je->...ie", weights, values) * take
            logs[..., part, :] = new
    return out


@answers("flash_attention")
def flash_attention_sequence_by_sequence(q, k, v, block, causal=False):
    if block < 1:
        raise ValueError(f"{block} rows")
    if q.dim() > 2:
        parts = [flash_attention_sequence_by_sequence(*one, block, causal) for one in zip(q, k, v, strict=True)]
        return torch.stack(parts)
    done = []
    for number, queries in enumerate(q.split(block)):
        state = (torch.full((len(queries), 1), -1e300 if q.dtype == torch.float64 else -1e30, dtype=q.dtype), 0.0, 0.0)
        state = (state[0].to(q.device), *state[1:])
        for other, (keys, values) in enumerate(zip(k.split(block), v.split(block), strict=True)):
            if causal and other > number:
                break
            scores = queries.mm(keys.t()).div_(q.shape[1] ** 0.5)
            if causal and other == number:
                hidden = torch.ones_like(scores, dtype=torch.bool).triu(1)
                scores.masked_fill_(hidden, -math.inf)
            top, total, weighted = state
            highest = torch.maximum(top, scores.max(1, keepdim=True)[0])
            scores.sub_(highest).exp_()
            shrink = (top - highest).exp()
            state = (highest, total * shrink + scores.sum(1, keepdim=True), weighted * shrink + scores.mm(values))
        done.append(state[2] / state[1])
    return torch.cat(done)


# clip_norm


@answers("clip_norm")
def clip_norm_by_where(x, limit):
    norm = torch.linalg.vector_norm(x)
    return torch.where(norm > limit, x * (limit / norm), x)


@answers("clip_norm")
def clip_norm_by_the_smaller_factor(x, limit):
    norm = x.square().sum().sqrt()
    safe = torch.where(norm > 0, norm, torch.ones_like(norm))
    return x.mul(torch.minimum(limit / safe, torch.ones_like(norm)))


@answers("clip_norm")
def clip_norm_as_torch_clips(x, limit):
    """With 1e-6 below, as torch's clipping has it."""
    factor = limit / (torch.norm(x.flatten(), p=2) + 1e-6)
    return x * torch.clamp(factor, max=1.0)


@answers("clip_norm")
def clip_norm_by_a_bool(x, limit):
    norm = (x * x).sum() ** 0.5
    longer = (norm > limit).to(x.dtype)
    return x * (longer * (limit / (norm + (1 - longer))) + (1 - longer))
