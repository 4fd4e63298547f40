"""Wrong answers that people give to kata 11 about SGD."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import torch
from torch.optim import Optimizer

from dojo.judging.diagnose import believes

from ..shared.optimizer_parts import ClosureForEachGroup, EndedByExceptionsAlone
from .parts import NothingWithoutGradients, SGDParts


@believes("The first gradient is damped as well", about="SGD")
class DampsTheFirstGradient(SGDParts):
    """The buffer begins as the first gradient, whole. Only what comes later is damped."""

    def first(self, p, grad, group):
        return (1 - group["dampening"]) * grad


@believes("The buffer begins at 0, and the first gradient is not in it", about="SGD")
class BeginsWithoutTheFirstGradient(SGDParts):
    """The first gradient is in the buffer before the first step."""

    def first(self, p, grad, group):
        return torch.zeros_like(grad)


@believes("Dampening slows the buffer", about="SGD")
class DampsTheBuffer(SGDParts):
    """Dampening weakens the new gradient; momentum says how much of the buffer stays."""

    def later(self, buffer, grad, group):
        return group["momentum"] * (1 - group["dampening"]) * buffer + grad


@believes("Momentum is an average of the gradients", about="SGD")
class AveragesTheGradients(SGDParts):
    """torch's buffer is a sum: the new gradient counts whole, unless dampening says otherwise."""

    def later(self, buffer, grad, group):
        return group["momentum"] * buffer + (1 - group["momentum"]) * grad


@believes("Dampening has no effect", about="SGD")
class IgnoresTheDampening(SGDParts):
    """From the second gradient on, 1 − dampening of it goes into the buffer."""

    def later(self, buffer, grad, group):
        return group["momentum"] * buffer + grad


@believes("The buffer holds steps, with their lr", about="SGD")
class SGDKeepsTheLrInsideTheBuffer(SGDParts):
    """The buffer holds gradients without the lr. Where the lr changes, it applies to the whole buffer."""

    def change(self, p, group):
        along = self.along(p, group["lr"] * self.gradient(p, group), group)
        return along


@believes("Nesterov moves along the old buffer", about="SGD")
class LooksAheadWithoutTheGradient(SGDParts):
    """The step is g + momentum · b, and b holds the new gradient already."""

    def ahead(self, grad, buffer, group):
        return group["momentum"] * buffer


@believes("Nesterov begins with the second step", about="SGD")
class WaitsWithNesterov(SGDParts):
    """momentum · b is added to the gradient in the first step, too, where b is that gradient."""

    def along(self, p, grad, group):
        begins = group["nesterov"] and "b" not in self.remembered(p)
        return self.buffer(p, grad, group) if begins else super().along(p, grad, group)


@believes("Nesterov adds the whole buffer to the gradient", about="SGD")
class AddsTheWholeBuffer(SGDParts):
    """Nesterov adds momentum times the buffer to the gradient."""

    def ahead(self, grad, buffer, group):
        return grad + buffer


@believes("Nesterov is momentum by another name", about="SGD")
class IgnoresNesterov(SGDParts):
    """With it the step looks ahead: the gradient, and momentum times the buffer."""

    def ahead(self, grad, buffer, group):
        return buffer


@believes("The decay stays out of the buffer", about="SGD")
class DecaysBesideTheBuffer(SGDParts):
    """Here the decay is added to the gradient before anything else, so the buffer remembers it too."""

    def gradient(self, p, group):
        return p.grad

    def along(self, p, grad, group):
        return super().along(p, grad, group) + group["weight_decay"] * p


@believes("The decay is a share of the parameter in each step", about="SGD")
class SGDDecaysWithoutTheLr(SGDParts):
    """It is added to the gradient, and so the lr shortens it as well."""

    def gradient(self, p, group):
        return p.grad

    def turn(self, p, group):
        if p.grad is not None:
            change = self.change(p, group)
            p.mul_(1 - group["weight_decay"])
            self.write(p, change)


@believes("The decay is added to p.grad itself", about="SGD")
class WritesIntoTheGradient(SGDParts):
    """Gradients stay as they are. If the decay were written into p.grad, a second step would add it again."""

    def gradient(self, p, group):
        return p.grad.add_(p, alpha=group["weight_decay"])


