"""Kata 23, solved: train a GPT within a budget."""

from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint


def gpt_params(vocab: int, context: int, dim: int, layers: int) -> int:
    """Add two embeddings; per block, 4 · dim² of attention, 8 · dim² of the MLP, biases, two norms; and a last norm."""
    return dim * (vocab + context) + layers * (12 * dim * dim + 13 * dim) + 2 * dim


def step_flops(batch: int, context: int, vocab: int, dim: int, layers: int, recomputed: int = 0) -> int:
    """Count a backward pass as two forward passes; a recomputed block goes forward once more."""
    if not 0 <= recomputed <= layers:
        raise ValueError(f"{recomputed} of {layers} blocks recomputed")
    block = 2 * batch * context * (12 * dim * dim + 2 * context * dim)
    head = 2 * batch * context * dim * vocab
    return 3 * (layers * block + head) + recomputed * block


def plan(
    batch: int, layers: int, block_bytes: int, boundary_bytes: int, rest_bytes: int, budget: int
) -> tuple[int, int] | None:
    """Return the first plan that fits, with the best plans first."""
    if batch < 1 or layers < 0:
        raise ValueError(f"a batch of {batch}, {layers} layers")
    for recomputed in range(layers + 1):
        for micro in range(batch, 0, -1):
            one = rest_bytes + recomputed * boundary_bytes + (layers - recomputed) * block_bytes
            if batch % micro == 0 and micro * one <= budget:
                return micro, recomputed
    return None


def param_groups(model: nn.Module, weight_decay: float) -> list[dict[str, Any]]:
    """Rely on model.parameters(), which gives each parameter once."""
    trained = [p for p in model.parameters() if p.requires_grad]
    return [
        {"params": [p for p in trained if p.ndim >= 2], "weight_decay": weight_decay},
        {"params": [p for p in trained if p.ndim < 2], "weight_decay": 0.0},
    ]


def _summed_loss(model: Any, tokens: Tensor, recomputed: int) -> Tensor:
    """Return the sum of the losses of all predictions."""
    h = model.embed(tokens[:, :-1])
    for index, block in enumerate(model.blocks):
        h = checkpoint(block, h, use_reentrant=False) if index < recomputed else block(h)
    return F.cross_entropy(model.head(h).flatten(0, 1), tokens[:, 1:].flatten(), reduction="sum")


def train_step(
    model: nn.Module,
    optimizer: Any,
    tokens: Tensor,
    micro_batch: int,
    recomputed: int = 0,
    max_norm: float = 1.0,
) -> float:
    """Add up gradients, with each loss divided by the number of all predictions."""
    if micro_batch < 1:
        raise ValueError(f"a micro-batch of {micro_batch}")
    model.zero_grad()
    total = 0.0
    for part in tokens.split(micro_batch):
        loss = _summed_loss(model, part, recomputed) / tokens[:, 1:].numel()
        loss.backward()  # type: ignore[no-untyped-call]
        total += loss.item()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    model.zero_grad()
    return total


class Trainer:
    """A training run whose generator gives the order of each epoch; the rest of that order is part of the state."""

    def __init__(self, model: nn.Module, tokens: Tensor, batch: int, context: int, lr: float, seed: int) -> None:
        if len(tokens) <= context:
            raise ValueError(f"{len(tokens)} tokens, and a window has {context + 1}")
        self.model, self.batch = model, batch
        self.windows = tokens.unfold(0, context + 1, context)
        self.optimizer = torch.optim.AdamW(param_groups(model, 0.1), lr=lr)
        self.generator = torch.Generator().manual_seed(seed)
        self.left = torch.empty(0, dtype=torch.int64)

    def step(self) -> float:
        """Take a step with the next batch and return its loss before the step, as a float."""
        if len(self.left) == 0:
            self.left = torch.randperm(len(self.windows), generator=self.generator)
        chosen, self.left = self.left[: self.batch], self.left[self.batch :]
        return train_step(self.model, self.optimizer, self.windows[chosen], self.batch)

    def state_dict(self) -> dict[str, Any]:
        """Return the states of the model, the optimizer and the generator, and what is left of the epoch."""
        parts = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        return parts | {"generator": self.generator.get_state(), "left": self.left}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue from that state."""
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.generator.set_state(state["generator"])
        self.left = state["left"]


BATCH, LR = 8, 1e-2


def fit(model: Any, tokens: Tensor, context: int, flops: int, nbytes: int) -> None:
    """Recompute every block: in so small a model, more sequences at a time save more than fewer FLOPs do."""
    layers = len(model.blocks)
    dim, vocab = (f(tokens[None, :1]).shape[-1] for f in (model.embed, model))
    flops -= 2 * step_flops(1, context, vocab, dim, layers) // 3  # for looking at the model, and measuring a sequence
    nbytes -= BATCH * (context + 1) * tokens.element_size()  # each part saves the tokens of its whole batch
    micro_batch = min(BATCH, nbytes // _saved_bytes(model, tokens[None, : context + 1].clone()))
    optimizer = torch.optim.AdamW(param_groups(model, 0.1), lr=LR)
    windows, generator = tokens.unfold(0, context + 1, 1), torch.Generator().manual_seed(0)
    for _ in range(flops // step_flops(BATCH, context, vocab, dim, layers, layers)):
        chosen = torch.randint(len(windows), (BATCH,), generator=generator)
        train_step(model, optimizer, windows[chosen], micro_batch, layers)


def _saved_bytes(model: nn.Module, tokens: Tensor) -> int:
    """Return the bytes that autograd saves for these sequences if every block is recomputed."""
    saved: dict[int, Any] = {}

    def pack(tensor: Tensor) -> Tensor:
        saved[tensor.untyped_storage()._cdata] = tensor.untyped_storage()
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        _summed_loss(model, tokens, len(model.blocks))  # type: ignore[arg-type]
    for tensor in (*model.parameters(), *model.buffers()):
        saved.pop(tensor.untyped_storage()._cdata, None)
    return sum(storage.nbytes() for storage in saved.values())
