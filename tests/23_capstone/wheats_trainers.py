"""Right answers to kata 23 that train in steps: by another generator, by numbers of epochs, with another optimizer."""
# mypy: ignore-errors

import random

import numpy as np
import torch
from torch.nn import functional as F

from dojo.judging.diagnose import answers


def _stepped(model, optimizer, rows):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


@answers("Trainer")
class ByTheNumberOfTheEpoch:
    def __init__(self, model, tokens, batch, context, lr, seed):
        self.rows = [tokens[i : i + context + 1] for i in range(0, len(tokens) - context, context)]
        if not self.rows:
            raise ValueError("too short")
        self.model, self.batch, self.seed, self.done = model, batch, seed, 0
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)

    def _order(self, epoch):
        order = list(range(len(self.rows)))
        random.Random(f"{self.seed}/{epoch}").shuffle(order)
        return order

    def step(self):
        per_epoch = -(-len(self.rows) // self.batch)
        epoch, place = divmod(self.done, per_epoch)
        chosen = self._order(epoch)[place * self.batch : (place + 1) * self.batch]
        self.done += 1
        return _stepped(self.model, self.optimizer, torch.stack([self.rows[i] for i in chosen]))

    def state_dict(self):
        return {"done": self.done, "seed": self.seed, "m": self.model.state_dict(), "o": self.optimizer.state_dict()}

    def load_state_dict(self, state):
        self.done, self.seed = state["done"], state["seed"]
        self.model.load_state_dict(state["m"])
        self.optimizer.load_state_dict(state["o"])


@answers("Trainer")
class AsAnIterator:
    def __init__(self, model, tokens, batch, context, lr, seed):
        count = (len(tokens) - 1) // context
        if count < 1:
            raise ValueError("no window fits")
        self.data = torch.stack([tokens[i * context : (i + 1) * context + 1] for i in range(count)])
        self.model, self.batch = model, batch
        self.opt = torch.optim.Adam(model.parameters(), lr)
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.orders, self.at = [], 0

    def _batches(self):
        while True:
            if self.at >= len(self.orders):
                self.orders, self.at = self.rng.permutation(len(self.data)).tolist(), 0
            begin, self.at = self.at, self.at + self.batch
            yield self.data[self.orders[begin : self.at]]

    def step(self):
        return _stepped(self.model, self.opt, next(self._batches()))

    def state_dict(self):
        bits = self.rng.bit_generator.state
        numbers = {name: str(value) for name, value in bits["state"].items()}
        rest = {"has_uint32": bits["has_uint32"], "uinteger": bits["uinteger"], "bit_generator": bits["bit_generator"]}
        state = {"numbers": numbers, "rest": rest, "orders": self.orders, "at": self.at}
        return {**state, "model": self.model.state_dict(), "opt": self.opt.state_dict()}

    def load_state_dict(self, state):
        numbers = {name: int(value) for name, value in state["numbers"].items()}
        self.rng.bit_generator.state = {**state["rest"], "state": numbers}
        self.orders, self.at = state["orders"], state["at"]
        self.model.load_state_dict(state["model"])
        self.opt.load_state_dict(state["opt"])


@answers("Trainer")
class ByHandWithMomentum:
    def __init__(self, model, tokens, batch, context, lr, seed):
        self.starts = torch.arange(0, max(len(tokens) - context, 0), context)
        if self.starts.numel() == 0:
            raise ValueError(len(tokens))
        self.model, self.tokens, self.size, self.context, self.lr = model, tokens, batch, context, lr
        self.generator = torch.Generator()
        self.generator.manual_seed(seed)
        self.momentum = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
        self.queue = []

    def step(self):
        if not self.queue:
            order = torch.rand(len(self.starts), generator=self.generator).argsort()
            self.queue = [part.tolist() for part in self.starts[order].split(self.size)]
        rows = torch.stack([self.tokens[begin : begin + self.context + 1] for begin in self.queue.pop(0)])
        loss = F.cross_entropy(self.model(rows[:, :-1]).transpose(1, 2), rows[:, 1:])
        grads = torch.autograd.grad(loss, list(self.model.parameters()))
        with torch.no_grad():
            for (name, p), grad in zip(self.model.named_parameters(), grads):
                self.momentum[name] = 0.5 * self.momentum[name] + grad
                p -= self.lr * self.momentum[name]
        return float(loss)

    def state_dict(self):
        found = {f"weight {name}": p.detach().clone() for name, p in self.model.named_parameters()}
        found |= {f"momentum {name}": m for name, m in self.momentum.items()}
        return found | {"queue": self.queue, "generator": self.generator.get_state()}

    def load_state_dict(self, state):
        with torch.no_grad():
            for name, p in self.model.named_parameters():
                p.copy_(state[f"weight {name}"])
                self.momentum[name] = state[f"momentum {name}"].clone()
        self.queue = [list(part) for part in state["queue"]]
        self.generator.set_state(state["generator"])
