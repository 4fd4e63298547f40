"""Wrong answers that people give to kata 11 about numbers that a step should take as they are."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import torch

from dojo.judging.diagnose import believes

from .parts import AdamParts, AdamWParts, RMSPropParts, SGDParts


@believes("A setting may become a tensor of its own", about="SGD")
class MakesTensorsOfSettings(SGDParts):
    """torch.tensor(0.9) is a float32, and off by 2e-8. A Python float is exact to sixteen digits: multiply by that."""

    def change(self, p, group):
        numbers = {name: torch.tensor(float(group[name])) for name in ("lr", "momentum", "dampening", "weight_decay")}
        return super().change(p, group | numbers)


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
