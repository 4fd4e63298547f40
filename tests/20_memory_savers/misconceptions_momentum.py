"""Wrong answers that people give to kata 20 about a momentum in 8 bits."""
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import itertools

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("20_memory_savers")

# SGD8bit


class Rounded:
    """The answer in parts, all of them right."""

    def __init__(self, params, lr=0.01, momentum=0.9, block_size=64):
        self.params = self.listed(params)
        self.lr, self.momentum, self.block_size = lr, momentum, block_size
        self.kept = {}

    def listed(self, params):
        """To go through again and again."""
        return list(params)

    @torch.no_grad()
    def step(self):
        """Each parameter's."""
        for place, p in enumerate(self.params):
            if self.has_gradient(p, place):
                self.turn(p, place)

    def has_gradient(self, p, place):
        """Whether there is something to step by."""
        return p.grad is not None

    def turn(self, p, place):
        """Of one parameter."""
        old = self.read(place, p) if place in self.kept else None
        m = self.mixed(old, p.grad)
        self.kept[place] = self.rounded(m)
        self.move(p, m, place)

    def mixed(self, old, grad):
        """The momentum before it is rounded."""
        return grad if old is None else grad + self.momentum * old

    def rounded(self, m):
        """What is kept of it."""
        return solved.quantize(m, self.block_size)

    def read(self, place, p):
        """What was kept of it."""
        return solved.dequantize(*self.kept[place], self.block_size).view(p.shape)

    def move(self, p, m, place):
        """In place."""
        p.sub_(m, alpha=self.lr)


@believes("The parameter moves by the rounded momentum", about="SGD8bit")
class MovesByWhatIsKept(Rounded):
    """It moves by m as it is: only what is kept for the next step is rounded."""

    def move(self, p, m, place):
        super().move(p, self.read(place, p), place)


@believes("The gradient is weighted by 1 - momentum", about="SGD8bit")
class Averages(Rounded):
    """The gradient is added whole: m = momentum · m + g."""

    def mixed(self, old, grad):
        return grad if old is None else (1 - self.momentum) * grad + self.momentum * old


@believes("The first momentum is (1 - momentum) · g", about="SGD8bit")
class BeginsLow(Rounded):
    """The first m is the first gradient, whole."""

    def mixed(self, old, grad):
        return (1 - self.momentum) * grad if old is None else grad + self.momentum * old


@believes("The momentum may be added into p.grad", about="SGD8bit")
class AddsToTheGradient(Rounded):
    """Gradients stay as they are: compute m in a new tensor."""

    def mixed(self, old, grad):
        return grad if old is None else grad.add_(old, alpha=self.momentum)


@believes("16 bits are few enough", about="SGD8bit")
class KeepsHalf(Rounded):
    """They take twice as many bytes as allowed: keep int8 codes, and a scale for each block."""

    def rounded(self, m):
        return m.half().clone()

    def read(self, place, p):
        return self.kept[place].float()


@believes("One scale is enough for a momentum", about="SGD8bit")
class TakesOneScale(Rounded):
    """Each block of block_size elements has its own, or small elements are lost beside large ones."""

    def rounded(self, m):
        return solved.quantize(m, max(m.numel(), 1))

    def read(self, place, p):
        return solved.dequantize(*self.kept[place], max(p.numel(), 1)).view(p.shape)


@believes("The rounding error has to be kept as well", about="SGD8bit")
class KeepsTheRest(Rounded):
    """It would take as much memory as the momentum itself: the error is dropped."""

    def rounded(self, m):
        codes, scales = super().rounded(m)
        self.rest = {**getattr(self, "rest", {}), len(self.kept): m - 0}
        return codes, scales


@believes("The momentum is the last gradient", about="SGD8bit")
class KeepsTheGradient(Rounded):
    """It is a sum of all, in which older ones count less: keep m, not g."""

    def turn(self, p, place):
        super().turn(p, place)
        self.kept[place] = self.rounded(p.grad)


@believes("Assigning p.data writes in place", about="SGD8bit")
class MovesElsewhere(Rounded):
    """p.data = … gives p another storage, and views of p keep the old one: p.sub_() writes into it."""

    def move(self, p, m, place):
        p.data = p.data - self.lr * m


