"""What torch counts, saves and computes: of the real model, on meta where it is large, or in one go."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop

from ..shared.described import Lines
from ..shared.flops import flops
from . import scenarios
from .gpt import GPT
from .measuring import Saved

SMALL = 10_000
"""Models and data of more numbers than this are made on meta, where they take no memory."""


@functools.lru_cache(maxsize=1024)
def parameters(vocab: int, context: int, dim: int, layers: int) -> int:
    """Of what is no block, and of each block, on meta."""
    with torch.device("meta"):
        rest, one = (GPT(vocab, 1, dim, count) for count in (0, 1))  # no mask for a long context
        positions = nn.Embedding(context, dim)
    numbers = [sum(p.numel() for p in model.parameters()) for model in (rest, one, positions)]
    return numbers[0] - rest.positions.weight.numel() + numbers[2] + layers * (numbers[1] - numbers[0])


@functools.lru_cache(maxsize=1024)
def step_flops(batch: int, context: int, vocab: int, dim: int, layers: int, recomputed: int, heads: int) -> int:
    """What torch's counter counts."""
    model, tokens = made(batch, vocab, context, dim, layers, heads)
    with set_checkpoint_early_stop(False):
        return flops(lambda: summed_loss(model, tokens, recomputed).backward())


def made(batch: int, vocab: int, context: int, dim: int, layers: int, heads: int) -> tuple[GPT, Tensor]:
    """The model, and tokens for it."""
    numbers = max(
        batch * context * max(4 * dim, vocab), batch * heads * context**2, 12 * dim**2, (vocab + context) * dim
    )
    with torch.device("cpu" if numbers <= SMALL else "meta"):
        return GPT(vocab, context, dim, layers, heads), torch.zeros(batch, context + 1, dtype=torch.int64)


def summed_loss(model: GPT, tokens: Tensor, recomputed: int = 0) -> Tensor:
    """The sum of the losses, with the first blocks recomputed."""
    h = model.embed(tokens[:, :-1])
    for index, block in enumerate(model.blocks):
        h = checkpoint(block, h, use_reentrant=False) if index < recomputed else block(h)
    # torch's cross_entropy also keeps the sum of its weights, 4 bytes for any batch
    return -model.head(h).log_softmax(-1).gather(-1, tokens[:, 1:, None]).sum()


@functools.lru_cache(maxsize=1024)
def saved(batch: int, vocab: int, context: int, dim: int, layers: int, heads: int, recomputed: int) -> int:
    """What autograd saves of a forward pass."""
    model, tokens = made(batch, vocab, context, dim, layers, heads)
    look = Saved([*model.parameters(), *model.buffers(), tokens])
    with look.looking():
        summed_loss(model, tokens, recomputed)
    return look.peak


def costs(*sizes: int) -> tuple[int, int, int]:
    """Bytes of one sequence: of a block, of one that is recomputed, of what is no block."""
    rest, kept, boundary = (saved(1, *sizes, layers, 1, again) for layers, again in ((0, 0), (1, 0), (1, 1)))
    return kept - rest, boundary - rest, rest


@functools.lru_cache(maxsize=1024)
def plans(batch: int, layers: int, *sizes: int, times: int = 1) -> dict[tuple[int, int], tuple[int, int]]:
    """Every plan, with so many times what autograd saves of it, and the FLOPs of each sequence.

    One sequence is run by each: that more of them save as much each is pinned in torch_facts.py.
    """
    vocab, context, dim = sizes
    return {
        (micro, again): (
            times * micro * saved(1, *sizes, layers, 1, again),
            step_flops(1, context, vocab, dim, layers, again, 1),
        )
        for micro in range(1, batch + 1)
        if batch % micro == 0
        for again in range(layers + 1)
    }


def best(plans: dict[tuple[int, int], tuple[int, int]], budget: int) -> tuple[int, int] | None:
    """Of those that fit, the one with the fewest FLOPs, and among these the one with the fewest launches."""
    fits = [(flops, -one[0], one) for one, (nbytes, flops) in plans.items() if nbytes <= budget]
    return min(fits)[2] if fits else None


def program(function: str, lines: Lines, watched: Lines) -> dict[str, Any]:
    """What the watched expressions are worth after these lines, with what is below in place of the learner's."""
    functions = {"param_groups": param_groups, "train_step": in_one_go, "Trainer": None}
    found: dict[str, Any] = scenarios.program(SimpleNamespace(**functions), function, lines, watched)
    return found


def planned(lines: Lines, watched: Lines, *, whole_blocks: bool) -> dict[str, Any]:
    """The same for a step in micro-batches; whole_blocks: torch does not stop early in a block that it recomputes."""
    with set_checkpoint_early_stop(not whole_blocks):
        found: dict[str, Any] = scenarios.program(SimpleNamespace(train_step=in_parts), "train_step", lines, watched)
    return found


def param_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """A group for each."""
    found = {id(p): p for part in model.modules() for p in vars(part)["_parameters"].values() if p is not None}
    learned = [p for p in found.values() if p.requires_grad]
    return [{"params": [p], "weight_decay": weight_decay if p.dim() > 1 else 0.0} for p in learned]


def in_one_go(
    model: GPT, optimizer: Any, tokens: Tensor, micro_batch: int, recomputed: int = 0, max_norm: float = 1.0
) -> float:
    """The whole batch at once, and nothing recomputed."""
    model.zero_grad()
    loss = F.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    return _stepped(model, optimizer, max_norm, loss.item())


def in_parts(
    model: GPT, optimizer: Any, tokens: Tensor, micro_batch: int, recomputed: int = 0, max_norm: float = 1.0
) -> float:
    """A plain loop of the plan."""
    model.zero_grad()
    total = 0.0
    for part in tokens.split(micro_batch):
        loss = summed_loss(model, part, recomputed) / tokens[:, 1:].numel()
        loss.backward()
        total += loss.item()
    return _stepped(model, optimizer, max_norm, total)


def _stepped(model: GPT, optimizer: Any, max_norm: float, loss: float) -> float:
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    model.zero_grad()
    return loss


def loss_of(lines: Lines, chosen: list[int], context: int) -> float:
    """The loss of these windows by the model that the lines make."""
    found = program("Trainer", lines, ["(model, tokens)"])
    model, tokens = found["(model, tokens)"]
    rows = tokens.unfold(0, context + 1, context)[torch.tensor(chosen)]
    with torch.no_grad():
        return F.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten()).item()
