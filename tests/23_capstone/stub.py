"""Kata 23: train a GPT within a budget. The lesson is in README.md beside this file.

The model is handed over. It has GPT-2's layout: token and position embeddings, pre-norm blocks with LayerNorm and
biases and an MLP of 4 · dim in between, a last norm, and a head that shares its weight with the token embedding.

model.embed(tokens)                                (batch, tokens) -> (batch, tokens, dim)
model.blocks                                       the blocks, in order; each (batch, tokens, dim) -> the same
model.head(h)                                      (batch, tokens, dim) -> logits (batch, tokens, vocab)
model(tokens)                                      all of that

Masks and positions are buffers, and nothing in it is random. It runs on the CPU, in float32 or float64. The loss is the
mean of the cross entropies of all predictions; of n + 1 tokens in a row the first n are given and the last n predicted.
Nothing is forbidden. The names of the arguments below are part of the answer: they are given by place and by name.
"""

from typing import Any

import torch
from torch import Tensor, nn


def gpt_params(vocab: int, context: int, dim: int, layers: int) -> int:
    """Parameters of that GPT, with biases and norms, the shared weight once. layers may be 0, all else is 1 or more.

    gpt_params(50257, 1024, 768, 12)                   ->  124439808
    gpt_params(5, 4, 8, 0)                             ->  88, two embeddings and a norm
    """
    raise NotImplementedError("gpt_params")


def step_flops(batch: int, context: int, vocab: int, dim: int, layers: int, recomputed: int = 0) -> int:
    """FLOPs of a forward and a backward pass of (batch, context) tokens, in which so many blocks are recomputed.

    As torch counts them: products alone, 2 for a multiplication and its addition. A mask saves nothing of attention's
    two products. The head is a product, an embedding is none. Every parameter is trained, and the tokens are no numbers
    that a gradient could reach. A block that is recomputed costs its whole forward pass once more. layers may be 0, all
    other sizes are 1 or more.

    step_flops(1, 2, 3, 4, 0)                          ->  144 = 3 · 2 · 2 · 4 · 3: the head, and twice that backward
    step_flops(1, 2, 3, 4, 1)                          ->  2640
    step_flops(1, 2, 3, 4, 1, 1)                       ->  3472

    Raises ValueError unless 0 <= recomputed <= layers.
    """
    raise NotImplementedError("step_flops")


def plan(
    batch: int, layers: int, block_bytes: int, boundary_bytes: int, rest_bytes: int, budget: int
) -> tuple[int, int] | None:
    """The micro-batch, and how many blocks are recomputed, with the fewest FLOPs whose saved bytes fit the budget.

    All bytes are those of one sequence: what autograd saves of a block; of a block that is recomputed, which is what
    goes into it, and less; and of all that is no block. A micro-batch of m sequences divides the batch, and saves m
    times as much. A plan fits if what it saves is the budget or less.

    Of those that fit, one with the fewest recomputed blocks has the fewest FLOPs; among these the largest micro-batch
    needs the fewest launches. None where nothing fits. layers may be 0; the bytes may be 10**15 and more.

    plan(8, 2, 100, 10, 50, 1000)                      ->  (4, 0): 4 · (50 + 2 · 100) = 1000; 8 would save twice as much
    plan(8, 2, 100, 10, 50, 240)                       ->  (1, 1): 50 + 10 + 100 = 160; with 0 it is 250
    plan(8, 2, 100, 10, 50, 69)                        ->  None: 50 + 2 · 10 = 70

    Raises ValueError for batch below 1 and layers below 0.
    """
    raise NotImplementedError("plan")


