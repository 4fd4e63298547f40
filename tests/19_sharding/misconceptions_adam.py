"""Wrong answers that people give to kata 19 about an optimizer whose state is cut up."""
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import inspect
from typing import Any, ClassVar

import torch
from torch.nn import functional as F

from dojo.judging.diagnose import believes


class _Parts:
    """ShardedAdam in parts, right: each wrong answer gets one of them wrong."""

    dtype: torch.dtype | None = None

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        self.params, self.group, self.lr, self.betas, self.eps = list(params), group, lr, betas, eps
        self.steps = [0] * len(self.params)
        self.states = [self.zeros(p) for p in self.params]

    def zeros(self, p):
        return torch.zeros(2, -(-p.numel() // self.group.size), dtype=self.dtype or p.dtype)

    def pieces(self, x):
        size = self.group.size
        return list(F.pad(x.detach().flatten(), (0, -x.numel() % size)).reshape(size, -1))

    @torch.no_grad()
    def step(self):
        for index, p in enumerate(self.params):
            if self.moves(p):
                self.count(index)
                self.turn(index, p, self.mean(p))

    def moves(self, p):
        return p.grad is not None

    def count(self, index):
        self.steps[index] += 1

    def mean(self, p):
        return self.group.reduce_scatter(self.pieces(p.grad)) / self.group.size

    def turn(self, index, p, grad):
        change = self.change(self.states[index], self.steps[index], grad)
        self.write(p, self.group.all_gather(self.pieces(p)[self.group.rank] - change))

    def change(self, state, step, grad):
        beta, beta2 = self.betas
        state[0] = beta * state[0] + (1 - beta) * grad
        state[1] = beta2 * state[1] + (1 - beta2) * grad * grad
        return self.lr * self.ratio(state[0] / (1 - beta**step), state[1] / (1 - beta2**step))

    def ratio(self, mean, square):
        return mean / (square.sqrt() + self.eps)

    def write(self, p, pieces):
        p.copy_(torch.cat(pieces)[: p.numel()].reshape(p.shape))


@believes("reduce_scatter returns the mean", about="ShardedAdam")
class SumsGradients(_Parts):
    """It returns the sum: divide by group.size. In Adam, the mistake shows only through eps."""

    def mean(self, p):
        return self.group.reduce_scatter(self.pieces(p.grad))


@believes("A rank's own gradient is enough for its slice", about="ShardedAdam")
class TakesItsOwnGradient(_Parts):
    """The other ranks have other samples: take the mean over all ranks, by reduce_scatter."""

    def mean(self, p):
        return self.pieces(p.grad)[self.group.rank]


@believes("It is enough that each rank moves its own slice", about="ShardedAdam")
class KeepsItsSlice(_Parts):
    """Every rank needs the whole parameters: all_gather the new pieces."""

    def turn(self, index, p, grad):
        change = self.change(self.states[index], self.steps[index], grad)
        new = self.pieces(p)
        new[self.group.rank] = new[self.group.rank] - change
        self.write(p, new)


@believes("The state is kept whole, and a slice of it is used", about="ShardedAdam")
class KeepsAllOfTheState(_Parts):
    """That saves no memory: keep only ⌈numel / size⌉ elements."""

    def zeros(self, p):
        return torch.zeros(2, self.group.size, -(-p.numel() // self.group.size), dtype=p.dtype)

    def change(self, state, step, grad):
        return super().change(state[:, self.group.rank], step, grad)


@believes("The optimizer keeps a copy of the parameters", about="ShardedAdam")
class KeepsParameters(_Parts):
    """They are there already, and a copy is as large as all of them."""

    def write(self, p, pieces):
        super().write(p, pieces)
        p.latest = p.detach().clone()


@believes("A closure keeps no tensors", about="ShardedAdam")
class KeepsGradients(_Parts):
    """It keeps what it uses for as long as it lives: the gradients here."""

    def mean(self, p):
        grad = p.grad.clone()
        self.again = lambda: grad
        return super().mean(p)


@believes("The optimizer keeps the gradients", about="ShardedAdam")
class RemembersGradients(_Parts):
    """Adam keeps only two averages of them."""

    def mean(self, p):
        grad = super().mean(p)
        self.states.append(p.grad.clone())
        return grad


@believes("Gradients are all-reduced first", about="ShardedAdam")
class ReducesAll(_Parts):
    """Each rank needs only the mean of its own piece: reduce_scatter sends half as much."""

    def mean(self, p):
        return self.pieces(self.group.all_reduce(p.grad))[self.group.rank] / self.group.size


@believes("Gradients are gathered, and then averaged", about="ShardedAdam")
class GathersGradients(_Parts):
    """That sends whole gradients to every rank: reduce_scatter the pieces."""

    def mean(self, p):
        return self.pieces(sum(self.group.all_gather(p.grad)))[self.group.rank] / self.group.size


@believes("There is one count of steps for all parameters", about="ShardedAdam")
class CountsItsSteps(_Parts):
    """Each parameter has its own: of the steps in which it had a gradient."""

    def step(self):
        self.steps = [step + 1 for step in self.steps]
        super().step()

    def count(self, index):
        pass


@believes("A gradient of None is a gradient of 0", about="ShardedAdam")
class TakesNoneForZeros(_Parts):
    """Then its averages would still move the parameter: leave it alone, and do not count the step."""

    def moves(self, p):
        return True

    def mean(self, p):
        grad = torch.zeros_like(p) if p.grad is None else p.grad
        return self.group.reduce_scatter(self.pieces(grad)) / self.group.size


@believes("The averages need no correction", about="ShardedAdam")
class CorrectsNothing(_Parts):
    """They begin at 0, so they are too small at first: divide by 1 - βᵗ."""

    def change(self, state, step, grad):
        return super().change(state, 10**9, grad)


@believes("eps is inside the root", about="ShardedAdam")
class PutsEpsUnderTheRoot(_Parts):
    """It is added to the root."""

    def ratio(self, mean, square):
        return mean / (square + self.eps).sqrt()


@believes("The first beta is for the squares", about="ShardedAdam")
class SwapsBetas(_Parts):
    """betas are for the gradients and for the squares, in this order."""

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, group, lr, betas[::-1], eps)


@believes("A beta is the weight of the new gradient", about="ShardedAdam")
class TakesBetasForShares(_Parts):
    """It is the weight of the old average: β · m + (1 - β) · g."""

    def change(self, state, step, grad):
        beta, beta2 = self.betas
        state[0] = (1 - beta) * state[0] + beta * grad
        state[1] = (1 - beta2) * state[1] + beta2 * grad * grad
        return self.lr * self.ratio(state[0] / (1 - beta**step), state[1] / (1 - beta2**step))


@believes("A parameter is cut along its rows", about="ShardedAdam")
class CutsRows(_Parts):
    """It is cut flat, so that one of shape () can be cut too, and all pieces are short."""

    def zeros(self, p):
        return torch.zeros(2, len(self.pieces(p)[0]), dtype=p.dtype)

    def pieces(self, x):
        rows = -(-len(x) // self.group.size)
        flat = x.detach().flatten()
        each = rows * (x.numel() // max(len(x), 1))
        return list(F.pad(flat, (0, each * self.group.size - len(flat))).reshape(self.group.size, -1))


@believes("Elements beyond a multiple of size are not moved", about="ShardedAdam")
class LeavesTheRest(_Parts):
    """Every element moves: pad with zeros to pieces of equal length."""

    def zeros(self, p):
        return torch.zeros(2, p.numel() // self.group.size, dtype=p.dtype)

    def pieces(self, x):
        each = x.numel() // self.group.size
        return list(x.detach().flatten()[: each * self.group.size].reshape(self.group.size, -1))

    def write(self, p, pieces):
        new = torch.cat(pieces)
        p.copy_(torch.cat((new, p.flatten()[len(new) :])).reshape(p.shape))


@believes("Parameters of shape () are not moved", about="ShardedAdam")
class LeavesNumbers(_Parts):
    """Such a parameter is one element when flat, and has to move as well."""

    def moves(self, p):
        return p.grad is not None and p.ndim > 0


@believes("A parameter may get new memory", about="ShardedAdam")
class PutsNewMemoryIn(_Parts):
    """The model holds the old memory, and so may others: write into it."""

    def write(self, p, pieces):
        p.data = torch.cat(pieces)[: p.numel()].reshape(p.shape).clone()


@believes("A step uses the gradients up", about="ShardedAdam")
class ClearsGradients(_Parts):
    """zero_grad clears them: a step leaves gradients as they are."""

    def step(self):
        super().step()
        for p in self.params:
            p.grad = None


@believes("p.grad may be divided in place", about="ShardedAdam")
class DividesInPlace(_Parts):
    """Gradients stay as they are: divide into a new tensor."""

    def mean(self, p):
        p.grad.div_(self.group.size)
        return self.group.reduce_scatter(self.pieces(p.grad))


@believes("The state is float32", about="ShardedAdam")
class RoundsItsState(_Parts):
    """It has the dtype of the parameter: float64 here."""

    dtype = torch.float32


@believes("A parameter can always be written to in place", about="ShardedAdam")
class WritesUnderAutograd(_Parts):
    """A leaf that requires grad cannot: use torch.no_grad()."""

    def step(self):
        with torch.enable_grad():
            inspect.unwrap(_Parts.step)(self)


@believes("Gradients may be rounded before they are sent", about="ShardedAdam")
class SendsBfloat16(_Parts):
    """Then so is their mean: send them as they are, in float64."""

    def mean(self, p):
        pieces = [piece.bfloat16() for piece in self.pieces(p.grad)]
        return self.group.reduce_scatter(pieces).to(p.dtype) / self.group.size


@believes("Gradients may be rounded before they are sent", about="ShardedAdam")
class SendsFloat32(_Parts):
    """Then so is their mean: send them as they are, in float64."""

    def mean(self, p):
        return self.group.reduce_scatter(self.pieces(p.grad.float())).double() / self.group.size


@believes("A gradient that is only referred to takes no memory", about="ShardedAdam")
class RefersToGradients(_Parts):
    """zero_grad lets go of it, and its memory is not free until the optimizer does so too: keep no reference to it."""

    def step(self):
        super().step()
        self.grads = [p.grad for p in self.params]


@believes("A number for each step takes no memory", about="ShardedAdam")
class KeepsNorms(_Parts):
    """It does, and more with each step, for as long as training lasts."""

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, group, lr, betas, eps)
        self.norms = []

    def step(self):
        super().step()
        self.norms += [p.grad.norm().item() for p in self.params if p.grad is not None]


@believes("Autograd may stay turned off", about="ShardedAdam")
class TurnsGradientsOff(_Parts):
    """The next forward pass would then have no graph: turn it off by torch.no_grad(), which turns it on again."""

    def step(self):
        torch.set_grad_enabled(False)
        super().step()
        torch.set_grad_enabled(False)


@believes("The state may be an attribute of the class", about="ShardedAdam")
class SharesItsState(_Parts):
    """Then a second optimizer replaces the state of the first: make it in __init__, for self."""

    latest: ClassVar[dict[int, Any]] = {}  # by rank, because here all ranks have one class

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, group, lr, betas, eps)
        self.latest[group.rank] = self.steps, self.states

    def step(self):
        self.steps, self.states = self.latest[self.group.rank]
        super().step()


@believes("The state is found by the shape of its parameter", about="ShardedAdam")
class KeepsStateByShape(_Parts):
    """Several parameters may have one shape: find it by the parameter's place in the list."""

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, group, lr, betas, eps)
        by_shape = {p.shape: state for p, state in zip(self.params, self.states, strict=True)}
        self.states = [by_shape[p.shape] for p in self.params]


@believes("The settings may be attributes of the class", about="ShardedAdam")
class SharesItsSettings(_Parts):
    """Then a second optimizer replaces those of the first: keep them in self."""

    rates: ClassVar[dict[int, float]] = {}  # by rank, because here all ranks have one class

    def __init__(self, params, group, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(params, group, lr, betas, eps)
        self.rates[group.rank] = lr

    def step(self):
        self.lr = self.rates[self.group.rank]
        super().step()


@believes("A parameter without a gradient begins anew", about="ShardedAdam")
class BeginsAnew(_Parts):
    """It is left alone, and so is its state: the next gradient goes on from there."""

    def moves(self, p):
        index = next(index for index, one in enumerate(self.params) if one is p)
        if p.grad is None:
            self.steps[index], self.states[index] = 0, self.zeros(p)
        return p.grad is not None
