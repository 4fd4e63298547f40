"""Wrong answers that people give to kata 13 about a scaler: what it finds, skips, and makes of its scale."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method does is said where it is right

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")


def _gradients(optimizer):
    return [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]


class Scaler(solved.LossScaler):
    """The solution in parts, right: each wrong answer replaces one of them."""

    def is_bad(self, gradients):
        """Whether something among them is not finite."""
        return not all(gradient.isfinite().all() for gradient in gradients)

    def divide(self, optimizer):
        """Take the scale off the gradients."""
        for gradient in _gradients(optimizer):
            gradient.div_(self._scale)

    def skips(self, optimizer):
        """Whether this optimizer does not step."""
        return self._found[id(optimizer)]

    def unscale_(self, optimizer):
        """Unscale once."""
        if id(optimizer) in self._found:
            raise RuntimeError("unscaled already")
        self.divide(optimizer)
        self._found[id(optimizer)] = self.is_bad(_gradients(optimizer))

    def step(self, optimizer):
        """Step once."""
        if id(optimizer) in self._stepped:
            raise RuntimeError("stepped already")
        if id(optimizer) not in self._found:
            self.unscale_(optimizer)
        self._stepped.add(id(optimizer))
        if not self.skips(optimizer):
            optimizer.step()

    def found(self):
        """Whether the scale has to fall."""
        return any(self._found.values())

    def fall(self):
        """Back off."""
        self._scale, self._count = self._scale * self._settings[1], 0

    def grow(self):
        """Grow, if there is room."""
        grown = self._scale * self._settings[0]
        self._scale, self._count = grown if grown <= solved.LARGEST else self._scale, 0

    def is_due(self):
        """Whether it is time to grow."""
        return self._count >= self._settings[2]

    def update(self):
        """Adapt, and forget."""
        if self.found():
            self.fall()
        else:
            self._count += 1
            if self.is_due():
                self.grow()
        self._found, self._stepped = {}, set()


@believes("A step with inf in its gradients is taken, and the scale falls", about="LossScaler")
class StepsAllTheSame(Scaler):
    """One inf spoils a parameter for good: the step is skipped."""

    def skips(self, optimizer):
        return False


@believes("What overflows is inf", about="LossScaler")
class LooksForInfAlone(Scaler):
    """inf - inf is nan: look for both."""

    def is_bad(self, gradients):
        return any(gradient.isinf().any() for gradient in gradients)


@believes("What has to be looked for is nan", about="LossScaler")
class LooksForNanAlone(Scaler):
    """An overflow is inf, and becomes nan only later: look for both."""

    def is_bad(self, gradients):
        return any(gradient.isnan().any() for gradient in gradients)


@believes("inf is what is larger than all", about="LossScaler")
class LooksForPositiveInfinity(Scaler):
    """A gradient may be -inf as well."""

    def is_bad(self, gradients):
        return any((gradient.isnan() | (gradient == torch.inf)).any() for gradient in gradients)


@believes("The first gradient tells of all", about="LossScaler")
class LooksAtTheFirstNumber(Scaler):
    """Each one of them may overflow by itself."""

    def is_bad(self, gradients):
        return any(not gradient.flatten()[:1].isfinite().all() for gradient in gradients)


@believes("What is not finite in one optimizer stops all of them", about="LossScaler")
class SkipsAll(Scaler):
    """Each one is stopped by its own gradients alone; what all share is the scale."""

    def skips(self, optimizer):
        return any(self._found.values())


@believes("The optimizer that is unscaled last decides about the scale", about="LossScaler")
class TheLastDecides(Scaler):
    """The scale falls where anything was found, of any optimizer."""

    def found(self):
        return list(self._found.values())[-1]


@believes("The scale falls where nothing could step", about="LossScaler")
class AllDecide(Scaler):
    """It falls where anything was found, of any optimizer."""

    def found(self):
        return all(self._found.values())


@believes("The scale falls once for each optimizer that was stopped", about="LossScaler")
class FallsForEach(Scaler):
    """Once in an update, however many were stopped."""

    def fall(self):
        for found in self._found.values():
            if found:
                super().fall()


@believes("What counts is what the gradients are when the optimizer steps", about="LossScaler")
class LooksAtTheStep(Scaler):
    """Clipping to a value makes a finite number of inf, and a wrong one: what unscale_ has found counts."""

    def step(self, optimizer):
        if id(optimizer) not in self._found:
            self.unscale_(optimizer)
        self._found[id(optimizer)] = self.is_bad(_gradients(optimizer))
        super().step(optimizer)


@believes("What is not finite is made 0, and the step is taken", about="LossScaler")
class ClearsInfinities(Scaler):
    """The other gradients of that batch may be just as wrong: the step is skipped, and the gradients stay."""

    def skips(self, optimizer):
        for gradient in _gradients(optimizer):
            gradient.nan_to_num_(0.0, 0.0, 0.0)
        return False


@believes("Where a step is skipped, its gradients are gone", about="LossScaler")
class ClearsTheGradients(Scaler):
    """Whoever runs the training clears them: a skipped step leaves them, unscaled."""

    def skips(self, optimizer):
        skips = super().skips(optimizer)
        if skips:
            optimizer.zero_grad()
        return skips


@believes("step divides the gradients by the scale, whoever has done so before", about="LossScaler")
class UnscalesTwice(Scaler):
    """After unscale_ they are as they should be: a second division makes them too small."""

    def step(self, optimizer):
        if id(optimizer) in self._found and id(optimizer) not in self._stepped:
            self.divide(optimizer)
        super().step(optimizer)


@believes("unscale_ multiplies by the scale", about="LossScaler")
class Multiplies(Scaler):
    """The loss was multiplied, and the gradients with it: divide them."""

    def divide(self, optimizer):
        for gradient in _gradients(optimizer):
            gradient.mul_(self._scale)


@believes("Unscaled gradients may be new tensors", about="LossScaler")
class ReplacesTheGradients(Scaler):
    """Whoever holds a gradient would see it scaled: divide in place."""

    def divide(self, optimizer):
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad = p.grad / self._scale


@believes("Only the first group of an optimizer's parameters counts", about="LossScaler")
class UnscalesTheFirstParameter(Scaler):
    """All parameters of all groups have gradients that were scaled."""

    def divide(self, optimizer):
        for gradient in _gradients(optimizer)[:1]:
            gradient.div_(self._scale)


@believes("The count goes on where the scale falls", about="LossScaler")
class KeepsTheCount(Scaler):
    """It counts updates in a row: after a fall it begins at 0."""

    def fall(self):
        self._scale *= self._settings[1]


@believes("A skipped step counts as well", about="LossScaler")
class CountsSkips(Scaler):
    """It counts updates without a find, in a row: after a fall it begins at 0, not at 1."""

    def fall(self):
        super().fall()
        self._count = 1


@believes("The count goes on where the scale grows", about="LossScaler")
class GrowsEveryTimeFromThereOn(Scaler):
    """After each growth it begins at 0, and the next one takes as many updates."""

    def grow(self):
        count = self._count
        super().grow()
        self._count = count


@believes("The scale grows after more than growth_interval updates", about="LossScaler")
class GrowsOneLater(Scaler):
    """It grows with the update that makes the count growth_interval."""

    def is_due(self):
        return self._count > self._settings[2]


@believes("The scale grows with each update that finds nothing", about="LossScaler")
class GrowsAtOnce(Scaler):
    """With each growth_interval of them in a row: most overflows come of a scale that has just grown."""

    def is_due(self):
        return True


@believes("The count is one of steps", about="LossScaler")
class CountsSteps(Scaler):
    """Two optimizers that step before one update count once."""

    def update(self):
        if not self.found():
            self._count += max(0, len(self._stepped) - 1)
        super().update()


@believes("A scale may grow without an end", about="LossScaler")
class GrowsBeyondFloat32(Scaler):
    """Beyond float32's largest number it would be inf, and so would every loss: it stays."""

    def grow(self):
        self._scale, self._count = self._scale * self._settings[0], 0


