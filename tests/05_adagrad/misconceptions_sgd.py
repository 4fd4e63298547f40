"""Wrong answers that people give to kata 05 about SGD."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import torch
from torch.nn.functional import normalize
from torch.optim import Optimizer

from dojo.judging.diagnose import believes, solution

from ..shared.optimizer_parts import Parts

solved = solution("05_adagrad")


class SGDParts(Parts, solved.SGD):
    """SGD in parts."""

    def change(self, p, group):
        """What to take off the parameter."""
        return group["lr"] * p.grad


class FirstGroup:
    """An optimizer in parts whose step turns to the first group alone."""

    @torch.no_grad()
    def step(self, closure=None):
        loss = self.evaluate(closure)
        for p in self.param_groups[0]["params"]:
            self.turn(p, self.param_groups[0])
        return loss


@believes("The gradient points downhill", about="SGD")
class WalksAlongTheGradient(SGDParts):
    """The gradient points to where the loss grows fastest, so a step goes against it."""

    def change(self, p, group):
        return -group["lr"] * p.grad


@believes("lr is the length of a step", about="SGD")
class TakesStepsOfEqualLength(SGDParts):
    """A step is lr times the gradient as it is: where the loss is steep, the step is long."""

    def change(self, p, group):
        return group["lr"] * normalize(p.grad.flatten(), dim=0).view(p.shape)


@believes("The lr of the constructor holds for every group", about="SGD")
class IgnoresTheGroupsLr(SGDParts):
    """A group may have a lr of its own; the constructor's is for the groups that have none."""

    def change(self, p, group):
        return self.defaults["lr"] * p.grad


@believes("An optimizer has one group of parameters", about="SGD")
class StepsOneGroup(FirstGroup, SGDParts):
    """self.param_groups is a list: a step moves the parameters of each group in it, by the settings of that group."""


@believes("lr is no state of the optimizer, so it need not be saved", about="SGD")
class KeepsTheLrToItself(SGDParts):
    """state_dict saves the groups with their settings. What is kept elsewhere is not there after loading."""

    def __init__(self, params, lr=0.01):
        if lr < 0:
            raise ValueError(lr)
        Optimizer.__init__(self, params, {})
        self.lr = lr

    def change(self, p, group):
        return group.get("lr", self.lr) * p.grad


@believes("A parameter is updated by giving it new data", about="SGD")
class ReplacesTheData(SGDParts):
    """In place means that the numbers change where they are: whatever shares that memory sees the step."""

    def write(self, p, change):
        p.data = p.data - change


@believes("A step uses the gradients up", about="SGD")
class ClearsGradients(SGDParts):
    """Gradients stay until whoever runs the training clears them: they may be needed again, for a norm or a log."""

    def turn(self, p, group):
        super().turn(p, group)
        p.grad = None


@believes("Every parameter has a gradient", about="SGD")
class DemandsAGradient(SGDParts):
    """The gradient of a parameter that took no part in the loss is None, and such a parameter is left alone."""

    def turn(self, p, group):
        self.write(p, self.change(p, group))


@believes("Every tensor can be seen as a numpy array", about="SGD")
class UpdatesThroughNumpy(SGDParts):
    """numpy has no bfloat16, and torch refuses to hand such a tensor to it."""

    def write(self, p, change):
        values = p.numpy()
        values -= change.numpy()


@believes("A step needs no gradients, and so neither does the closure", about="SGD")
class CallsTheClosureWithoutGradients(SGDParts):
    """The closure runs a forward and a backward pass. It needs gradients enabled; the update alone does not."""

    def evaluate(self, closure):
        return closure() if closure else None


@believes("A step returns the loss that it led to", about="SGD")
class ReturnsTheLossAfterTheStep(SGDParts):
    """The closure is called once, before the step, and that loss is returned. Another call costs another pass."""

    def step(self, closure=None):
        super().step(closure)
        return self.evaluate(closure)


@believes("Once gradients are disabled for the step, they may stay so", about="SGD")
class LeavesGradientsDisabled(SGDParts):
    """The forward pass that follows needs them: a step has to leave the mode as it found it."""

    def step(self, closure=None):
        loss = super().step(closure)
        torch.set_grad_enabled(False)
        return loss


@believes("Outside of a step gradients are enabled", about="SGD")
class SwitchesGradientsOn(SGDParts):
    """The caller may have disabled gradients, and has to find them as they were before the step."""

    def step(self, closure=None):
        loss = super().step(closure)
        torch.set_grad_enabled(True)
        return loss


@believes("Whatever is switched on for the closure is switched off after it", about="SGD")
class LeavesGradientsEnabledByAnError(SGDParts):
    """An error in the closure skips the lines after the call. A with block or finally sets the mode back even then."""

    def step(self, closure=None):
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(True)
        loss = None if closure is None else closure()
        torch.set_grad_enabled(before)
        super().step()
        return loss


@believes("The optimizer clears the gradients for the closure", about="SGD")
class ClearsBeforeTheClosure(SGDParts):
    """The closure clears them itself, or adds to them on purpose: that is not the optimizer's to decide."""

    def step(self, closure=None):
        if closure is not None:
            self.zero_grad()
        return super().step(closure)


@believes("A parameter that requires no gradient has none", about="SGD")
class SkipsWhatRequiresNoGradient(SGDParts):
    """A gradient that was computed before stays there, and a step uses whatever gradient there is."""

    def turn(self, p, group):
        if p.requires_grad:
            super().turn(p, group)


@believes("A negative lr is the user's own affair", about="SGD")
class AcceptsANegativeLr(SGDParts):
    """With a negative lr every step climbs, and nobody wants that: it is a slip, and refused with a ValueError."""

    def __init__(self, params, lr=0.01):
        Optimizer.__init__(self, params, {"lr": lr})
