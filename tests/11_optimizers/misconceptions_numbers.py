"""Wrong answers that people give to kata 11 about numbers that a step should take as they are, and about closures."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import torch
from torch.optim import Optimizer

from dojo.judging.diagnose import believes, solution

from .parts import AdamParts, AdamWParts, FalseIsNone, RMSPropParts, SGDParts

solved = solution("11_optimizers")


@believes("Only what is below 0, or 1 or more, is no beta", about="running_average")
def averages_by_nan(values, beta, corrected=True):
    """nan is neither, since no comparison with it holds. Ask for what is right: not 0 <= beta < 1 refuses nan too."""
    if beta < 0 or beta >= 1:
        raise ValueError(beta)
    return [beta for _ in values] if beta != beta else solved.running_average(values, beta, corrected)


class TakesNan:
    """Refuses what is wrong, in place of all that is not right."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        if lr < 0 or eps < 0 or weight_decay < 0 or any(beta < 0 or beta >= 1 for beta in betas):
            raise ValueError("bad setting")
        Optimizer.__init__(self, params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})


@believes("Only what is below 0, or 1 or more, is no beta", about="Adam")
class AdamAveragesByNan(TakesNan, AdamParts):
    """nan is neither, since no comparison with it holds. Ask for what is right: not 0 <= beta < 1 refuses nan too."""


@believes("Only what is below 0, or 1 or more, is no beta", about="AdamW")
class AdamWAveragesByNan(TakesNan, AdamWParts):
    """nan is neither, since no comparison with it holds. Ask for what is right: not 0 <= beta < 1 refuses nan too."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, lr, betas, eps, weight_decay)


@believes("A setting may become a tensor of its own", about="SGD")
class MakesTensorsOfSettings(SGDParts):
    """torch.tensor(0.9) is a float32, and off by 2e-8. A Python float is exact to sixteen digits: multiply by that."""

    def change(self, p, group):
        numbers = {name: torch.tensor(float(group[name])) for name in ("lr", "momentum", "dampening", "weight_decay")}
        return super().change(p, group | numbers)


@believes("A step shortens gradients that are too large", about="SGD")
class ClipsLargeGradients(SGDParts):
    """Clipping is for the training loop, before the step. An optimizer takes gradients as they are."""

    def gradient(self, p, group):
        return super().gradient(p, group).clamp(-1e4, 1e4)


class HidesNan:
    """Steps that take a gradient of nan for one of 0."""

    def gradient(self, p, group):
        """The gradient with the weight decay, where it is a number."""
        return super().gradient(p, group).nan_to_num(nan=0.0)


@believes("A gradient of nan is a gradient of 0", about="SGD")
class SGDHidesNan(HidesNan, SGDParts):
    """A nan says that something went wrong before the step. Hidden here, it would go on unseen: it has to spread."""


@believes("A gradient of nan is a gradient of 0", about="RMSProp")
class RMSPropHidesNan(HidesNan, RMSPropParts):
    """A nan says that something went wrong before the step. Hidden here, it would go on unseen: it has to spread."""


@believes("A gradient of nan is a gradient of 0", about="Adam")
class AdamHidesNan(HidesNan, AdamParts):
    """A nan says that something went wrong before the step. Hidden here, it would go on unseen: it has to spread."""


@believes("A gradient of nan is a gradient of 0", about="AdamW")
class AdamWHidesNan(HidesNan, AdamWParts):
    """A nan says that something went wrong before the step. Hidden here, it would go on unseen: it has to spread."""


@believes("Whatever can be called is true", about="SGD")
class SGDTakesAFalseClosureForNone(FalseIsNone, SGDParts):
    """An object may be called and be False in an if, as an empty list is. Compare with None to see if there is one."""


@believes("Whatever can be called is true", about="RMSProp")
class RMSPropTakesAFalseClosureForNone(FalseIsNone, RMSPropParts):
    """An object may be called and be False in an if, as an empty list is. Compare with None to see if there is one."""


@believes("Whatever can be called is true", about="Adam")
class AdamTakesAFalseClosureForNone(FalseIsNone, AdamParts):
    """An object may be called and be False in an if, as an empty list is. Compare with None to see if there is one."""


@believes("Whatever can be called is true", about="AdamW")
class AdamWTakesAFalseClosureForNone(FalseIsNone, AdamWParts):
    """An object may be called and be False in an if, as an empty list is. Compare with None to see if there is one."""
