"""What torch's own parts make of a program: each function of a learner, built from these parts."""

from __future__ import annotations

import copy
import functools
import math
import random
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, LRScheduler, SequentialLR

from . import scenarios
from .strategies_losses import BEYOND, CERTAIN, NEARLY, Text

Batches = Iterable[tuple[Tensor, Tensor]]
Loss = Callable[[Tensor, Tensor], Tensor]


def program(function: str, lines: list[str], watched: list[str], device: str) -> dict[str, object]:
    """Return the values of the watched expressions after these lines, with the functions below as the learner's."""
    found: dict[str, object] = scenarios.program(SimpleNamespace(**FUNCTIONS), function, lines, watched, device)
    return found


def seed_everything(seed: int) -> None:
    """Seed one by one."""
    np.random.seed(seed)  # the one that refuses
    random.seed(seed)
    torch.manual_seed(seed)


def count_parameters(model: nn.Module, trainable_only: bool = False) -> int:
    """Count each parameter by its identity."""
    found = {id(p): p for module in model.modules() for p in vars(module)["_parameters"].values() if p is not None}
    return sum(p.numel() for p in found.values() if p.requires_grad or not trainable_only)


def cross_entropy(logits: Tensor, targets: Tensor, ignore_index: int = -100) -> Tensor:
    """Call torch's, on rows in one line."""
    if targets.shape != logits.shape[:-1]:
        raise ValueError("no target for each row")
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=ignore_index)


def clip_gradients(parameters: Iterable[nn.Parameter], max_norm: float) -> float:
    """Call torch's."""
    if max_norm < 0:
        raise ValueError("torch would turn the gradients round")
    return float(nn.utils.clip_grad_norm_(list(parameters), max_norm))


def accumulate_gradients(model: nn.Module, loss_of: Loss, x: Tensor, y: Tensor, micro_batch: int) -> float:
    """Run one backward of the whole batch."""
    if micro_batch < 1 or len(x) == 0:
        raise ValueError("nothing goes through")
    model.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    return loss.item()


def evaluate(model: nn.Module, loss_of: Loss, batches: Batches) -> float:
    """Run a copy in eval mode on all rows at once."""
    rows = list(batches)
    if not rows:
        raise ValueError("no rows have no mean")
    xs, ys = zip(*rows, strict=True)
    with torch.no_grad():
        return loss_of(copy.deepcopy(model).eval()(torch.cat(xs)), torch.cat(ys)).item()


def train(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    loss_of: Loss,
    batches: Batches,
    max_norm: float = math.inf,
    scheduler: LRScheduler | None = None,
    micro_batch: int | None = None,
) -> list[float]:
    """Run the loop, on whole batches."""
    losses: list[float] = []
    for step, (x, y) in enumerate(batches):
        model.train()
        optimizer.zero_grad()
        loss = loss_of(model(x), y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        if not torch.stack([loss.detach(), norm]).isfinite().all():
            raise FloatingPointError(f"step {step}")
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
        losses.append(loss.item())
    return losses


FUNCTIONS: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (seed_everything, count_parameters, cross_entropy, clip_gradients, accumulate_gradients, evaluate, train)
}


@functools.lru_cache(maxsize=256)
def schedule(max_lr: float, warmup_steps: int, total_steps: int, min_lr: float) -> list[float]:
    """Return the learning rates of torch's own schedules up to total_steps, after which its cosine would rise again."""
    parameter = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.SGD([parameter], max_lr)
    whole: LRScheduler
    if warmup_steps:
        warmup = LinearLR(optimizer, start_factor=1 / warmup_steps, total_iters=warmup_steps - 1)
        cosine = CosineAnnealingLR(optimizer, T_max=total_steps - warmup_steps, eta_min=min_lr)
        whole = SequentialLR(optimizer, [warmup, cosine], milestones=[warmup_steps])
    else:
        whole = CosineAnnealingLR(optimizer, T_max=total_steps, eta_min=min_lr)
    found = []
    for _ in range(total_steps + 1):
        found.append(float(optimizer.param_groups[0]["lr"]))
        optimizer.step()
        whole.step()
    return found


def learning_rate(step: int, max_lr: float, warmup_steps: int, total_steps: int, min_lr: float) -> float:
    """Return what torch's schedules give up to total_steps, and min_lr after that."""
    return schedule(max_lr, warmup_steps, total_steps, min_lr)[step] if step <= total_steps else min_lr


def text(case: Text) -> tuple[Tensor, Tensor]:
    """Return the logits of a text, (tokens, vocab), and its tokens."""
    generator = torch.Generator().manual_seed(case.seed)
    count = sum(case.sizes)
    targets = torch.randint(case.vocab, (count,), generator=generator)
    logits = torch.randn(count, case.vocab, generator=generator, dtype=torch.float64)
    if case.scale == BEYOND:  # and each token is the least likely one
        logits.abs_().scatter_(-1, targets[:, None], -1.0)
    if case.scale == NEARLY:
        logits.zero_().scatter_(-1, targets[:, None], -1.0)
    if case.scale == CERTAIN:
        logits.zero_().scatter_(-1, targets[:, None], 1.0)
    logits *= case.scale
    if case.certain >= 0:
        first = sum(case.sizes[: case.certain])
        rows = slice(first, first + case.sizes[case.certain])
        logits[rows].zero_().scatter_(-1, targets[rows, None], CERTAIN)
    if case.surprised >= 0:  # the mean of its batch is 1000 and more
        first = sum(case.sizes[: case.surprised])
        logits[first, targets[first]] -= 1000.0 * case.sizes[case.surprised]
    if case.diverged >= 0:
        logits[sum(case.sizes[: case.diverged])] = math.nan
    return logits, targets


def losses(case: Text) -> list[float]:
    """Return torch's cross entropy of each batch."""
    parts = zip(*(x.split(case.sizes) for x in text(case)), strict=True)
    return [F.cross_entropy(*part).item() if len(part[0]) else case.blank for part in parts]


def perplexity(case: Text) -> float:
    """Return exp of torch's cross entropy of all tokens at once."""
    return F.cross_entropy(*text(case)).exp().item()
