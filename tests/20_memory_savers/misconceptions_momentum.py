"""Wrong answers that people give to kata 20 about a momentum in 8 bits."""
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

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


@believes("The parameter moves by what is kept", about="SGD8bit")
class MovesByWhatIsKept(Rounded):
    """It moves by the momentum as it is: only what is carried to the next step is rounded."""

    def move(self, p, m, place):
        super().move(p, self.read(place, p), place)


@believes("Old and new share in a momentum", about="SGD8bit")
class Averages(Rounded):
    """SGD adds the gradient whole: m = momentum · m + g, without a factor of 1 - momentum."""

    def mixed(self, old, grad):
        return grad if old is None else (1 - self.momentum) * grad + self.momentum * old


@believes("A momentum begins at 0, and takes its share from the first gradient", about="SGD8bit")
class BeginsLow(Rounded):
    """The first momentum is the first gradient, whole."""

    def mixed(self, old, grad):
        return (1 - self.momentum) * grad if old is None else grad + self.momentum * old


@believes("A gradient may be added to", about="SGD8bit")
class AddsToTheGradient(Rounded):
    """It belongs to whoever called backward: make the momentum a new tensor."""

    def mixed(self, old, grad):
        return grad if old is None else grad.add_(old, alpha=self.momentum)


@believes("16 bits are nearly 8", about="SGD8bit")
class KeepsHalf(Rounded):
    """They are twice as many: keep codes of int8, and a scale for each block."""

    def rounded(self, m):
        return m.half().clone()

    def read(self, place, p):
        return self.kept[place].float()


@believes("A momentum has one scale", about="SGD8bit")
class TakesOneScale(Rounded):
    """Each block of block_size elements has its own, or small elements are lost beside large ones."""

    def rounded(self, m):
        return solved.quantize(m, max(m.numel(), 1))

    def read(self, place, p):
        return solved.dequantize(*self.kept[place], max(p.numel(), 1)).view(p.shape)


@believes("What was rounded off has to be kept as well", about="SGD8bit")
class KeepsTheRest(Rounded):
    """That is the whole momentum once more: the error stays below half a step, and is not carried on."""

    def rounded(self, m):
        codes, scales = super().rounded(m)
        self.rest = {**getattr(self, "rest", {}), len(self.kept): m - 0}
        return codes, scales


@believes("A momentum is the last gradient", about="SGD8bit")
class KeepsTheGradient(Rounded):
    """It is the sum of all, of which older ones count less: keep m, not g."""

    def turn(self, p, place):
        super().turn(p, place)
        self.kept[place] = self.rounded(p.grad)


@believes("To assign data is to write in place", about="SGD8bit")
class MovesElsewhere(Rounded):
    """p.data = … gives p another storage: whoever has a view of the old one sees nothing. p.sub_() writes into it."""

    def move(self, p, m, place):
        p.data = p.data - self.lr * m


@believes("Without a gradient a parameter goes on by its momentum", about="SGD8bit")
class RollsOn(Rounded):
    """It is left alone, and its momentum too."""

    def has_gradient(self, p, place):
        return True

    def mixed(self, old, grad):
        return super().mixed(old, torch.zeros(()) if grad is None else grad)

    def turn(self, p, place):
        if p.grad is not None or place in self.kept:
            super().turn(p, place)


@believes("A gradient of zeros is none", about="SGD8bit")
class SkipsZeros(Rounded):
    """The momentum goes on without a new push, and the parameter with it; and it is less the next time."""

    def has_gradient(self, p, place):
        return p.grad is not None and bool(p.grad.any())


@believes("Where it rolls to, it is looked ahead", about="SGD8bit")
class LooksAhead(Rounded):
    """That is Nesterov's momentum: here the parameter moves by m itself."""

    def move(self, p, m, place):
        super().move(p, p.grad + self.momentum * m, place)


@believes("An iterable can be gone through again", about="SGD8bit")
class GoesThroughOnce(Rounded):
    """A generator is empty after the first time: make a list of it."""

    def listed(self, params):
        return params


@believes("Who turns gradients off has no need to turn them on again", about="SGD8bit")
class LeavesGradientsOff(Rounded):
    """Whatever comes behind the step would have no graph: with torch.no_grad(): turns them on again at its end."""

    def step(self):
        super().step()
        torch.set_grad_enabled(False)


@believes("What is no state may be kept", about="SGD8bit")
class KeepsGradients(Rounded):
    """A gradient takes four bytes an element for as long as anything refers to it: let go of it after the step."""

    def turn(self, p, place):
        super().turn(p, place)
        self.last = {**getattr(self, "last", {}), place: p.grad}


@believes("A momentum without friction", about="SGD8bit")
class AddsUp(Rounded):
    """What was kept counts momentum times, before the gradient is added."""

    def mixed(self, old, grad):
        return grad if old is None else grad + old