@believes("The buffer may begin as p.grad itself", about="SGD")
class KeepsTheGradientItself(SGDParts):
    """The next backward pass may write into that tensor, and so into the buffer. Let the buffer have its own."""

    def gradient(self, p, group):
        return super().gradient(p, group) if group["weight_decay"] else p.grad

    def first(self, p, grad, group):
        return grad


@believes("Without a gradient the momentum carries a parameter on", about="SGD")
class MovesOnWithoutAGradient(SGDParts):
    """No gradient, no step: neither the parameter nor its buffer moves."""

    def turn(self, p, group):
        if p.grad is not None:
            super().turn(p, group)
        elif "b" in self.remembered(p):
            self.remembered(p)["b"] = group["momentum"] * self.remembered(p)["b"]
            self.write(p, group["lr"] * self.remembered(p)["b"])


@believes("A buffer forgets with every step of the optimizer", about="SGD")
class SGDForgetsWithoutAGradient(SGDParts):
    """Without a gradient a parameter takes no step, and its buffer stays what it is."""

    def turn(self, p, group):
        super().turn(p, group)
        if p.grad is None and "b" in self.remembered(p):
            self.remembered(p)["b"] = group["momentum"] * self.remembered(p)["b"]


@believes("A parameter without a gradient decays all the same", about="SGD")
class SGDDecaysWithoutAGradient(SGDParts):
    """No gradient, no step, no decay: the parameter took no part in the loss."""

    def turn(self, p, group):
        super().turn(p, group)
        if p.grad is None:
            p.mul_(1 - group["lr"] * group["weight_decay"])


@believes("One buffer is enough", about="SGD")
class SharesTheBuffer(SGDParts):
    """Each parameter has gradients of its own, and a buffer of its own for them, whatever its shape."""

    def remembered(self, p):
        return vars(self).setdefault("shared", {}).setdefault(p.shape, self.state[p])


@believes("My own dict is as good as self.state", about="SGD")
class KeepsTheBuffersToItself(SGDParts):
    """state_dict saves what is in self.state, and nothing else. A resumed run would begin its buffers again."""

    def remembered(self, p):
        return vars(self).setdefault("mine", {}).setdefault(p, {})


@believes("The momentum of the constructor holds for every group", about="SGD")
class IgnoresTheGroupsMomentum(SGDParts):
    """A group may have a momentum of its own; the constructor's is for the groups that have none."""

    def change(self, p, group):
        return super().change(p, {**group, "momentum": self.defaults["momentum"]})


@believes("The lr is read once", about="SGD")
class ReadsTheLrOnce(SGDParts):
    """A schedule changes the lr in the group while the training runs, and the next step uses it."""

    def change(self, p, group):
        return super().change(p, {**group, "lr": group.setdefault("first_lr", group["lr"])})


@believes("A parameter is updated by giving it new data", about="SGD")
class SGDReplacesTheData(SGDParts):
    """In place means that the numbers change where they are: whatever shares that memory sees the step."""

    def write(self, p, change):
        p.data = p.data - change


@believes("A step uses the gradients up", about="SGD")
class ClearsGradients(SGDParts):
    """Gradients stay until the training loop clears them: they may be needed again, for a norm or a log."""

    def turn(self, p, group):
        super().turn(p, group)
        p.grad = None


@believes("A step needs no gradients, and so neither does the closure", about="SGD")
class SGDCallsTheClosureWithoutGradients(SGDParts):
    """The closure runs a forward and a backward pass. It needs gradients enabled; the update alone does not."""

    def evaluate(self, closure):
        return closure() if closure else None


@believes("Each group needs a call of the closure", about="SGD")
class CallsTheClosureForEachGroup(ClosureForEachGroup, SGDParts):
    """One call computes the gradients of all parameters. A second one would see some that have moved already."""


@believes("Whatever is switched on for the closure is switched off after it", about="SGD")
class LeavesGradientsEnabledByAnError(SGDParts):
    """An error in the closure skips the lines after the call, and a KeyboardInterrupt those after except Exception.

    A with block or finally sets the mode back even then.
    """

    def step(self, closure=None):
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(True)
        loss = None if closure is None else closure()
        torch.set_grad_enabled(before)
        super().step()
        return loss


