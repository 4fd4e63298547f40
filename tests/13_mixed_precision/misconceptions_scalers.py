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


@believes("A sum says whether all of it is finite", about="LossScaler")
class LooksAtTheSum(Scaler):
    """Two finite gradients can add up to inf: look at each."""

    def unscale_(self, optimizer):
        if id(optimizer) in self._found:
            raise RuntimeError("unscaled already")
        self._found[id(optimizer)] = not sum(gradient.sum() for gradient in _gradients(optimizer)).isfinite()
        self.divide(optimizer)
