"""Kata 23: train a GPT within a budget. The lesson is in README.md beside this file.

The model is given. It has GPT-2's layout: token and position embeddings, pre-norm blocks with LayerNorm and biases and
an MLP that is 4 · dim wide inside, a last norm, and a head that shares its weight with the token embedding.

model.embed(tokens)                                (batch, tokens) -> (batch, tokens, dim)
model.blocks                                       the blocks, in order; each (batch, tokens, dim) -> the same
model.head(h)                                      (batch, tokens, dim) -> logits (batch, tokens, vocab)
model(tokens)                                      all of that

Masks and positions are buffers, and nothing in the model is random. It runs on the CPU, in float32 or float64. The loss
is the mean cross entropy of all predictions: of n + 1 tokens in a row, the first n are given and the last n predicted.
Nothing is forbidden. The argument names below are part of the answer: arguments are passed by position and by name.
"""

from typing import Any

import torch
from torch import Tensor, nn


def gpt_params(vocab: int, context: int, dim: int, layers: int) -> int:
    """Return the number of parameters of that GPT, with biases and norms. The shared weight counts once.

    layers may be 0; all other sizes are 1 or more.

    gpt_params(50257, 1024, 768, 12)                   ->  124439808
    gpt_params(5, 4, 8, 0)                             ->  88, two embeddings and a norm
    """
    raise NotImplementedError("gpt_params")


def step_flops(batch: int, context: int, vocab: int, dim: int, layers: int, recomputed: int = 0) -> int:
    """Return the FLOPs of a forward and a backward pass of (batch, context) tokens, `recomputed` blocks recomputed.

    They are counted as torch does: only products, 2 for a multiplication and its addition. A mask saves nothing in
    attention's two products. The head is a product, an embedding is not. Every parameter is trained; tokens are
    integers, so no gradient reaches them. A recomputed block costs its whole forward pass once more. layers may be 0;
    all other sizes are 1 or more.

    step_flops(1, 2, 3, 4, 0)                          ->  144 = 3 · 2 · 2 · 4 · 3: the head, and twice that backward
    step_flops(1, 2, 3, 4, 1)                          ->  2640
    step_flops(1, 2, 3, 4, 1, 1)                       ->  3472

    Raises ValueError unless 0 <= recomputed <= layers.
    """
    raise NotImplementedError("step_flops")


def plan(
    batch: int, layers: int, block_bytes: int, boundary_bytes: int, rest_bytes: int, budget: int
) -> tuple[int, int] | None:
    """Return the micro-batch and the number of recomputed blocks of the cheapest plan that fits the budget.

    block_bytes, boundary_bytes and rest_bytes are what autograd saves for one sequence: for a block; for a recomputed
    block, which is its input, and less; and for everything outside the blocks. A micro-batch of m sequences divides the
    batch, and saves m times as much. A plan fits if it saves no more than the budget.

    Of the plans that fit, those with the fewest recomputed blocks have the fewest FLOPs. Of these, return the one with
    the largest micro-batch, which needs the fewest launches. Return None if nothing fits. layers may be 0; the bytes
    may be 10**15 and more.

    plan(8, 2, 100, 10, 50, 1000)                      ->  (4, 0): 4 · (50 + 2 · 100) = 1000; 8 would save twice as much
    plan(8, 2, 100, 10, 50, 240)                       ->  (1, 1): 50 + 10 + 100 = 160; with 0 it is 250
    plan(8, 2, 100, 10, 50, 69)                        ->  None: 50 + 2 · 10 = 70

    Raises ValueError if batch is below 1 or layers is below 0.
    """
    raise NotImplementedError("plan")


