"""Right answers to kata 12 about seeds, counts, losses, schedules and norms."""
# mypy: ignore-errors

import cmath
import math
import random
from fractions import Fraction

import numpy as np
import torch
from torch import nn

from dojo.judging.diagnose import answers

# seed_everything


@answers("seed_everything")
def seed_by_the_one_that_refuses(seed):
    np.random.seed(seed)
    torch.manual_seed(seed)
    random.seed(seed)


@answers("seed_everything")
def seed_by_states(seed):
    if seed not in range(2**32):
        raise ValueError(f"{seed} is out of range")
    random.setstate(random.Random(seed).getstate())
    np.random.set_state(np.random.RandomState(seed).get_state())
    torch.set_rng_state(torch.Generator().manual_seed(seed).get_state())
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


@answers("seed_everything")
def seed_by_a_loop(seed):
    if seed < 0 or seed.bit_length() > 32:
        raise ValueError
    for source in (torch.random.manual_seed, np.random.mtrand.seed, random.seed):
        source(seed)


# count_parameters


@answers("count_parameters")
def count_by_identity(model, trainable_only=False):
    seen = {}
    for module in model.modules():
        for parameter in module.parameters(recurse=False):
            if parameter.requires_grad or not trainable_only:
                seen[id(parameter)] = math.prod(parameter.shape)
    return sum(seen.values())


@answers("count_parameters")
def count_by_names(model, trainable_only=False):
    count = 0
    for _, parameter in model.named_parameters():
        if trainable_only and not parameter.requires_grad:
            continue
        count += parameter.nelement()
    return count


@answers("count_parameters")
def count_by_a_set(model, trainable_only=False):
    unique = {*model.parameters()}
    kept = filter(lambda p: p.requires_grad, unique) if trainable_only else unique
    return sum(map(torch.Tensor.numel, kept))


@answers("count_parameters")
def count_by_every_name(model, trainable_only=False):
    kept = []
    for _, parameter in model.named_parameters(remove_duplicate=False):
        if not any(parameter is other for other in kept):
            kept.append(parameter)
    return sum(p.numel() for p in kept if p.requires_grad >= trainable_only)


# cross_entropy


@answers("cross_entropy")
def cross_entropy_by_logsumexp(logits, targets, ignore_index=-100):
    if targets.shape != logits.shape[:-1]:
        raise ValueError("shapes")
    counted = (targets != ignore_index).flatten()
    rows = logits.reshape(-1, logits.shape[-1])[counted]
    wanted = targets.flatten()[counted]
    return (rows.logsumexp(-1) - rows[torch.arange(len(rows)), wanted]).sum() / counted.sum()


@answers("cross_entropy")
def cross_entropy_by_a_mask(logits, targets, ignore_index=-100):
    if logits.shape[:-1] != targets.shape:
        raise ValueError("one target for each row")
    mask = targets.eq(ignore_index)
    logp = torch.log_softmax(logits, dim=-1)
    picked = torch.gather(logp, -1, targets.masked_fill(mask, 0)[..., None])[..., 0]
    return -picked.masked_fill(mask, 0.0).sum() / (~mask).sum()


@answers("cross_entropy")
def cross_entropy_by_one_hot(logits, targets, ignore_index=-100):
    if tuple(targets.shape) != tuple(logits.shape[:-1]):
        raise ValueError
    classes = torch.arange(logits.shape[-1], device=logits.device)
    wanted = (targets.unsqueeze(-1) == classes) & (targets != ignore_index).unsqueeze(-1)
    shifted = logits - logits.detach().amax(-1, keepdim=True)
    logp = shifted - shifted.exp().sum(-1, keepdim=True).log()
    return -torch.where(wanted, logp, 0.0).sum() / wanted.sum()


@answers("cross_entropy")
def cross_entropy_row_by_row(logits, targets, ignore_index=-100):
    if targets.ndim != logits.ndim - 1 or any(a != b for a, b in zip(targets.shape, logits.shape, strict=False)):
        raise ValueError
    losses = []
    for row, target in zip(logits.reshape(-1, logits.size(-1)), targets.reshape(-1).tolist(), strict=True):
        if target != ignore_index:
            losses.append((row - row[target]).logsumexp(0))
    return torch.stack(losses).mean()


@answers("cross_entropy")
class CrossEntropyByItsOwnGradient(torch.autograd.Function):
    """A Function that is called like a function."""

    def __new__(cls, logits, targets, ignore_index=-100):
        if targets.shape != logits.shape[:-1]:
            raise ValueError
        return cls.apply(logits, targets, ignore_index)

    @staticmethod
    def forward(ctx, logits, targets, ignore_index):
        p = logits.softmax(-1)
        kept = targets != ignore_index
        place = targets.where(kept, torch.zeros_like(targets)).unsqueeze(-1)
        ctx.save_for_backward(p, place, kept)
        losses = logits.logsumexp(-1) - logits.gather(-1, place).squeeze(-1)
        return losses[kept].mean()

    @staticmethod
    def backward(ctx, grad):
        p, place, kept = ctx.saved_tensors
        gradient = p.scatter_add(-1, place, torch.full_like(place, -1, dtype=p.dtype))
        return grad * gradient * kept.unsqueeze(-1) / kept.sum(), None, None


