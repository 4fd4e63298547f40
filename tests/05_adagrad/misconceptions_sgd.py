"""Wrong answers that people give to kata 05 about SGD."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import torch
from torch.nn.functional import normalize
from torch.optim import Optimizer

from dojo.judging.diagnose import believes, solution

from ..shared.optimizer_parts import ClosureForEachGroup, EndedByExceptionsAlone, Parts, WiderCopy

solved = solution("05_adagrad")


class SGDParts(Parts, solved.SGD):
    """SGD in parts."""

    def change(self, p, group):
        """Return what to subtract from the parameter."""
        return group["lr"] * p.grad


class FirstGroup:
    """An optimizer in parts whose step updates only the first group."""

    @torch.no_grad()
    def step(self, closure=None):
        loss = self.evaluate(closure)
        for p in self.param_groups[0]["params"]:
            self.turn(p, self.param_groups[0])
        return loss


class FloatsAlone:
    """An optimizer that refuses whatever setting is no float."""

    def __init__(self, params, *settings, **named):
        if not all(isinstance(value, float) for value in (*settings, *named.values())):
            raise ValueError(settings, named)
        super().__init__(params, *settings, **named)


@believes("The gradient points downhill", about="SGD")
class WalksAlongTheGradient(SGDParts):
    """The gradient points to where the loss grows fastest, so a step goes the opposite way."""

    def change(self, p, group):
        return -group["lr"] * p.grad


@believes("lr is the length of a step", about="SGD")
class TakesStepsOfEqualLength(SGDParts):
    """A step is lr times the gradient as it is: if the loss is steep, the step is long."""

    def change(self, p, group):
        return group["lr"] * normalize(p.grad.flatten(), dim=0).view(p.shape)


@believes("The constructor's lr applies to every group", about="SGD")
class IgnoresTheGroupsLr(SGDParts):
    """A group may have its own lr. The constructor's applies only to groups that have none."""

    def change(self, p, group):
        return self.defaults["lr"] * p.grad


@believes("An optimizer has one group of parameters", about="SGD")
class StepsOneGroup(FirstGroup, SGDParts):
    """self.param_groups is a list: a step updates the parameters of every group, with the settings of that group."""


@believes("lr is not part of the optimizer's state, so it need not be saved", about="SGD")
class KeepsTheLrToItself(SGDParts):
    """state_dict saves the groups with their settings. What you keep elsewhere is missing after loading."""

    def __init__(self, params, lr=0.01):
        if lr < 0:
            raise ValueError(lr)
        Optimizer.__init__(self, params, {})
        self.lr = lr

    def change(self, p, group):
        return group.get("lr", self.lr) * p.grad


@believes("A parameter is updated by giving it new data", about="SGD")
class ReplacesTheData(SGDParts):
    """In place means that the values change where they are: everything that shares that memory sees the step."""

    def write(self, p, change):
        p.data = p.data - change


@believes("Steps that are too small for the dtype have to add up", about="SGD")
class KeepsAWiderCopy(WiderCopy, SGDParts):
    """Each step starts from the parameter as it was rounded. A wider copy makes other steps, and takes memory."""


@believes("A parameter's version counts all that is written to it", about="SGD")
class TrustsTheVersion(SGDParts):
    """Nothing counts what is written through p.data. Keep no copy of a parameter: read its values in each step."""

    def write(self, p, change):
        copies = vars(self).setdefault("copies", {})
        copy, version = copies.get(p, (None, None))
        copy = (copy if version == p._version else p.clone()) - change
        p.copy_(copy)
        copies[p] = copy, p._version


@believes("The groups stay the same dicts as long as the optimizer exists", about="SGD")
class RemembersTheGroups(SGDParts):
    """load_state_dict puts new dicts into self.param_groups, with the loaded lr: look there in every step."""

    def __init__(self, params, lr=0.01):
        super().__init__(params, lr)
        self.groups = self.param_groups

    def turn(self, p, group):
        super().turn(p, next(old for old in self.groups if any(p is one for one in old["params"])))


@believes("A step uses the gradients up", about="SGD")
class ClearsGradients(SGDParts):
    """Gradients stay until the caller clears them: they may be needed again, for a norm or a log."""

    def turn(self, p, group):
        super().turn(p, group)
        p.grad = None


class SkipsNan:
    """An optimizer in parts whose step leaves a parameter alone whose gradient has a nan."""

    def turn(self, p, group):
        if p.grad is None or not p.grad.isnan().any():
            super().turn(p, group)


