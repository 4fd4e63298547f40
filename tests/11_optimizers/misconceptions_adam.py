"""Wrong answers that people give to kata 11 about Adam."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import torch
from torch.optim import Optimizer

from dojo.judging.diagnose import believes

from .parts import AdamParts, NothingWithoutGradients


@believes("The averages need no correction", about="Adam")
class AdamCorrectsNothing(AdamParts):
    """Both begin at 0, and after one gradient m is only (1 − β₁) · g. Corrected, the first step is about lr long."""

    def corrections(self, betas, t):
        return 1.0, 1.0


@believes("Only the average of the gradients is corrected", about="Adam")
class CorrectsTheFirstAlone(AdamParts):
    """Both begin at 0. With 0.999, the first v is a thousandth of g², and uncorrected the step is 32 lr long."""

    def corrections(self, betas, t):
        return super().corrections(betas, t)[0], 1.0


@believes("Only the average of the squares is corrected", about="Adam")
class CorrectsTheSecondAlone(AdamParts):
    """Both begin at 0. With 0.9, the first m is a tenth of g, and without its correction the first steps are short."""

    def corrections(self, betas, t):
        return 1.0, super().corrections(betas, t)[1]


@believes("The correction is the same in every step", about="Adam")
class CorrectsByOneMinusBeta(AdamParts):
    """1 − β is right after one gradient. After t of them the weights add up to 1 − βᵗ, which nears 1."""

    def corrections(self, betas, t):
        return super().corrections(betas, 1)


@believes("The first step needs no correction, and t counts from there", about="Adam")
class CountsFromZero(AdamParts):
    """The first step needs it most: t is 1 there, not 0."""

    def corrections(self, betas, t):
        return super().corrections(betas, t - 1) if t > 1 else (1.0, 1.0)


@believes("The first step is number 2", about="Adam")
class CountsFromTwo(AdamParts):
    """t is counted once in each step, before it is used: 1 in the first."""

    def corrections(self, betas, t):
        return super().corrections(betas, t + 1)


@believes("After a hundred steps there is nothing left to correct", about="Adam")
class AdamCorrectsAHundredSteps(AdamParts):
    """With β₂ = 0.999, the weights in v add up to 0.1 after 105 steps, and to a half after 693: it never stops."""

    def corrections(self, betas, t):
        return super().corrections(betas, t) if t <= 100 else (1.0, 1.0)


@believes("eps is added to the root before it is corrected", about="Adam")
class AdamAddsEpsBeforeTheCorrection(AdamParts):
    """The corrected v has its root taken, and then eps is added. Before, eps would grow with the correction."""

    def along(self, state, corrections, group):
        first, second = corrections
        return state["m"] / first / ((state["v"].sqrt() + group["eps"]) / second**0.5)


@believes("eps is inside the root", about="Adam")
class AdamPutsEpsInsideTheRoot(AdamParts):
    """The root is taken of v alone, and eps is added to it. Inside, 1e-8 is as much as 1e-4 outside."""

    def along(self, state, corrections, group):
        first, second = corrections
        return state["m"] / first / (state["v"] / second + group["eps"]).sqrt()


@believes("The root is taken first, and then corrected", about="Adam")
class TakesTheRootFirst(AdamParts):
    """The correction divides v, and the root is taken afterwards. Dividing √v by it would correct too much."""

    def along(self, state, corrections, group):
        first, second = corrections
        return state["m"] / first / (state["v"].sqrt() / second + group["eps"])


@believes("The average is divided by the average of squares", about="Adam")
class AdamTakesNoRoot(AdamParts):
    """The root of v is of the size of a gradient. Without the root, larger gradients would give shorter steps."""

    def along(self, state, corrections, group):
        first, second = corrections
        return state["m"] / first / (state["v"] / second + group["eps"])


@believes("The first beta is for the squares", about="Adam")
class SwapsTheBetas(AdamParts):
    """betas is (β₁, β₂): β₁ forgets gradients, and β₂, mostly nearer to 1, forgets squares."""

    def change(self, p, group):
        return super().change(p, {**group, "betas": group["betas"][::-1]})


@believes("v is the average of the gradients, squared", about="Adam")
class SquaresTheAverage(AdamParts):
    """The squares are averaged. The square of an average is small where gradients of both signs cancel."""

    def averaged(self, state, grad, betas):
        state["m"] = betas[0] * state["m"] + (1 - betas[0]) * grad
        state["v"] = betas[1] * state["v"] + (1 - betas[1]) * state["m"].square()


@believes("The new gradient is added whole, as in SGD's momentum", about="Adam")
class AddsTheWholeGradient(AdamParts):
    """m is an average: the new gradient counts 1 − β₁. The correction relies on that."""

    def averaged(self, state, grad, betas):
        super().averaged(state, grad, betas)
        state["m"] = state["m"] + betas[0] * grad


@believes("v never falls", about="Adam")
class KeepsTheLargestSquares(AdamParts):
    """AMSGrad keeps the largest v. In Adam, v falls again where the gradients do."""

    def averaged(self, state, grad, betas):
        before = state["v"]
        super().averaged(state, grad, betas)
        state["v"] = torch.maximum(before, state["v"])


@believes("The next step goes on from the corrected averages", about="Adam")
class FeedsTheCorrectedBack(AdamParts):
    """m and v go on uncorrected. The corrected values are used in one step, and not kept."""

    def along(self, state, corrections, group):
        state["m"], state["v"] = state["m"] / corrections[0], state["v"] / corrections[1]
        return super().along(state, (1.0, 1.0), group)


@believes("A step of the optimizer is a step of each parameter", about="Adam")
class AdamCountsStepsOfTheOptimizer(AdamParts):
    """Each parameter counts its own steps, and one without a gradient makes none."""

    def turn(self, p, group):
        if p.grad is None:
            self.counted(p, self.started(p, "mv"))
        super().turn(p, group)


@believes("There is one count of steps for all parameters", about="Adam")
class CountsAllParameters(AdamParts):
    """Each parameter counts its own steps. With one count, the second parameter would be at t = 2 in its first step."""

    def counted(self, p, state):
        group = self.param_groups[0]
        group["t"] = group.get("t", 0) + 1
        return group["t"]


@believes("A gradient of None is a gradient of 0", about="Adam")
class TakesNoneForZero(AdamParts):
    """No gradient, no step: averages, count and parameter stay what they are."""

    def turn(self, p, group):
        if p.grad is None and self.state[p]:
            p.grad = torch.zeros_like(p)
            super().turn(p, group)
            p.grad = None
        else:
            super().turn(p, group)


@believes("A gradient of 0 is no gradient", about="Adam")
class AdamSkipsAParameterOfZeros(AdamParts):
    """Only None means no gradient. Where the gradient is 0, the average of earlier ones still moves the parameter."""

    def turn(self, p, group):
        if p.grad is not None and p.grad.any():
            super().turn(p, group)


@believes("The decay acts on the parameter directly, apart from the gradient", about="Adam")
class AdamDecouplesTheDecay(AdamParts):
    """That is AdamW. In Adam the decay is part of the gradient, and is averaged and divided like all of it."""

    def gradient(self, p, group):
        return p.grad

    def turn(self, p, group):
        if p.grad is not None:
            p.mul_(1 - group["lr"] * group["weight_decay"])
        super().turn(p, group)


@believes("v averages the squares of the gradients without the decay", about="Adam")
class AdamSquaresTheBareGradient(AdamParts):
    """The decay is added first. After that there is one gradient, for both averages."""

    def change(self, p, group):
        state, betas = self.started(p, "mv"), group["betas"]
        t = self.counted(p, state)
        state["m"] = betas[0] * state["m"] + (1 - betas[0]) * self.gradient(p, group)
        state["v"] = betas[1] * state["v"] + (1 - betas[1]) * p.grad.square()
        return group["lr"] * self.along(state, self.corrections(betas, t), group)


@believes("The betas of the constructor hold for every group", about="Adam")
class IgnoresTheGroupsBetas(AdamParts):
    """A group may have betas of its own; the constructor's are for the groups that have none."""

    def change(self, p, group):
        return super().change(p, {**group, "betas": self.defaults["betas"]})


