"""Wrong answers that people give to kata 13 about what a scaler makes of its scale, and of a loss."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method does is said where it is right

from dojo.judging.diagnose import believes, solution

from .misconceptions_scalers import Scaler

solved = solution("13_mixed_precision")


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


@believes("A loss may be scaled in place", about="LossScaler")
class ScalesInPlace(Scaler):
    """Whoever looks at the loss afterwards sees another one: multiply into a new tensor."""

    def scale(self, loss):
        return loss.mul_(self._scale)
