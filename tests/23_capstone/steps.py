"""A step, a training and a fit in parts, all of them right: wrong answers replace one."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint

from dojo.judging.diagnose import solution

solved = solution("23_capstone")


class Step:
    """train_step in parts."""

    reduction = "sum"

    def __init__(self, model, optimizer, max_norm, recomputed):
        self.model, self.optimizer, self.max_norm, self.recomputed = model, optimizer, max_norm, recomputed

    @classmethod
    def run(cls, model, optimizer, tokens, micro_batch, recomputed=0, max_norm=1.0):
        """Take the step."""
        cls.check(micro_batch)
        return cls(model, optimizer, max_norm, recomputed).whole(tokens, micro_batch)

    @classmethod
    def check(cls, micro_batch):
        """One or more."""
        if micro_batch < 1:
            raise ValueError(f"{micro_batch} sequences at a time")

    def whole(self, tokens, micro_batch):
        """All of it."""
        self.begin()
        losses = [self.part(part, tokens) for part in self.parts(tokens, micro_batch)]
        self.clip()
        self.step()
        self.end()
        return self.told(losses)

    def begin(self):
        """No gradients of before."""
        self.model.zero_grad()

    def parts(self, tokens, micro_batch):
        """So many at a time."""
        return tokens.split(micro_batch)

    def is_recomputed(self, index):
        """The first ones."""
        return index < self.recomputed

    def logits(self, inputs):
        """Forward."""
        h = self.model.embed(inputs)
        for index, block in enumerate(self.model.blocks):
            h = checkpoint(block, h, use_reentrant=False) if self.is_recomputed(index) else block(h)
        return self.model.head(h)

    def pair(self, part):
        """What is given, and what is predicted."""
        return part[:, :-1], part[:, 1:]

    def loss(self, part, tokens):
        """Its share of the mean over all."""
        inputs, targets = self.pair(part)
        logits = self.logits(inputs)
        return self.weighed(F.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum"), part, tokens)

    def weighed(self, total, part, tokens):
        """By all predictions."""
        return total / tokens[:, 1:].numel()

    def part(self, part, tokens):
        """Forward and backward."""
        loss = self.loss(part, tokens)
        loss.backward()
        return loss.item()

    def clip(self):
        """All together."""
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)

    def step(self):
        """Once."""
        self.optimizer.step()

    def end(self):
        """No gradients left."""
        self.model.zero_grad()

    def told(self, losses):
        """The loss of the batch."""
        return sum(losses)


class Runner:
    """Trainer in parts."""

    def __init__(self, model, tokens, batch, context, lr, seed):
        self.model, self.tokens, self.batch, self.context, self.seed = model, tokens, batch, context, seed
        self.windows = self.cut()
        self.optimizer = self.made(lr)
        self.generator = torch.Generator().manual_seed(seed)
        self.left = torch.empty(0, dtype=torch.int64)

    def cut(self):
        """The windows."""
        if len(self.tokens) <= self.context:
            raise ValueError("no window")
        return self.tokens.unfold(0, self.context + 1, self.context)

    def made(self, lr):
        """The optimizer."""
        return torch.optim.AdamW(solved.param_groups(self.model, 0.1), lr=lr)

    def order(self):
        """Of an epoch."""
        return torch.randperm(len(self.windows), generator=self.generator)

    def chosen(self):
        """The windows of a step."""
        if len(self.left) == 0:
            self.left = self.order()
        chosen, self.left = self.left[: self.batch], self.left[self.batch :]
        return chosen

    def step(self):
        """A step."""
        return solved.train_step(self.model, self.optimizer, self.windows[self.chosen()], self.batch)

    def state_dict(self):
        """What is kept."""
        state = {"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict()}
        return state | {"generator": self.generator.get_state(), "left": self.left}

    def load_state_dict(self, state):
        """What is there of it."""
        if "model" in state:
            self.model.load_state_dict(state["model"])
        if "optimizer" in state:
            self.optimizer.load_state_dict(state["optimizer"])
        if "generator" in state:
            self.generator.set_state(state["generator"])
        if "left" in state:
            self.left = state["left"]


class Fit:
    """fit in parts."""

    batch = 8

    def __init__(self, model, tokens, context, flops, nbytes):
        self.model, self.tokens, self.context, self.flops, self.nbytes = model, tokens, context, flops, nbytes
        self.layers = self.recomputed = len(model.blocks)
        self.dim, self.vocab = (f(tokens[None, :1]).shape[-1] for f in (model.embed, model))
        self.left = flops - 2 * self.cost(1, 0) // 3
        self.windows, self.generator = tokens.unfold(0, context + 1, 1), torch.Generator().manual_seed(0)

    @classmethod
    def run(cls, model, tokens, context, flops, nbytes):
        """Train."""
        fit = cls(model, tokens, context, flops, nbytes)
        fit.train(fit.micro_batch(), fit.made())

    def cost(self, batch, recomputed):
        """FLOPs of a step."""
        return solved.step_flops(batch, self.context, self.vocab, self.dim, self.layers, recomputed)

    def micro_batch(self):
        """As many as fit."""
        one = solved._saved_bytes(self.model, self.tokens[None, : self.context + 1].clone())
        return min(self.batch, (self.nbytes - 8 * self.batch * (self.context + 1)) // one)

    def made(self):
        """The optimizer."""
        return torch.optim.AdamW(solved.param_groups(self.model, 0.1), lr=1e-2)

    def steps(self):
        """As many as there are FLOPs for."""
        return self.left // self.cost(self.batch, self.recomputed)

    def data(self):
        """A batch."""
        return self.windows[torch.randint(len(self.windows), (self.batch,), generator=self.generator)]

    def train(self, micro_batch, optimizer):
        """All steps."""
        for _ in range(self.steps()):
            self.step(self.model, optimizer, self.data(), micro_batch)

    def step(self, model, optimizer, data, micro_batch):
        """One of them."""
        solved.train_step(model, optimizer, data, micro_batch, self.recomputed)