def param_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Groups for torch.optim.AdamW(groups, lr=…): what has 2 dimensions and more decays, the rest does not.

    Whatever the parameters' names, and whatever the model: it need not be a GPT. Each parameter that requires grad is
    in one group, once, also where modules share it; one that does not is in none. The groups hold however the
    optimizer's own weight_decay is set. They say nothing of its other settings. There is a parameter that requires
    grad. The model stays as it is.

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

    tokens: (batch, context + 1), int64; they stay as they are. The step is that of the loss over the whole batch, but
    no more than micro_batch sequences go through the model at a time, in as few parts as that allows, each of which
    goes backward before the next one goes forward. The last part may be smaller, and micro_batch larger than the
    batch.

    The first `recomputed` blocks, 0 to all of them, are recomputed in the backward pass, block by block; the others are
    not. Each block runs once for each part, a recomputed one twice. No more FLOPs are spent than that takes, and no
    more than 1.25 times as many bytes are in memory at any time as in a plain loop.

    Gradients that are there before do not count. The model's are clipped once, all together, as
    torch.nn.utils.clip_grad_norm_ does it: where their norm is above max_norm they are shortened to it, to 0 if it
    is 0. The optimizer holds all parameters of the model, perhaps in groups with settings of their own, and steps once;
    afterwards each .grad is None. Parameters may be frozen, those of the embeddings too: they require no grad, and have
    none. The model keeps its dtype.

    Raises ValueError for micro_batch below 1.
    """
    raise NotImplementedError("train_step")


class Trainer:
    """A training that can be stopped, saved, and resumed as if nothing had happened.

    tokens: (n,), int64, a text. Window i is tokens[i · context : (i + 1) · context + 1], for all i that fit: each
    begins with the last token of the one before. An epoch visits each window once, also where windows are alike, in
    batches of `batch` windows; what is left at its end is a smaller batch, and the next step begins another epoch. Each
    epoch has an order of its own, drawn from a generator that begins at `seed`: another seed, other orders, also where
    several trainers take their steps in turn. torch's, numpy's and Python's global random states are neither used nor
    changed.

    Which optimizer steps is left open; AdamW will do. It uses lr: with 0.0 nothing moves, and with a small one the loss
    of a batch that comes again and again falls. The model keeps its dtype.

    Raises ValueError where not one window fits.
    """

    def __init__(self, model: nn.Module, tokens: Tensor, batch: int, context: int, lr: float, seed: int) -> None:
        raise NotImplementedError("Trainer")

    def step(self) -> float:
        """Take a step with the next batch, and return its loss before the step, as a float."""
        raise NotImplementedError("Trainer.step")

    def state_dict(self) -> dict[str, Any]:
        """All that a resumed run needs, for torch.save, and for torch.load with weights_only=True.

        It is saved at once: whether later steps change it is left open.
        """
        raise NotImplementedError("Trainer.state_dict")

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from there, to the bit: losses, batches and parameters are those of the run that was saved.

        The trainer is a new one, of the same tokens, batch, context and lr; its model has other weights, and its seed
        may be another. The run may have been saved in the middle of an epoch, at its end, or before its first step.
        """
        raise NotImplementedError("Trainer.load_state_dict")


def fit(model: nn.Module, tokens: Tensor, context: int, flops: int, nbytes: int) -> None:
    """Train the model, in place and in its dtype, as well as the budget allows.

    tokens: (n,), int64, a text of 600 tokens or more: which one comes next hangs on the last two. Sequences are of
    `context` tokens, which the model has positions for. Vocabulary, width and blocks are read off the model:
    model.head(h) gives the one, model.embed(tokens) the other, len(model.blocks) the third.

    flops: the FLOPs that may be spent, as torch's FlopCounterMode counts them: all of them, whether they train or only
    measure. nbytes: the bytes that autograd may have saved at any time, as torch.autograd.graph.saved_tensors_hooks
    around the call sees them: each storage once, without those of parameters, buffers and tokens. There are twice
    those that two sequences need of which every block is recomputed, or more, half as many again as one sequence needs
    of which all blocks but one are, or more, and FLOPs for five sequences that are recomputed, or more: they may be too
    few for a step of 8. The optimizer's state is not weighed. The model runs in the thread that
    calls, and tokens stay as they are.

    With 400 000 000 FLOPs and 24 000 bytes, a vocabulary of 8, context 16, width 16 and 2 blocks of 2 heads, 2400
    tokens, and float32, the loss on 600 other tokens has to be 1.0 or less. A guess has 2.08, and nothing gets below
    0.47, since one token in ten is noise. The budget is enough for 53 steps of 8 sequences with all blocks recomputed.
    AdamW with lr from 3e-3 to 3e-2 gets to 0.85 or less, with torch's default of 1e-3 it is too slow.
    """
    raise NotImplementedError("fit")