@believes("Without a gradient the momentum still moves the parameter", about="SGD8bit")
class RollsOn(Rounded):
    """Such a parameter is left alone, and its momentum too."""

    def has_gradient(self, p, place):
        return True

    def mixed(self, old, grad):
        return super().mixed(old, torch.zeros(()) if grad is None else grad)

    def turn(self, p, place):
        if p.grad is not None or place in self.kept:
            super().turn(p, place)


@believes("A gradient of zeros is no gradient", about="SGD8bit")
class SkipsZeros(Rounded):
    """The step is taken: the momentum decays, and moves the parameter."""

    def has_gradient(self, p, place):
        return p.grad is not None and bool(p.grad.any())


@believes("The parameter moves by g + momentum · m", about="SGD8bit")
class LooksAhead(Rounded):
    """That is Nesterov's momentum: here it moves by m itself."""

    def move(self, p, m, place):
        super().move(p, p.grad + self.momentum * m, place)


@believes("params can be iterated over again", about="SGD8bit")
class GoesThroughOnce(Rounded):
    """A generator is empty after the first time: make a list of it."""

    def listed(self, params):
        return params


@believes("Gradients may stay disabled after a step", about="SGD8bit")
class LeavesGradientsOff(Rounded):
    """Later operations would have no graph: torch.no_grad() in a with block restores the mode at its end."""

    def step(self):
        super().step()
        torch.set_grad_enabled(False)


@believes("The optimizer may keep a reference to the gradient", about="SGD8bit")
class KeepsGradients(Rounded):
    """A gradient takes four bytes per element for as long as anything refers to it: drop it after the step."""

    def turn(self, p, place):
        super().turn(p, place)
        self.last = {**getattr(self, "last", {}), place: p.grad}


@believes("The momentum is the plain sum of the gradients", about="SGD8bit")
class AddsUp(Rounded):
    """What was kept is multiplied by momentum before the gradient is added."""

    def mixed(self, old, grad):
        return grad if old is None else grad + old


@believes("What is kept belongs to the parameter", about="SGD8bit")
class KeepsOnTheParameter(Rounded):
    """It belongs to the optimizer: a new one for the same parameter begins anew. Keep it in self."""

    def turn(self, p, place):
        if hasattr(p, "kept"):
            self.kept[place] = p.kept
        super().turn(p, place)
        p.kept = self.kept[place]


@believes("Without a gradient the momentum decays", about="SGD8bit")
class DecaysWithoutAGradient(Rounded):
    """A parameter without a gradient is left as it is, and its momentum as well."""

    def has_gradient(self, p, place):
        if p.grad is None and place in self.kept:
            self.kept[place] = self.rounded(self.momentum * self.read(place, p))
        return super().has_gradient(p, place)


@believes("A step is called with gradients enabled", about="SGD8bit")
class TurnsGradientsOn(Rounded):
    """It may be called inside torch.no_grad(): restore the mode, as torch.no_grad() in a with block does."""

    def step(self):
        super().step()
        torch.set_grad_enabled(True)


@believes("A momentum smaller than a block need not be rounded", about="SGD8bit")
class KeepsSmallOnesWhole(Rounded):
    """Every momentum is kept in int8, whatever its size; otherwise it takes four bytes per element."""

    def rounded(self, m):
        return m.clone() if m.numel() < self.block_size else super().rounded(m)

    def read(self, place, p):
        kept = self.kept[place]
        return kept if isinstance(kept, torch.Tensor) else super().read(place, p)


@believes("Blocks may run from one parameter into the next", about="SGD8bit")
class RoundsAllTogether(Rounded):
    """Each parameter has blocks of its own: otherwise a large gradient of one loses the small ones of another."""

    @torch.no_grad()
    def step(self):
        super().step()
        pieces = [self.piece(place) for place in self.kept]
        if pieces:
            self.codes = super().rounded(torch.cat(pieces))
            ends = itertools.accumulate(map(len, pieces))
            self.kept = {
                place: slice(end - len(piece), end) for place, piece, end in zip(self.kept, pieces, ends, strict=True)
            }

    def rounded(self, m):
        return m.flatten()

    def read(self, place, p):
        return self.piece(place).view(p.shape)

    def piece(self, place):
        kept = self.kept[place]
        return solved.dequantize(*self.codes, self.block_size)[kept] if isinstance(kept, slice) else kept