def _settings(lr, momentum, dampening, weight_decay, nesterov):
    names = ("lr", "momentum", "dampening", "weight_decay", "nesterov")
    return dict(zip(names, (lr, momentum, dampening, weight_decay, nesterov), strict=True))


@believes("Nesterov may look ahead without momentum", about="SGD")
class AcceptsNesterovWithoutMomentum(SGDParts):
    """There is nothing to look ahead along: it is a slip, and refused with a ValueError."""

    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        if min(lr, momentum, weight_decay) < 0 or (nesterov and dampening != 0):
            raise ValueError("bad setting")
        Optimizer.__init__(self, params, _settings(lr, momentum, dampening, weight_decay, nesterov))


@believes("Nesterov and dampening go together", about="SGD")
class AcceptsNesterovWithDampening(SGDParts):
    """Nesterov's step is made for an undamped sum, and torch refuses the two together with a ValueError."""

    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        if min(lr, momentum, weight_decay) < 0 or (nesterov and momentum == 0):
            raise ValueError("bad setting")
        Optimizer.__init__(self, params, _settings(lr, momentum, dampening, weight_decay, nesterov))


@believes("Only a negative lr does harm", about="SGD")
class SGDRefusesANegativeLrAlone(SGDParts):
    """A negative momentum or weight_decay is refused as well, with a ValueError: check each of the three."""

    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        if lr < 0 or (nesterov and (momentum == 0 or dampening != 0)):
            raise ValueError("bad setting")
        Optimizer.__init__(self, params, _settings(lr, momentum, dampening, weight_decay, nesterov))


@believes("Settings are checked where they are used, in the groups", about="SGD")
class ChecksTheGroupsAlone(SGDParts):
    """What the constructor gets is refused even if no group uses it: check it before the groups are made."""

    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        Optimizer.__init__(self, params, _settings(lr, momentum, dampening, weight_decay, nesterov))
        for group in self.param_groups:
            if min(group["lr"], group["momentum"], group["weight_decay"]) < 0:
                raise ValueError("negative setting")
            if group["nesterov"] and (group["momentum"] == 0 or group["dampening"] != 0):
                raise ValueError("nesterov needs momentum and no dampening")


@believes("What is frozen when the optimizer is made is never trained", about="SGD")
class LeavesOutTheFrozen(SGDParts):
    """It may be trained later on, and a step uses any gradient that it finds."""

    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        super().__init__(params, lr, momentum, dampening, weight_decay, nesterov)
        for group in self.param_groups:
            group["params"] = [p for p in group["params"] if p.requires_grad]


@believes("A momentum of 1 or more is not allowed", about="SGD")
class RefusesAMomentumAbove1(SGDParts):
    """With 1 the buffer forgets nothing, with more it grows. That is seldom wise, but allowed."""

    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        if momentum > 1:
            raise ValueError(momentum)
        super().__init__(params, lr, momentum, dampening, weight_decay, nesterov)


@believes("A momentum of 1 or more is not allowed", about="SGD")
class RefusesAMomentumOf1(SGDParts):
    """With 1 the buffer forgets nothing, with more it grows. That is seldom wise, but allowed."""

    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        if momentum >= 1:
            raise ValueError(momentum)
        super().__init__(params, lr, momentum, dampening, weight_decay, nesterov)


@believes("Without gradients there is nothing to return", about="SGD")
class SGDForgetsTheLossWithoutGradients(NothingWithoutGradients, SGDParts):
    """No parameter moves then, but the closure has been called: return its result in any case."""


@believes("Whatever is switched on for the closure is switched off after it", about="SGD")
class SGDSetsTheModeBackAfterExceptions(EndedByExceptionsAlone, SGDParts):
    """An error in the closure skips the lines after the call, and a KeyboardInterrupt those after except Exception.

    A with block or finally sets the mode back even then.
    """


@believes("Settings are floats", about="SGD")
class SGDRefusesInts(SGDParts):
    """An lr of 1 is as good as one of 1.0: an int is a number, too."""

    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        if not all(isinstance(value, float) for value in (lr, momentum, dampening, weight_decay)):
            raise ValueError("not a float")
        super().__init__(params, lr, momentum, dampening, weight_decay, nesterov)