# perplexity


@answers("perplexity")
def perplexity_by_numpy(losses, tokens):
    counts = np.array(tokens, dtype=np.int64)
    if len(losses) != len(counts) or (counts < 0).any() or not counts.any():
        raise ValueError
    used = counts > 0
    with np.errstate(over="ignore"):
        return float(np.exp(np.average(np.array(losses)[used], weights=counts[used])))


@answers("perplexity")
def perplexity_as_a_running_mean(losses, tokens):
    mean, seen = 0.0, 0
    if len(losses) - len(tokens):
        raise ValueError
    for loss, count in zip(losses, tokens, strict=True):
        if count < 0:
            raise ValueError(count)
        if count:
            seen += count
            mean += (loss - mean) * (count / seen)
    if not seen:
        raise ValueError("no tokens")
    return math.inf if mean > 709.782712893384 else math.e**mean


@answers("perplexity")
def perplexity_by_torch(losses, tokens):
    pairs = [(loss, count) for loss, count in zip(losses, tokens, strict=True) if count != 0]
    if not pairs or min(tokens) < 0:
        raise ValueError
    values, counts = torch.tensor(pairs, dtype=torch.float64).T
    return ((values @ counts) / counts.sum()).exp().item()


# learning_rate


@answers("learning_rate")
def rate_by_the_complex_plane(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    if step < 0 or warmup_steps < 0 or warmup_steps >= total_steps:
        raise ValueError
    if step >= total_steps:
        return min_lr
    if step < warmup_steps:
        return (step + 1) / warmup_steps * max_lr
    turned = cmath.exp(1j * cmath.pi * (step - warmup_steps) / (total_steps - warmup_steps)).real
    return min_lr + 0.5 * (max_lr - min_lr) * (turned + 1)


@answers("learning_rate")
def rate_by_half_the_angle(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    if min(step, warmup_steps) < 0 or total_steps - warmup_steps < 1:
        raise ValueError("no schedule")
    if warmup_steps > step:
        return float(Fraction(max_lr) * (step + 1) / warmup_steps)
    left = max(Fraction(0), Fraction(total_steps - step, total_steps - warmup_steps))
    share = math.sin(math.pi / 2 * left) ** 2
    return share * max_lr + (1 - share) * min_lr


@answers("learning_rate")
def rate_by_numpy(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    if not (0 <= warmup_steps < total_steps and 0 <= step):
        raise ValueError
    ramp = (step + 1) / warmup_steps if warmup_steps else 1.0
    turn = np.pi * (np.clip(step, warmup_steps, total_steps) - warmup_steps) / (total_steps - warmup_steps)
    return float(np.where(step < warmup_steps, max_lr * ramp, min_lr + (max_lr - min_lr) * (1 + np.cos(turn)) / 2))


@answers("learning_rate")
def rate_by_a_square(step, max_lr, warmup_steps, total_steps, min_lr=0.0):
    if not (0 <= warmup_steps < total_steps and step >= 0):
        raise ValueError
    if step < warmup_steps:
        return max_lr - max_lr * (warmup_steps - step - 1) / warmup_steps
    share = math.cos(math.pi / 2 * min(1, (step - warmup_steps) / (total_steps - warmup_steps))) ** 2
    return max_lr * share + min_lr * (1 - share)


# clip_gradients


@answers("clip_gradients")
def clip_by_one_vector(parameters, max_norm):
    if max_norm < 0:
        raise ValueError
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return 0.0
    norm = torch.linalg.vector_norm(torch.cat([grad.reshape(-1) for grad in grads]))
    factor = torch.clamp(max_norm / (norm + 1e-6), max=1.0)
    torch._foreach_mul_(grads, factor)
    return norm.item()


@answers("clip_gradients")
@torch.no_grad()
def clip_by_sums(parameters, max_norm):
    if max_norm < 0.0:
        raise ValueError(f"{max_norm}")
    parameters = list(parameters)
    total = sum((p.grad.square().sum() for p in parameters if p.grad is not None), start=torch.zeros(()))
    norm = math.sqrt(total)
    if (factor := max_norm / (norm + 1e-6)) < 1:
        for p in parameters:
            if p.grad is not None:
                p.grad.copy_(p.grad * factor)
    return norm


@answers("clip_gradients")
def clip_by_the_data(parameters, max_norm):
    if not max_norm >= 0:
        raise ValueError
    held = [p for p in parameters if isinstance(p.grad, torch.Tensor) and p.grad.numel()]
    norm = float(np.sqrt(sum(float((p.grad.detach().double() ** 2).sum()) for p in held)))
    for p in held:
        p.grad.data *= min(1.0, max_norm / (norm + 1e-6))
    return norm


@answers("clip_gradients")
def clip_by_a_vector_of_norms(parameters, max_norm):
    if max_norm < 0:
        raise ValueError
    grads = [grad for p in parameters if (grad := p.grad) is not None]
    norms = torch.tensor([torch.dot(g.flatten(), g.flatten()).sqrt() for g in grads], dtype=torch.float64)
    norm = nn.functional.normalize(norms, dim=0) @ norms if len(norms) else torch.zeros(())
    for grad in grads:
        grad.mul_(min(max_norm / (norm.item() + 1e-6), 1.0))
    return norm.item()