@believes("My own dict is as good as self.state", about="Adam")
class AdamKeepsTheAveragesToItself(AdamParts):
    """state_dict saves what is in self.state, and nothing else. A resumed run would begin its averages again."""

    def remembered(self, p):
        return vars(self).setdefault("mine", {}).setdefault(p, {})


@believes("Only tensors belong in self.state", about="Adam")
class AdamKeepsTheStepsToItself(AdamParts):
    """The number of steps is state too: a resumed run that counts from 0 would correct full averages again."""

    def counted(self, p, state):
        mine = vars(self).setdefault("steps", {})
        mine[p] = mine.get(p, 0) + 1
        return mine[p]


@believes("A new tensor takes the dtype of what is added to it", about="Adam")
class AdamAveragesInFloat32(AdamParts):
    """A new tensor is float32 unless you say otherwise, and adding in place does not change that."""

    def zeros(self, p):
        return torch.zeros(p.shape, device=p.device)

    def averaged(self, state, grad, betas):
        super().averaged(state, grad.float(), betas)


@believes("A step needs no gradients, and so neither does the closure", about="Adam")
class AdamCallsTheClosureWithoutGradients(AdamParts):
    """The closure runs a forward and a backward pass. It needs gradients enabled; the update alone does not."""

    def evaluate(self, closure):
        return closure() if closure else None