def param_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Return groups for torch.optim.AdamW(groups, lr=…): parameters of 2 or more dimensions decay, the rest do not.

    This does not depend on parameter names or on the model, which need not be a GPT. Each parameter that requires grad
    is in one group, once, even if modules share it. One that does not require grad is in none. The groups hold whatever
    the optimizer's own weight_decay is, and set none of its other options. At least one parameter requires grad. The
    model is not changed. Each call makes new groups, because an optimizer writes its options into those it is given.

    nn.Linear(3, 4), 0.1                               ->  the weight decays by 0.1, the bias by 0.0
    """
    raise NotImplementedError("param_groups")


def train_step(
    model: nn.Module,
    optimizer: Any,
    tokens: Tensor,
    micro_batch: int,
    recomputed: int = 0,
    max_norm: float = 1.0,
) -> float:
    """Take one step of the optimizer, and return the loss before it, as a float.

    tokens: (batch, context + 1), int64; they are not changed. The step is that of the loss over the whole batch, but
    at most micro_batch sequences go through the model at a time. The batch is cut into as few parts as that allows, and
    each part goes backward before the next one goes forward. The last part may be smaller, and micro_batch may be
    larger than the batch.

    The first `recomputed` blocks, 0 to all of them, are recomputed in the backward pass, block by block; the others are
    not. Each block runs once for each part, a recomputed one twice. The step spends no more FLOPs than that takes, and
    never has more than 1.25 times as many bytes in memory as a plain loop.

    Gradients from before the step do not count. The model's gradients are clipped once, all together, as
    torch.nn.utils.clip_grad_norm_ does it: if their norm is above max_norm, they are scaled down to it, to 0 if it is
    0. The optimizer holds all parameters of the model, perhaps in groups with their own settings, and steps once;
    afterwards each .grad is None. Parameters may be frozen, including those of the embeddings: they require no grad,
    and have none. The model keeps its dtype.

    Raises ValueError if micro_batch is below 1.
    """
    raise NotImplementedError("train_step")


class Trainer:
    """A training run that can be stopped, saved, and resumed as if nothing had happened.

    tokens: (n,), int64, a text. Window i is tokens[i · context : (i + 1) · context + 1], for all i that fit: each
    window begins with the last token of the one before. An epoch visits each window once, even if windows are equal, in
    batches of `batch` windows. The windows left at its end are a smaller batch, and the next step begins a new epoch.
    Each epoch has its own order, drawn from a generator that starts at `seed`: another seed gives other orders, even if
    several trainers take turns. The windows are shuffled, and not only batches of them, so that other windows come
    together in each epoch. The global random states of torch, numpy and Python are neither used nor changed.

    The choice of optimizer is left to you; AdamW will do. It uses lr: with 0.0 nothing moves, and with a small lr the
    loss of a batch that is repeated falls. The model keeps its dtype.

    Raises ValueError if not even one window fits.
    """

    def __init__(self, model: nn.Module, tokens: Tensor, batch: int, context: int, lr: float, seed: int) -> None:
        raise NotImplementedError("Trainer")

    def step(self) -> float:
        """Take a step with the next batch and return its loss before the step, as a float."""
        raise NotImplementedError("Trainer.step")

    def state_dict(self) -> dict[str, Any]:
        """Return all that a resumed run needs, for torch.save, and for torch.load with weights_only=True.

        It is saved at once: whether later steps change it is left to you. A run may be saved at any time, and goes on
        as if it had not been.
        """
        raise NotImplementedError("Trainer.state_dict")

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from that state, bit for bit: losses, batches and parameters are those of the run that was saved.

        The trainer is a new one with the same tokens, batch, context and lr. Its model has other weights, and its seed
        may differ. The run may have been saved in the middle of an epoch, at its end, or before its first step,
        and may itself have been resumed.
        """
        raise NotImplementedError("Trainer.load_state_dict")


def fit(model: nn.Module, tokens: Tensor, context: int, flops: int, nbytes: int) -> None:
    """Train the model, in place and in its dtype, as well as the budget allows.

    tokens: (n,), int64, a text of 600 tokens or more, in which the next token depends on the last two. Sequences have
    `context` tokens, for which the model has positions. The sizes can be read off the model: the vocabulary from
    model.head(h), the width from model.embed(tokens), and the number of blocks from len(model.blocks).

    flops: the FLOPs that may be spent, as torch's FlopCounterMode counts them. All of them count, whether they train or
    only measure. nbytes: the bytes that autograd may have saved at any time, as
    torch.autograd.graph.saved_tensors_hooks around the call sees them: each storage once, without those of parameters,
    buffers and tokens. nbytes is at least twice what two sequences need with every block recomputed, and more than one
    sequence needs with all blocks but one recomputed. flops is enough for at least five sequences with every block
    recomputed, which may be too little for a step of 8. The optimizer's state does not count. The model runs in the
    calling thread, and tokens are not changed.

    With 400 000 000 FLOPs and 24 000 bytes, a vocabulary of 8, context 16, width 16 and 2 blocks of 2 heads, 2400
    tokens, and float32, the loss on 600 other tokens has to be 1.0 or less. A guess has 2.08, and nothing gets below
    0.47, since one token in ten is noise. The budget is enough for 53 steps of 8 sequences with all blocks recomputed.
    AdamW with lr from 3e-3 to 3e-2 gets to 0.85 or less; with torch's default of 1e-3 it is too slow.
    """
    raise NotImplementedError("fit")
