"""Kata 12 solved: the parts of a training loop, and the loop."""

import math
import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

Loss = Callable[[Tensor, Tensor], Tensor]
Batches = Iterable[tuple[Tensor, Tensor]]


def seed_everything(seed: int) -> None:
    """Check first: random and torch accept seeds that numpy refuses."""
    if not 0 <= seed < 2**32:
        raise ValueError(f"seed {seed} is none that numpy takes")
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)  # CUDA's generators too


def count_parameters(model: nn.Module, trainable_only: bool = False) -> int:
    """Rely on parameters(), which gives each one once, however often it is registered."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad or not trainable_only)


def cross_entropy(logits: Tensor, targets: Tensor, ignore_index: int = -100) -> Tensor:
    """Rely on log_softmax, which subtracts the largest logit before it exponentiates."""
    if targets.shape != logits.shape[:-1]:
        raise ValueError(f"targets {tuple(targets.shape)} do not fit logits {tuple(logits.shape)}")
    counted = targets != ignore_index
    rows = logits[counted].log_softmax(-1)
    return -rows.gather(-1, targets[counted].unsqueeze(-1)).mean()


def perplexity(losses: list[float], tokens: list[int]) -> float:
    """Give each token the same weight, in whatever batch it is."""
    if len(losses) != len(tokens) or min(tokens, default=0) < 0 or sum(tokens) == 0:
        raise ValueError(f"{len(losses)} losses of {tokens} tokens have no mean")
    mean = sum(loss * count for loss, count in zip(losses, tokens, strict=True) if count) / sum(tokens)
    try:
        return math.exp(mean)
    except OverflowError:
        return math.inf


def learning_rate(step: int, max_lr: float, warmup_steps: int, total_steps: int, min_lr: float = 0.0) -> float:
    """Join three pieces: a line, half a cosine, and what is left."""
    if not 0 <= warmup_steps < total_steps or step < 0:
        raise ValueError(f"step {step} of {warmup_steps} and {total_steps}")
    if step < warmup_steps:
        return max_lr * (step + 1) / warmup_steps
    done = min(1.0, (step - warmup_steps) / (total_steps - warmup_steps))
    return min_lr + (max_lr - min_lr) * (1 + math.cos(math.pi * done)) / 2


def clip_gradients(parameters: Iterable[nn.Parameter], max_norm: float) -> float:
    """Take the norm of the norms, which is the norm of all gradients."""
    if max_norm < 0:
        raise ValueError(f"max_norm {max_norm} would turn the gradients round")
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = math.hypot(*(gradient.norm().item() for gradient in gradients))
    if max_norm < norm + 1e-6:
        for gradient in gradients:
            gradient.mul_(max_norm / (norm + 1e-6))
    return norm


def accumulate_gradients(model: nn.Module, loss_of: Loss, x: Tensor, y: Tensor, micro_batch: int) -> float:
    """Weigh the mean of each micro-batch by its number of rows."""
    if micro_batch < 1 or len(x) == 0:
        raise ValueError(f"{len(x)} rows in micro-batches of {micro_batch}")
    model.zero_grad()
    total = 0.0
    for rows, targets in zip(x.split(micro_batch), y.split(micro_batch), strict=True):
        loss = loss_of(model(rows), targets) * (len(rows) / len(x))
        loss.backward()
        total += loss.item()
    return total


def evaluate(model: nn.Module, loss_of: Loss, batches: Batches) -> float:
    """Save the mode of each module, because model.train() would wake those that were frozen."""
    modes = {module: module.training for module in model.modules()}
    total, count = 0.0, 0
    model.eval()
    try:
        with torch.no_grad():
            for x, y in batches:
                total += loss_of(model(x), y).item() * len(x)
                count += len(x)
    finally:
        for module, training in modes.items():
            module.training = training
    if count == 0:
        raise ValueError("there are no rows to evaluate")
    return total / count


def train(
    model: nn.Module,
    optimizer: Any,
    loss_of: Loss,
    batches: Batches,
    max_norm: float = math.inf,
    scheduler: Any = None,
    micro_batch: int | None = None,
) -> list[float]:
    """Find whatever is not finite before the optimizer spreads it."""
    losses = []
    for step, (x, y) in enumerate(batches):
        model.train()
        loss = accumulate_gradients(model, loss_of, x, y, len(x) if micro_batch is None else micro_batch)
        norm = clip_gradients(model.parameters(), max_norm)
        if not math.isfinite(loss) or not math.isfinite(norm):
            raise FloatingPointError(f"step {step}: the loss is {loss}, the norm of the gradients {norm}")
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        losses.append(loss)
    return losses
