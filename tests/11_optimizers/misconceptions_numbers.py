"""Wrong answers that people give to kata 11 about numbers that a step should take as they are."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import torch

from dojo.judging.diagnose import believes

from ..shared.optimizer_parts import WiderCopy
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


@believes("Steps that are too small for the dtype have to add up", about="SGD")
class SGDKeepsAWiderCopy(WiderCopy, SGDParts):
    """Each step starts from the parameter as it was rounded. A wider copy makes other steps, and takes memory."""


@believes("Steps that are too small for the dtype have to add up", about="RMSProp")
class RMSPropKeepsAWiderCopy(WiderCopy, RMSPropParts):
    """Each step starts from the parameter as it was rounded. A wider copy makes other steps, and takes memory."""


@believes("Steps that are too small for the dtype have to add up", about="Adam")
class AdamKeepsAWiderCopy(WiderCopy, AdamParts):
    """Each step starts from the parameter as it was rounded. A wider copy makes other steps, and takes memory."""


@believes("Steps that are too small for the dtype have to add up", about="AdamW")
class AdamWKeepsAWiderCopy(WiderCopy, AdamWParts):
    """Each step starts from the parameter as it was rounded. A wider copy makes other steps, and takes memory."""


@believes("A parameter's version counts all that is written to it", about="SGD")
class TrustsTheVersion(SGDParts):
    """Nothing counts what is written through p.data. Keep no copy of a parameter: read its values in each step."""

    def copied(self, p):
        """The copy of a parameter, which begins anew if its version has changed."""
        copy, version = vars(self).setdefault("copies", {}).get(p, (None, None))
        return copy if version == p._version else p.clone()

    def gradient(self, p, group):
        return p.grad + group["weight_decay"] * self.copied(p)

    def write(self, p, change):
        copy = self.copied(p) - change
        p.copy_(copy)
        self.copies[p] = copy, p._version