@believes("The largest scale is 65536", about="LossScaler")
class StopsAtTheFirst(Scaler):
    """It begins there; it may grow up to float32's largest number."""

    def grow(self):
        grown = self._scale * self._settings[0]
        self._scale, self._count = grown if grown <= 65536.0 else self._scale, 0


@believes("A scale is never below 1", about="LossScaler")
class StopsAtOne(Scaler):
    """Where gradients are too large as they are, it has to be."""

    def fall(self):
        super().fall()
        self._scale = max(self._scale, 1.0)


@believes("The scale is halved and doubled", about="LossScaler")
class HalvesAndDoubles(Scaler):
    """By backoff_factor and growth_factor, which are 0.5 and 2.0 by default."""

    def fall(self):
        self._scale, self._count = self._scale * 0.5, 0

    def grow(self):
        grown = self._scale * 2.0
        self._scale, self._count = grown if grown <= solved.LARGEST else self._scale, 0


@believes("The scale is divided by backoff_factor", about="LossScaler")
class FallsUpwards(Scaler):
    """That factor is below 1: multiply by it."""

    def fall(self):
        self._scale, self._count = self._scale / self._settings[1], 0


@believes("A scaled loss is a number", about="LossScaler")
class DetachesTheLoss(Scaler):
    """backward has to go through it: multiply the tensor itself."""

    def scale(self, loss):
        return (loss.detach() * self._scale).requires_grad_()
