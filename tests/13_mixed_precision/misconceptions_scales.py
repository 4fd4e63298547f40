"""Wrong answers that people give to kata 13 about what a scaler makes of its scale, and of a loss."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method does is said where it is right

from dojo.judging.diagnose import believes, solution

from .misconceptions_scalers import Scaler

solved = solution("13_mixed_precision")


@believes("The count continues after the scale has fallen", about="LossScaler")
class KeepsTheCount(Scaler):
    """It counts updates in a row without inf or nan: after a fall it is 0 again."""

    def fall(self):
        self._scale *= self._settings[1]


@believes("A skipped step also counts as an update", about="LossScaler")
class CountsSkips(Scaler):
    """Only updates in a row without inf or nan count: after a fall the count is 0, not 1."""

    def fall(self):
        super().fall()
        self._count = 1


@believes("The count continues after the scale has grown", about="LossScaler")
class GrowsEveryTimeFromThereOn(Scaler):
    """After each growth it is 0 again, and the next growth takes another growth_interval updates."""

    def grow(self):
        count = self._count
        super().grow()
        self._count = count


@believes("The scale grows after more than growth_interval updates", about="LossScaler")
class GrowsOneLater(Scaler):
    """It grows with the update that makes the count growth_interval."""

    def is_due(self):
        return self._count > self._settings[2]


@believes("The scale grows with each update that finds no inf or nan", about="LossScaler")
class GrowsAtOnce(Scaler):
    """It grows after growth_interval such updates in a row."""

    def is_due(self):
        return True


@believes("The count is the number of steps", about="LossScaler")
class CountsSteps(Scaler):
    """It is the number of updates: two optimizers that step before one update count once."""

    def update(self):
        if not self.found():
            self._count += max(0, len(self._stepped) - 1)
        super().update()


@believes("There is no largest scale", about="LossScaler")
class GrowsBeyondFloat32(Scaler):
    """Beyond float32's largest number, it would be inf, and so would every loss: the scale stays as it is."""

    def grow(self):
        self._scale, self._count = self._scale * self._settings[0], 0


@believes("The last growth goes up to float32's largest number", about="LossScaler")
class GrowsToTheLargest(Scaler):
    """If float32 cannot hold the product, the scale stays as it is: the largest number is not a power of two."""

    def grow(self):
        self._scale, self._count = min(self._scale * self._settings[0], solved.LARGEST), 0


@believes("The largest scale is 65536", about="LossScaler")
class StopsAtTheFirst(Scaler):
    """That is only the default at the start; the scale may grow up to float32's largest number."""

    def grow(self):
        grown = self._scale * self._settings[0]
        self._scale, self._count = grown if grown <= 65536.0 else self._scale, 0


@believes("A scale is never below 1", about="LossScaler")
class StopsAtOne(Scaler):
    """If gradients are too large without a scale, it has to be below 1."""

    def fall(self):
        super().fall()
        self._scale = max(self._scale, 1.0)


@believes("The scale is always halved and doubled", about="LossScaler")
class HalvesAndDoubles(Scaler):
    """It is multiplied by backoff_factor and growth_factor, whose defaults are 0.5 and 2.0."""

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


@believes("The scaled loss is only a number", about="LossScaler")
class DetachesTheLoss(Scaler):
    """backward has to go through it: multiply the tensor, and do not detach it."""

    def scale(self, loss):
        return (loss.detach() * self._scale).requires_grad_()


@believes("The loss may be scaled in place", about="LossScaler")
class ScalesInPlace(Scaler):
    """The caller's loss would change: multiply into a new tensor."""

    def scale(self, loss):
        return loss.mul_(self._scale)
