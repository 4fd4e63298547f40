"""Wrong answers that people give to kata 11 about AdamW."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import torch
from torch.optim import Optimizer

from dojo.judging.diagnose import believes

from .parts import AdamWParts, NothingWithoutGradients


@believes("The decay is part of the gradient", about="AdamW")
class DecaysInTheGradient(AdamWParts):
    """That is Adam, where the decay is divided by the root of v: parameters with large gradients decay less."""

    def gradient(self, p, group):
        return p.grad + group["weight_decay"] * p

    def decay(self, p, group):
        pass


@believes("The decay goes into the gradient as well as into the parameter", about="AdamW")
class DecaysTwice(AdamWParts):
    """It is applied to the parameter alone: nothing of it is averaged or divided."""

    def gradient(self, p, group):
        return p.grad + group["weight_decay"] * p


@believes("The decay comes after the step", about="AdamW")
class DecaysAfterTheStep(AdamWParts):
    """It comes first: the parameter from before the step shrinks, and the step itself does not."""

    def turn(self, p, group):
        if p.grad is not None:
            self.write(p, self.change(p, group))
            p.mul_(1 - group["lr"] * group["weight_decay"])


@believes("weight_decay is the share that is taken in each step", about="AdamW")
class AdamWDecaysWithoutTheLr(AdamWParts):
    """The share is lr times weight_decay: a schedule that lowers the lr lowers the decay with it."""

    def decay(self, p, group):
        p.mul_(1 - group["weight_decay"])


@believes("The decay keeps the lr of the constructor", about="AdamW")
class DecaysByTheFirstLr(AdamWParts):
    """The decay uses the lr of the group, like the step: a changed lr counts from the next step on."""

    def decay(self, p, group):
        p.mul_(1 - self.defaults["lr"] * group["weight_decay"])


@believes("The decay is added to the average, before the division", about="AdamW")
class DividesTheDecay(AdamWParts):
    """Nothing of the decay is divided: every parameter loses the same share, whatever its gradients were."""

    def decay(self, p, group):
        pass

    def change(self, p, group):
        change = super().change(p, group)
        second = self.corrections(group["betas"], self.state[p]["t"])[1]
        root = (self.state[p]["v"] / second).sqrt() + group["eps"]
        return change + group["lr"] * group["weight_decay"] * p / root


@believes("A parameter without a gradient decays all the same", about="AdamW")
class AdamWDecaysWithoutAGradient(AdamWParts):
    """No gradient, no step, no decay: the parameter took no part in the loss."""

    def turn(self, p, group):
        self.decay(p, group)
        if p.grad is not None:
            self.write(p, self.change(p, group))


@believes("A gradient of 0 is no gradient", about="AdamW")
class AdamWSkipsAParameterOfZeros(AdamWParts):
    """Only None means no gradient. Where it is 0, the parameter decays, and the average of earlier ones moves it."""

    def turn(self, p, group):
        if p.grad is not None and p.grad.any():
            super().turn(p, group)


@believes("Only matrices decay", about="AdamW")
class DecaysMatricesAlone(AdamWParts):
    """The optimizer decays all of a group. Vectors are spared by putting them into a group with a weight_decay of 0."""

    def decay(self, p, group):
        if p.ndim > 1:
            super().decay(p, group)


@believes("AdamW does not decay by default", about="AdamW")
class TakesAdamsDefault(AdamWParts):
    """Its weight_decay is 0.01 where none is given, and not Adam's 0."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        super().__init__(params, lr, betas, eps, weight_decay)


@believes("The decay is halved, as in L2 regularization", about="AdamW")
class TakesHalfTheDecay(AdamWParts):
    """The half belongs to the penalty weight_decay / 2 · p², whose gradient is weight_decay · p. The decay is whole."""

    def decay(self, p, group):
        p.mul_(1 - group["lr"] * group["weight_decay"] / 2)


@believes("The averages need no correction", about="AdamW")
class AdamWCorrectsNothing(AdamWParts):
    """Only the decay differs from Adam; both averages are corrected as there."""

    def corrections(self, betas, t):
        return 1.0, 1.0


