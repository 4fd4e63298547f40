"""Wrong answers that people give to kata 13 about a scaler: what it finds, skips, and makes of its scale."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method does is said where it is right

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")


def _gradients(optimizer):
    return [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]


class Scaler(solved.LossScaler):
    """The solution in parts, all right: each wrong answer replaces one of them."""

    def is_bad(self, gradients):
        """Return whether one of them is not finite."""
        return not all(gradient.isfinite().all() for gradient in gradients)

    def divide(self, optimizer):
        """Divide the gradients by the scale."""
        for gradient in _gradients(optimizer):
            gradient.div_(self._scale)

    def skips(self, optimizer):
        """Return whether this optimizer skips its step."""
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
        """Return whether the scale has to fall."""
        return any(self._found.values())

    def fall(self):
        """Back off."""
        self._scale, self._count = self._scale * self._settings[1], 0

    def grow(self):
        """Grow, if there is room."""
        grown = self._scale * self._settings[0]
        self._scale, self._count = grown if grown <= solved.LARGEST else self._scale, 0

    def is_due(self):
        """Return whether it is time to grow."""
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
    """One inf spoils a parameter permanently: skip the step."""

    def skips(self, optimizer):
        return False


@believes("Only inf has to be found", about="LossScaler")
class LooksForInfAlone(Scaler):
    """inf - inf is nan: check for both."""

    def is_bad(self, gradients):
        return any(gradient.isinf().any() for gradient in gradients)


@believes("Only nan has to be found", about="LossScaler")
class LooksForNanAlone(Scaler):
    """An overflow is inf, and becomes nan only later: check for both."""

    def is_bad(self, gradients):
        return any(gradient.isnan().any() for gradient in gradients)


@believes("Only +inf has to be found", about="LossScaler")
class LooksForPositiveInfinity(Scaler):
    """A gradient may be -inf as well."""

    def is_bad(self, gradients):
        return any((gradient.isnan() | (gradient == torch.inf)).any() for gradient in gradients)


@believes("It is enough to check the first element of each gradient", about="LossScaler")
class LooksAtTheFirstNumber(Scaler):
    """Any element may overflow: check all of them."""

    def is_bad(self, gradients):
        return any(not gradient.flatten()[:1].isfinite().all() for gradient in gradients)


@believes("inf or nan in one optimizer's gradients skips the steps of all", about="LossScaler")
class SkipsAll(Scaler):
    """An optimizer is skipped only for its own gradients; what they share is the scale."""

    def skips(self, optimizer):
        return any(self._found.values())


@believes("The optimizer that is unscaled last decides the scale", about="LossScaler")
class TheLastDecides(Scaler):
    """The scale falls if inf or nan was found for any optimizer."""

    def found(self):
        return list(self._found.values())[-1]


@believes("The scale falls only if every optimizer was skipped", about="LossScaler")
class AllDecide(Scaler):
    """The scale falls if inf or nan was found for any optimizer."""

    def found(self):
        return all(self._found.values())


@believes("The scale falls once for each optimizer that was skipped", about="LossScaler")
class FallsForEach(Scaler):
    """It falls once per update, however many were skipped."""

    def fall(self):
        for found in self._found.values():
            if found:
                super().fall()


@believes("What counts is whether the gradients are finite in step", about="LossScaler")
class LooksAtTheStep(Scaler):
    """Clipping may have turned inf into a finite but wrong number: what unscale_ found counts."""

    def step(self, optimizer):
        if id(optimizer) not in self._found:
            self.unscale_(optimizer)
        self._found[id(optimizer)] = self.is_bad(_gradients(optimizer))
        super().step(optimizer)


@believes("inf and nan are set to 0, and the step is taken", about="LossScaler")
class ClearsInfinities(Scaler):
    """The other gradients of that batch may be just as wrong: the step is skipped, and the gradients stay."""

    def skips(self, optimizer):
        for gradient in _gradients(optimizer):
            gradient.nan_to_num_(0.0, 0.0, 0.0)
        return False


@believes("A skipped step clears the gradients", about="LossScaler")
class ClearsTheGradients(Scaler):
    """The training loop clears them: a skipped step leaves them, unscaled."""

    def skips(self, optimizer):
        skips = super().skips(optimizer)
        if skips:
            optimizer.zero_grad()
        return skips


@believes("step always divides the gradients by the scale", about="LossScaler")
class UnscalesTwice(Scaler):
    """After unscale_, they are already unscaled: a second division makes them too small."""

    def step(self, optimizer):
        if id(optimizer) in self._found and id(optimizer) not in self._stepped:
            self.divide(optimizer)
        super().step(optimizer)


@believes("unscale_ multiplies by the scale", about="LossScaler")
class Multiplies(Scaler):
    """The loss was multiplied, and its gradients with it: divide them."""

    def divide(self, optimizer):
        for gradient in _gradients(optimizer):
            gradient.mul_(self._scale)


@believes("Unscaled gradients may be new tensors", about="LossScaler")
class ReplacesTheGradients(Scaler):
    """Other code that holds the gradient would still see it scaled: divide in place."""

    def divide(self, optimizer):
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad = p.grad / self._scale


@believes("Unscaled gradients may be new tensors", about="LossScaler")
class ReplacesTheirData(Scaler):
    """Other code that holds the gradient would still see it scaled: divide in place."""

    def divide(self, optimizer):
        for gradient in _gradients(optimizer):
            gradient.data = gradient.data / self._scale


@believes("What is found counts only if the optimizer steps", about="LossScaler")
class FindsInTheStep(Scaler):
    """What unscale_ finds is that the scale is too large, with or without a step: the scale falls."""

    def found(self):
        return any(self._found[key] for key in self._stepped)


@believes("update is for the optimizers that stepped", about="LossScaler")
class ForgetsThoseThatStepped(Scaler):
    """One that was unscaled and did not step may be unscaled again after the update: forget all of them."""

    def update(self):
        kept = {key: found for key, found in self._found.items() if key not in self._stepped}
        super().update()
        self._found = kept


@believes("Only the first gradient of an optimizer is unscaled", about="LossScaler")
class UnscalesTheFirstParameter(Scaler):
    """The gradients of all parameters in all groups were scaled: divide each one."""

    def divide(self, optimizer):
        for gradient in _gradients(optimizer)[:1]:
            gradient.div_(self._scale)


@believes("The sum shows whether all gradients are finite", about="LossScaler")
class LooksAtTheSum(Scaler):
    """Finite gradients can add up to inf: check each element."""

    def unscale_(self, optimizer):
        if id(optimizer) in self._found:
            raise RuntimeError("unscaled already")
        self._found[id(optimizer)] = not sum(gradient.sum() for gradient in _gradients(optimizer)).isfinite()
        self.divide(optimizer)


@believes("The norm shows whether all gradients are finite", about="LossScaler")
class LooksAtTheNorm(Scaler):
    """The squares of finite gradients can be inf: check each element."""

    def is_bad(self, gradients):
        return any(not gradient.norm().isfinite() for gradient in gradients)


@believes("Every gradient has a largest element", about="LossScaler")
class LooksAtTheLargest(Scaler):
    """An empty one has none, and max() raises: isfinite().all() is True for it."""

    def is_bad(self, gradients):
        return any(not gradient.abs().max().isfinite() for gradient in gradients)


@believes("An optimizer has one group", about="LossScaler")
class UnscalesTheFirstGroup(Scaler):
    """It may have several: go through all of param_groups."""

    def _of_the_first(self, optimizer):
        return [p.grad for p in optimizer.param_groups[0]["params"] if p.grad is not None]

    def divide(self, optimizer):
        for gradient in self._of_the_first(optimizer):
            gradient.div_(self._scale)

    def unscale_(self, optimizer):
        super().unscale_(optimizer)
        self._found[id(optimizer)] = self.is_bad(self._of_the_first(optimizer))


@believes("Whether a call is allowed may be checked after the division", about="LossScaler")
class DividesBeforeItRefuses(Scaler):
    """A call that is refused changes nothing: raise first."""

    def unscale_(self, optimizer):
        if id(optimizer) in self._found:
            self.divide(optimizer)
        super().unscale_(optimizer)


@believes("A state may be the scaler's own dict", about="LossScaler")
class SharesItsState(Scaler):
    """Then both scalers write into one dict: return a new one, and copy the values when loading."""

    def state_dict(self):
        return self.__dict__

    def load_state_dict(self, state):
        self.__dict__ = state