@believes("A step that moves nothing has nothing to restore", about="Adam")
class AdamReturnsEarly(AdamParts):
    """Whatever is disabled for a step has to be enabled again on every way out of it, as a with block does."""

    def step(self, closure=None):
        before = torch.is_grad_enabled()
        loss = self.evaluate(closure)
        torch.set_grad_enabled(False)
        moving = [(p, group) for group in self.param_groups for p in group["params"] if p.grad is not None]
        if not moving:
            return loss
        for p, group in moving:
            self.turn(p, group)
        torch.set_grad_enabled(before)
        return loss


@believes("A loss is a number to be shown, and needs no graph", about="Adam")
class DetachesTheLoss(AdamParts):
    """The closure's result is returned as it is. A caller who wants only a number can detach it."""

    def evaluate(self, closure):
        loss = super().evaluate(closure)
        return loss.detach() if isinstance(loss, torch.Tensor) else loss


def _settings(lr, betas, eps, weight_decay):
    return {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}


@believes("A beta of 1 is the slowest average", about="Adam")
class AcceptsABetaOf1(AdamParts):
    """With 1 nothing new ever counts, and the correction divides by 0. It is refused with a ValueError."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        if min(lr, eps, weight_decay, *betas) < 0 or max(betas) > 1:
            raise ValueError("bad setting")
        Optimizer.__init__(self, params, _settings(lr, betas, eps, weight_decay))


@believes("A beta of 0 is not allowed", about="Adam")
class RefusesABetaOf0(AdamParts):
    """With 0 nothing is remembered, and that is allowed."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        if 0 in betas:
            raise ValueError(betas)
        super().__init__(params, lr, betas, eps, weight_decay)


@believes("Only a negative lr does harm", about="Adam")
class AdamRefusesANegativeLrAlone(AdamParts):
    """A negative decay makes weights grow, a negative eps can make the divisor 0: each setting has to be checked."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        if lr < 0 or not all(0 <= beta < 1 for beta in betas):
            raise ValueError("bad setting")
        Optimizer.__init__(self, params, _settings(lr, betas, eps, weight_decay))


@believes("Without gradients there is nothing to return", about="Adam")
class AdamForgetsTheLossWithoutGradients(NothingWithoutGradients, AdamParts):
    """No parameter moves then, but the closure has been called: return its result in any case."""