@believes("eps is added to the root before it is corrected", about="AdamW")
class AdamWAddsEpsBeforeTheCorrection(AdamWParts):
    """The corrected v has its root taken, and then eps is added. Before, eps would grow with the correction."""

    def along(self, state, corrections, group):
        first, second = corrections
        return state["m"] / first / ((state["v"].sqrt() + group["eps"]) / second**0.5)


@believes("eps is inside the root", about="AdamW")
class AdamWPutsEpsInsideTheRoot(AdamWParts):
    """The root is taken of v alone, and eps is added to it. Inside, 1e-8 is as much as 1e-4 outside."""

    def along(self, state, corrections, group):
        first, second = corrections
        return state["m"] / first / (state["v"] / second + group["eps"]).sqrt()


@believes("A step of the optimizer is a step of each parameter", about="AdamW")
class AdamWCountsStepsOfTheOptimizer(AdamWParts):
    """Each parameter counts its own steps, and one without a gradient makes none."""

    def turn(self, p, group):
        if p.grad is None:
            self.counted(p, self.started(p, "mv"))
        super().turn(p, group)


@believes("Only tensors belong in self.state", about="AdamW")
class AdamWKeepsTheStepsToItself(AdamWParts):
    """The number of steps is state too: a resumed run that counts from 0 would correct full averages again."""

    def counted(self, p, state):
        mine = vars(self).setdefault("steps", {})
        mine[p] = mine.get(p, 0) + 1
        return mine[p]


@believes("The decay of the constructor holds for every group", about="AdamW")
class IgnoresTheGroupsDecay(AdamWParts):
    """A group may have a decay of its own, mostly 0 for vectors; the constructor's is for those that have none."""

    def decay(self, p, group):
        super().decay(p, {**group, "weight_decay": self.defaults["weight_decay"]})


@believes("A parameter is updated by giving it new data", about="AdamW")
class AdamWReplacesTheData(AdamWParts):
    """In place means that the numbers change where they are: whatever shares that memory sees the step."""

    def decay(self, p, group):
        p.data = p.data * (1 - group["lr"] * group["weight_decay"])

    def write(self, p, change):
        p.data = p.data - change


@believes("A parameter that requires no gradient has none", about="AdamW")
class SkipsWhatRequiresNoGradient(AdamWParts):
    """A gradient that was computed before stays there, and a step uses whatever gradient there is."""

    def turn(self, p, group):
        if p.requires_grad:
            super().turn(p, group)


@believes("Outside of a step gradients are enabled", about="AdamW")
class SwitchesGradientsOn(AdamWParts):
    """The caller may have disabled gradients, and has to find them as they were before the step."""

    def step(self, closure=None):
        loss = super().step(closure)
        torch.set_grad_enabled(True)
        return loss


@believes("A step returns the loss that it led to", about="AdamW")
class ReturnsTheLossAfterTheStep(AdamWParts):
    """The closure is called once, before the step, and that loss is returned. Another call costs another pass."""

    def step(self, closure=None):
        super().step(closure)
        return self.evaluate(closure)


@believes("A beta may be anything", about="AdamW")
class LooksAtNoBeta(AdamWParts):
    """With 1 the correction divides by 0, beyond it averages grow: a beta is at least 0 and below 1."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if min(lr, eps, weight_decay) < 0:
            raise ValueError("bad setting")
        settings = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay}
        Optimizer.__init__(self, params, settings)


@believes("A negative weight_decay counts as none", about="AdamW")
class AcceptsANegativeDecay(AdamWParts):
    """It makes parameters grow in each step, which nobody wants: it is refused with a ValueError."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        super().__init__(params, lr, betas, eps, abs(weight_decay))


@believes("eps has to be above 0", about="AdamW")
class AdamWRefusesAnEpsOf0(AdamWParts):
    """0 is not negative, and no divisor is 0 where no gradient is. Only what is below 0 is refused."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        if eps == 0:
            raise ValueError(eps)
        super().__init__(params, lr, betas, eps, weight_decay)


@believes("Without gradients there is nothing to return", about="AdamW")
class AdamWForgetsTheLossWithoutGradients(NothingWithoutGradients, AdamWParts):
    """No parameter moves then, but the closure has been called: return its result in any case."""
