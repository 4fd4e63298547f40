"""Wrong answers that people give to kata 11 about RMSProp."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import torch
from torch.optim import Optimizer

from dojo.judging.diagnose import believes

from ..shared.optimizer_parts import EndedByExceptionsAlone
from .parts import NothingWithoutGradients, RMSPropParts


@believes("eps is inside the root", about="RMSProp")
class RMSPropPutsEpsInsideTheRoot(RMSPropParts):
    """The root is taken of the average alone, and eps is added to it. Inside, 1e-8 is as much as 1e-4 outside."""

    def divisor(self, state, group):
        return (state["v"] + group["eps"]).sqrt()


@believes("eps is a floor that the root may not fall below", about="RMSProp")
class TakesEpsForAFloor(RMSPropParts):
    """eps is added whatever the root is, so it shortens every step."""

    def divisor(self, state, group):
        return state["v"].sqrt().clamp(min=group["eps"])


@believes("The gradient is divided by the average of squares", about="RMSProp")
class RMSPropTakesNoRoot(RMSPropParts):
    """The root of v is of the size of a gradient. Without the root, larger gradients would give shorter steps."""

    def divisor(self, state, group):
        return state["v"] + group["eps"]


@believes("The average is corrected, as in Adam", about="RMSProp")
class CorrectsTheAverage(RMSPropParts):
    """RMSProp corrects nothing. Its first step is 1/√(1 − alpha) times as long as a corrected one."""

    def squared(self, state, grad, group):
        state["t"] = state.get("t", 0) + 1
        return super().squared(state, grad, group)

    def divisor(self, state, group):
        return (state["v"] / (1 - group["alpha"] ** state["t"])).sqrt() + group["eps"]


@believes("The squares are summed", about="RMSProp")
class SumsTheSquares(RMSPropParts):
    """That is AdaGrad, whose steps only get shorter. Here old squares are forgotten, by alpha in each step."""

    def squared(self, state, grad, group):
        return state["v"] + grad.square()


@believes("The new square is added whole", about="RMSProp")
class AddsTheWholeSquare(RMSPropParts):
    """In an average the new square counts 1 − alpha, and the old average counts alpha."""

    def squared(self, state, grad, group):
        return group["alpha"] * state["v"] + grad.square()


@believes("alpha is the weight of the new square", about="RMSProp")
class WeighsTheNewSquareByAlpha(RMSPropParts):
    """alpha is what stays of the old average: with 0.99 it forgets slowly."""

    def squared(self, state, grad, group):
        return (1 - group["alpha"]) * state["v"] + group["alpha"] * grad.square()


@believes("The average begins with the first square", about="RMSProp")
class BeginsWithTheFirstSquare(RMSPropParts):
    """It begins at 0, and the first square counts 1 − alpha of itself."""

    def squared(self, state, grad, group):
        begun = state.setdefault("begun", False)
        state["begun"] = True
        return super().squared(state, grad, group) if begun else grad.square()


@believes("A step is divided by the average from before it", about="RMSProp")
class LeavesOutTheNewSquare(RMSPropParts):
    """The new square is added first. Without it the first step would be divided by eps alone."""

    def along(self, state, grad, group):
        new = state["v"]
        state["v"] = state.get("before", torch.zeros_like(new))
        along = super().along(state, grad, group)
        state["before"] = state["v"] = new
        return along


@believes("Every element has the same divisor", about="RMSProp")
class AveragesOverTheParameter(RMSPropParts):
    """Each element has an average of its own: where its gradients are small, it is divided by little."""

    def divisor(self, state, group):
        return state["v"].mean().sqrt() + group["eps"]


@believes("The buffer holds steps, with their lr", about="RMSProp")
class RMSPropKeepsTheLrInsideTheBuffer(RMSPropParts):
    """The buffer holds quotients without the lr. Where the lr changes, it applies to the whole buffer."""

    def along(self, state, grad, group):
        state["b"] = group["momentum"] * state["b"] + group["lr"] * grad / self.divisor(state, group)
        return state["b"]

    def change(self, p, group):
        state, grad = self.started(p, "vb"), self.gradient(p, group)
        state["v"] = self.squared(state, grad, group)
        return self.along(state, grad, group)


@believes("Momentum remembers the gradients", about="RMSProp")
class PutsMomentumOnTheGradient(RMSPropParts):
    """Here the buffer adds up quotients: each gradient is divided once, by the root of v in its own step."""

    def along(self, state, grad, group):
        state["b"] = group["momentum"] * state["b"] + grad
        return state["b"] / self.divisor(state, group)


@believes("Momentum is an average of the steps", about="RMSProp")
class AveragesTheSteps(RMSPropParts):
    """torch's buffer is a sum: the new quotient is added whole."""

    def along(self, state, grad, group):
        new = (1 - group["momentum"]) * grad / self.divisor(state, group)
        state["b"] = group["momentum"] * state["b"] + new
        return state["b"]


@believes("RMSProp has no momentum", about="RMSProp")
class IgnoresTheMomentum(RMSPropParts):
    """With a momentum the step goes along a buffer: momentum of the old one, and the new quotient."""

    def along(self, state, grad, group):
        return grad / self.divisor(state, group)


@believes("The decay acts on the parameter directly, apart from the gradient", about="RMSProp")
class RMSPropDecouplesTheDecay(RMSPropParts):
    """Here the decay is added to the gradient, and divided with it. AdamW is what decays parameters directly."""

    def gradient(self, p, group):
        return p.grad

    def turn(self, p, group):
        if p.grad is not None:
            p.mul_(1 - group["lr"] * group["weight_decay"])
        super().turn(p, group)