@believes("A step with a gradient of nan is skipped", about="SGD")
class SkipsStepsOfNan(SkipsNan, SGDParts):
    """A nan says that something went wrong before the step. Hidden here, it would go on unseen: it has to spread."""


@believes("How the groups call a setting is the optimizer's own affair", about="SGD")
class CallsTheLrOtherwise(SGDParts):
    """Schedules read and change group["lr"]: pass the settings to Optimizer under the names of the constructor."""

    def __init__(self, params, lr=0.01):
        if lr < 0:
            raise ValueError(lr)
        Optimizer.__init__(self, params, {"learning_rate": lr})

    def change(self, p, group):
        return group.get("lr", group["learning_rate"]) * p.grad


@believes("Whatever a closure raises is an Exception", about="SGD")
class RestoresTheModeAfterExceptions(EndedByExceptionsAlone, SGDParts):
    """A KeyboardInterrupt is none, and someone may catch it and go on: a with block or finally restores the mode."""


@believes("Every parameter has a gradient", about="SGD")
class DemandsAGradient(SGDParts):
    """The gradient of a parameter that took no part in the loss is None, and such a parameter is left alone."""

    def turn(self, p, group):
        self.write(p, self.change(p, group))


@believes("Every tensor can be seen as a numpy array", about="SGD")
class UpdatesThroughNumpy(SGDParts):
    """numpy has no bfloat16, and torch refuses to convert such a tensor."""

    def write(self, p, change):
        values = p.numpy()
        values -= change.numpy()


@believes("A step needs no gradients, and so neither does the closure", about="SGD")
class CallsTheClosureWithoutGradients(SGDParts):
    """The closure runs a forward and a backward pass. It needs gradients enabled; the update alone does not."""

    def evaluate(self, closure):
        return closure() if closure else None


@believes("Each group needs a call of the closure", about="SGD")
class CallsTheClosureForEachGroup(ClosureForEachGroup, SGDParts):
    """One call computes the gradients of all parameters. A second one would see some that have moved already."""


@believes("A step returns the loss that it led to", about="SGD")
class ReturnsTheLossAfterTheStep(SGDParts):
    """The closure is called once, before the step, and that loss is returned. Another call costs another pass."""

    def step(self, closure=None):
        super().step(closure)
        return self.evaluate(closure)


@believes("Once gradients are disabled for the step, they may stay disabled", about="SGD")
class LeavesGradientsDisabled(SGDParts):
    """The next forward pass needs them: a step has to leave the mode as it found it."""

    def step(self, closure=None):
        loss = super().step(closure)
        torch.set_grad_enabled(False)
        return loss


@believes("Outside of a step gradients are enabled", about="SGD")
class SwitchesGradientsOn(SGDParts):
    """The caller may have disabled gradients: a step has to leave the mode as it found it."""

    def step(self, closure=None):
        loss = super().step(closure)
        torch.set_grad_enabled(True)
        return loss


@believes("Whatever is switched on for the closure is switched off after it", about="SGD")
class LeavesGradientsEnabledByAnError(SGDParts):
    """An error in the closure skips the lines after the call. A with block or finally restores the mode even then."""

    def step(self, closure=None):
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(True)
        loss = None if closure is None else closure()
        torch.set_grad_enabled(before)
        super().step()
        return loss


@believes("The optimizer clears the gradients for the closure", about="SGD")
class ClearsBeforeTheClosure(SGDParts):
    """The closure clears them itself, or adds to them on purpose: the optimizer does not decide that."""

    def step(self, closure=None):
        if closure is not None:
            self.zero_grad()
        return super().step(closure)


@believes("A parameter that requires no gradient has none", about="SGD")
class SkipsWhatRequiresNoGradient(SGDParts):
    """A gradient that was computed before is still there, and a step uses any gradient that it finds."""

    def turn(self, p, group):
        if p.requires_grad:
            super().turn(p, group)


@believes("A number is a float", about="SGD")
class RefusesAnInt(FloatsAlone, SGDParts):
    """1 is an int, as good an lr as 1.0: ask whether it is negative, not what type it has."""


@believes("A negative lr is the user's own business", about="SGD")
class AcceptsANegativeLr(SGDParts):
    """With a negative lr, every step climbs, and nobody wants that. It is a mistake: raise ValueError."""

    def __init__(self, params, lr=0.01):
        Optimizer.__init__(self, params, {"lr": lr})