@believes("The average holds the squares of the gradients without the decay", about="RMSProp")
class RMSPropSquaresTheBareGradient(RMSPropParts):
    """The decay is added first. After that there is one gradient, for the average and for the step."""

    def change(self, p, group):
        state = self.started(p, "vb")
        state["v"] = self.squared(state, p.grad, group)
        return group["lr"] * self.along(state, self.gradient(p, group), group)


@believes("An element whose gradient is 0 is left alone", about="RMSProp")
class SkipsZeroGradients(RMSPropParts):
    """Only a parameter whose gradient is None is left alone. Where it is 0, decay and buffer still act."""

    def change(self, p, group):
        return super().change(p, group) * (p.grad != 0)


@believes("A step of the optimizer is a step of each parameter", about="RMSProp")
class RMSPropForgetsWithoutAGradient(RMSPropParts):
    """Without a gradient a parameter takes no step, and its average stays what it is."""

    def turn(self, p, group):
        super().turn(p, group)
        if p.grad is None:
            state = self.started(p, "vb")
            state["v"] = group["alpha"] * state["v"]


@believes("A new tensor takes the dtype of what is added to it", about="RMSProp")
class RMSPropAveragesInFloat32(RMSPropParts):
    """A new tensor is float32 unless you say otherwise, and adding in place does not change that."""

    def zeros(self, p):
        return torch.zeros(p.shape, device=p.device)

    def squared(self, state, grad, group):
        return super().squared(state, grad, group).float()


@believes("A narrow parameter has to be widened before it is updated", about="RMSProp")
class WidensTheParameter(RMSPropParts):
    """Wide numbers may be used on the way, but a parameter keeps its dtype: the model was made for that one."""

    def write(self, p, change):
        p.data = p.data.to(torch.promote_types(p.dtype, torch.float32))  # no change for float32 and float64
        super().write(p, change)


@believes("All parameters of a group have one dtype", about="RMSProp")
class RMSPropTakesTheFirstDtype(RMSPropParts):
    """Each parameter has a dtype of its own, and so have its states: ask the parameter, not the first of its group."""

    def zeros(self, p):
        return torch.zeros(p.shape, dtype=self.param_groups[0]["params"][0].dtype, device=p.device)

    def gradient(self, p, group):
        return super().gradient(p, group).to(self.param_groups[0]["params"][0].dtype)


@believes("Nothing but the optimizer changes a parameter", about="RMSProp")
class RMSPropMovesACopy(RMSPropParts):
    """A program may load or clip weights between two steps. Each step starts from what is in the parameter."""

    def write(self, p, change):
        copy = self.remembered(p).setdefault("copy", p.detach().clone())
        p.copy_(copy.sub_(change))


@believes("flatten() gives a view", about="RMSProp")
class WritesIntoAFlatCopy(RMSPropParts):
    """It does for a contiguous tensor. Of any other one it makes a copy, and what is written there is lost."""

    def write(self, p, change):
        flat = p.flatten()
        flat -= change.flatten()


@believes("The settings of the constructor hold for every group", about="RMSProp")
class IgnoresTheGroupsSettings(RMSPropParts):
    """A group may have settings of its own; the constructor's are for those that it does not have."""

    def change(self, p, group):
        return super().change(p, {**self.defaults, "lr": group["lr"]})


@believes("My own dict is as good as self.state", about="RMSProp")
class RMSPropKeepsTheAveragesToItself(RMSPropParts):
    """state_dict saves what is in self.state, and nothing else. A resumed run would begin its averages again."""

    def remembered(self, p):
        return vars(self).setdefault("mine", {}).setdefault(p, {})


@believes("A step returns nothing", about="RMSProp")
class DropsTheLoss(RMSPropParts):
    """With a closure it returns what the closure returned: nobody else has that loss."""

    def step(self, closure=None):
        super().step(closure)


def _settings(lr, alpha, eps, weight_decay, momentum):
    return {"lr": lr, "alpha": alpha, "eps": eps, "weight_decay": weight_decay, "momentum": momentum}


@believes("eps has to be above 0", about="RMSProp")
class RMSPropRefusesAnEpsOf0(RMSPropParts):
    """0 is not negative, and no divisor is 0 where no gradient is. Only what is below 0 is refused."""

    def __init__(self, params, lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0):
        if eps == 0:
            raise ValueError(eps)
        super().__init__(params, lr, alpha, eps, weight_decay, momentum)


@believes("Settings lie between 0 and 1", about="RMSProp")
class RMSPropRefusesLargeSettings(RMSPropParts):
    """Only what is negative is refused. A large lr or momentum is seldom wise, but allowed."""

    def __init__(self, params, lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0):
        if max(lr, eps, weight_decay, momentum) > 1:
            raise ValueError("setting above 1")
        super().__init__(params, lr, alpha, eps, weight_decay, momentum)


@believes("Only a negative lr does harm", about="RMSProp")
class RMSPropRefusesANegativeLrAlone(RMSPropParts):
    """A negative alpha can make v negative, a negative eps the divisor 0: each setting has to be checked."""

    def __init__(self, params, lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0):
        if lr < 0:
            raise ValueError(lr)
        Optimizer.__init__(self, params, _settings(lr, alpha, eps, weight_decay, momentum))


@believes("Without gradients there is nothing to return", about="RMSProp")
class RMSPropForgetsTheLossWithoutGradients(NothingWithoutGradients, RMSPropParts):
    """No parameter moves then, but the closure has been called: return its result in any case."""


@believes("Every error is an Exception", about="RMSProp")
class RMSPropSetsTheModeBackAfterExceptions(EndedByExceptionsAlone, RMSPropParts):
    """A KeyboardInterrupt is none. A with block or finally sets the mode back after it, too."""
