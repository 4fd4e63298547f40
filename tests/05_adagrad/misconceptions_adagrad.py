"""Wrong answers that people give to kata 05 about AdaGrad."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method is for is said once, where the right parts are; a wrong answer only replaces one

import numpy as np
import torch
from torch.optim import Optimizer

from dojo.judging.diagnose import believes, solution

from ..shared.optimizer_parts import Parts, WiderCopy
from .misconceptions_sgd import FirstGroup, FloatsAlone, SkipsNan

solved = solution("05_adagrad")


class AdaGradParts(Parts, solved.AdaGrad):
    """AdaGrad in parts."""

    def gradient(self, p, group):
        """Return the gradient with the weight decay."""
        return p.grad + group["weight_decay"] * p

    def start(self, p, group):
        """Return the sum before the first step."""
        return torch.full_like(p, group["initial_accumulator_value"])

    def remembered(self, p, group):
        """Return the dict that keeps the sum and the steps of a parameter."""
        state = self.state[p]
        if not state:
            state["steps"] = 0
            state["sum"] = self.start(p, group)
        return state

    def square(self, grad, p):
        """Return what the sum grows by."""
        return grad.square()

    def rate(self, group, steps):
        """Return the learning rate after so many steps."""
        return group["lr"] / (1 + steps * group["lr_decay"])

    def divisor(self, state, group):
        """Return what the gradient is divided by."""
        return state["sum"].sqrt() + group["eps"]

    def change(self, p, group):
        """Return what to subtract from the parameter."""
        state = self.remembered(p, group)
        rate = self.rate(group, state["steps"])
        grad = self.gradient(p, group)
        state["steps"] += 1
        state["sum"] = state["sum"] + self.square(grad, p)
        return rate * grad / self.divisor(state, group)


# AdaGrad


@believes("A step with a gradient of nan is skipped", about="AdaGrad")
class SkipsAdaGradStepsOfNan(SkipsNan, AdaGradParts):
    """A nan says that something went wrong before the step. Hidden here, it would go on unseen: it has to spread."""


@believes("eps is inside the root", about="AdaGrad")
class PutsEpsInsideTheRoot(AdaGradParts):
    """Take the root of the sum alone, and add eps to it. Inside the root, 1e-10 can add as much as 1e-5."""

    def divisor(self, state, group):
        return (state["sum"] + group["eps"]).sqrt()


@believes("eps is a floor that the root may not fall below", about="AdaGrad")
class TakesEpsForAFloor(AdaGradParts):
    """eps is added whatever the root is, so it shortens every step."""

    def divisor(self, state, group):
        return state["sum"].sqrt().clamp(min=group["eps"])


@believes("The gradient is divided by the sum of squares", about="AdaGrad")
class TakesNoRoot(AdaGradParts):
    """The root of the sum has the scale of a gradient. Without the root, larger gradients would give shorter steps."""

    def divisor(self, state, group):
        return state["sum"] + group["eps"]


@believes("A step is divided by the sum from before it", about="AdaGrad")
class LeavesOutTheNewSquare(AdaGradParts):
    """The square of the new gradient is added first. Without it the first step would be divided by eps alone."""

    def change(self, p, group):
        before = self.remembered(p, group)["sum"].clone()
        change = super().change(p, group)
        return change * self.divisor(self.state[p], group) / self.divisor({"sum": before}, group)


@believes("The squares are averaged", about="AdaGrad")
class AveragesTheSquares(AdaGradParts):
    """The squares are summed and never forgotten, so the steps get shorter. Averaging them gives RMSProp."""

    def divisor(self, state, group):
        return (state["sum"] / state["steps"]).sqrt() + group["eps"]


@believes("A parameter has one learning rate for all its elements", about="AdaGrad")
class SumsOverTheParameter(AdaGradParts):
    """Each element has its own sum: if its gradients are small, it keeps a large rate, whatever the others do."""

    def square(self, grad, p):
        return grad.square().sum()


@believes("Weight decay acts on the parameter directly, apart from the gradient", about="AdaGrad")
class DecouplesTheWeightDecay(AdaGradParts):
    """Here weight decay is added to the gradient, and divided along with it. AdamW decays parameters directly."""

    def gradient(self, p, group):
        return p.grad

    def change(self, p, group):
        change = super().change(p, group)
        return change + self.rate(group, self.state[p]["steps"] - 1) * group["weight_decay"] * p


@believes("The sum holds the squares of the gradients without the weight decay", about="AdaGrad")
class SumsTheBareGradient(AdaGradParts):
    """The weight decay is added first. After that, the sum and the step use the same gradient."""

    def square(self, grad, p):
        return p.grad.square()


@believes("Weight decay is added to p.grad itself", about="AdaGrad")
class WritesIntoTheGradient(AdaGradParts):
    """Gradients stay as they are. If the decay were written into p.grad, a second step would add it again."""

    def gradient(self, p, group):
        return p.grad.add_(p, alpha=group["weight_decay"])


@believes("An element whose gradient is 0 is left alone", about="AdaGrad")
class SkipsZeroGradients(AdaGradParts):
    """Only a parameter whose gradient is None is left alone. If the gradient is 0, weight decay still acts."""

    def gradient(self, p, group):
        return super().gradient(p, group) * (p.grad != 0)


@believes("The learning rate decays from the first step", about="AdaGrad")
class DecaysTheFirstStep(AdaGradParts):
    """The factor is t − 1, so the first step uses the full lr."""

    def rate(self, group, steps):
        return super().rate(group, steps + 1)


@believes("Each step multiplies the learning rate by the same factor", about="AdaGrad")
class DecaysExponentially(AdaGradParts):
    """The rate is divided by 1 plus a number that grows with t. It falls like 1/t, not by the same factor each time."""

    def rate(self, group, steps):
        return group["lr"] / (1 + group["lr_decay"]) ** steps


@believes("A step of the optimizer is a step of each parameter", about="AdaGrad")
class CountsStepsWithoutAGradient(AdaGradParts):
    """Each parameter counts its own steps, and one without a gradient takes none."""

    def turn(self, p, group):
        if p.grad is None:
            self.remembered(p, group)["steps"] += 1
        super().turn(p, group)


@believes("Every sum starts at 0", about="AdaGrad")
class StartsFromZero(AdaGradParts):
    """It starts at initial_accumulator_value: a large value keeps the first steps short."""

    def start(self, p, group):
        return torch.zeros_like(p)


@believes("The settings of the constructor hold for every group", about="AdaGrad")
class IgnoresTheGroupsSettings(AdaGradParts):
    """A group may have its own settings. The constructor's apply only to those that it does not have."""

    def change(self, p, group):
        return super().change(p, self.defaults)


@believes("An optimizer has one group of parameters", about="AdaGrad")
class StepsTheFirstGroup(FirstGroup, AdaGradParts):
    """self.param_groups is a list: a step updates the parameters of every group, with the settings of that group."""


@believes("initial_accumulator_value need not be saved", about="AdaGrad")
class KeepsTheInitialValueToItself(AdaGradParts):
    """A parameter without a gradient so far starts its sum later, perhaps after loading. Its group holds the value."""

    def start(self, p, group):
        return torch.full_like(p, self.defaults["initial_accumulator_value"])


@believes("My own dict is as good as self.state", about="AdaGrad")
class KeepsTheSumsToItself(AdaGradParts):
    """state_dict saves what is in self.state, but not a dict of your own. A resumed run would start its sums again."""

    def remembered(self, p, group):
        mine = vars(self).setdefault("sums", {})
        return mine.setdefault(p, {"steps": 0, "sum": self.start(p, group)})


@believes("Only tensors belong in self.state", about="AdaGrad")
class KeepsTheStepsToItself(AdaGradParts):
    """The number of steps is state too: with lr_decay, a resumed run that counts from 0 takes longer steps."""

    def change(self, p, group):
        steps = vars(self).setdefault("steps", {})
        self.remembered(p, group)["steps"] = steps.get(p, 0)
        change = super().change(p, group)
        steps[p] = self.state[p]["steps"]
        return change


@believes("A new tensor takes the dtype of what is added to it", about="AdaGrad")
class SumsInFloat32(AdaGradParts):
    """A new tensor is float32 unless you pass another dtype, and adding in place does not change that."""

    def start(self, p, group):
        return torch.full(p.shape, group["initial_accumulator_value"], dtype=torch.float32, device=p.device)

    def square(self, grad, p):
        return grad.square().float()


@believes("A count that is a tensor is loaded as it was saved", about="AdaGrad")
class LoadsTheCountAsTheParameter(AdaGradParts):
    """load_state_dict casts tensors to their parameter's dtype, and in bfloat16 256 + 1 is 256: count in an int."""

    def remembered(self, p, group):
        state = super().remembered(p, group)
        state["steps"] = torch.as_tensor(state["steps"])
        return state

    def rate(self, group, steps):
        return super().rate(group, steps.item())


@believes("torch.load reads whatever torch.save has written", about="AdaGrad")
class CountsInNumpy(AdaGradParts):
    """With weights_only=True it reads tensors and Python's own numbers, but none of numpy's: count in an int."""

    def remembered(self, p, group):
        state = super().remembered(p, group)
        state["steps"] = np.int64(state["steps"])
        return state

    def rate(self, group, steps):
        return super().rate(group, int(steps))


@believes("Steps that are too small for the dtype have to add up", about="AdaGrad")
class MovesAWiderCopy(WiderCopy, AdaGradParts):
    """Each step starts from the parameter as it was rounded. A wider copy makes other steps, and takes memory."""


@believes("A narrow parameter has to be widened before it is updated", about="AdaGrad")
class WidensTheParameter(AdaGradParts):
    """Intermediate results may be wider, but a parameter keeps its dtype: the model was made for that dtype."""

    def write(self, p, change):
        p.data = p.data.to(torch.promote_types(p.dtype, torch.float32))  # no change for float32 and float64
        super().write(p, change)


@believes("Nothing but the optimizer changes a parameter", about="AdaGrad")
class MovesACopy(AdaGradParts):
    """A program may load or clip weights between two steps. Each step starts from what is in the parameter."""

    def write(self, p, change):
        copy = self.state[p].setdefault("copy", p.detach().clone())
        p.copy_(copy.sub_(change))


@believes("flatten() gives a view", about="AdaGrad")
class WritesIntoAFlatCopy(AdaGradParts):
    """It does for a contiguous tensor. For any other, it makes a copy, and what you write there is lost."""

    def write(self, p, change):
        flat = p.flatten()
        flat -= change.flatten()


@believes("params is a list", about="AdaGrad")
class AsksForALength(AdaGradParts):
    """It may be any iterable. model.parameters() is a generator: it has no length, and can be iterated only once."""

    def __init__(self, params, *args, **settings):
        if len(params) == 0:
            raise ValueError("no parameters")
        super().__init__(params, *args, **settings)


@believes("A gradient keeps its values after the step", about="AdaGrad")
class RemembersTheGradients(AdaGradParts):
    """The next backward pass may write into the same tensor. Keep what you need later in a separate tensor."""

    def change(self, p, group):
        state = self.remembered(p, group)
        rate = self.rate(group, state["steps"])
        state["steps"] += 1
        seen = state.setdefault("seen", [])
        seen.append(p.grad if group["weight_decay"] == 0 else self.gradient(p, group))
        total = self.start(p, group) + torch.stack(seen).square().sum(0)
        return rate * self.gradient(p, group) / (total.sqrt() + group["eps"])


@believes("The lr is read once", about="AdaGrad")
class ReadsTheLrOnce(AdaGradParts):
    """A schedule changes the lr in the group during training, and the next step uses it."""

    def rate(self, group, steps):
        return super().rate({**group, "lr": group.setdefault("first_lr", group["lr"])}, steps)


@believes("A step counts only if the learning rate decays", about="AdaGrad")
class CountsWhileItDecays(AdaGradParts):
    """t counts every step, whatever the settings are: lr_decay may be set later, and then needs the full count."""

    def change(self, p, group):
        before = self.remembered(p, group)["steps"]
        change = super().change(p, group)
        if group["lr_decay"] == 0:
            self.state[p]["steps"] = before
        return change


@believes("Only the lr changes during training", about="AdaGrad")
class FreezesAllButTheLr(AdaGradParts):
    """Any setting may change in a group, and the next step uses it: read each one from the group in every step."""

    def change(self, p, group):
        first = vars(self).setdefault("first", {}).setdefault(id(group), dict(group))
        return super().change(p, {**first, "lr": group["lr"]})


@believes("eps has to be above 0", about="AdaGrad")
class RefusesAnEpsOf0(AdaGradParts):
    """0 is not negative, and no divisor is 0 if the sum is above 0. Only values below 0 are rejected."""

    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        if eps == 0:
            raise ValueError(eps)
        super().__init__(params, lr, lr_decay, weight_decay, initial_accumulator_value, eps)


@believes("A step needs no gradients, and so neither does the closure", about="AdaGrad")
class RunsTheClosureWithoutGradients(AdaGradParts):
    """The closure runs a forward and a backward pass. It needs gradients enabled; the update alone does not."""

    def evaluate(self, closure):
        return closure() if closure else None


@believes("A step returns nothing", about="AdaGrad")
class DropsTheLoss(AdaGradParts):
    """With a closure, it returns what the closure returned: the caller gets that loss in no other way."""

    def step(self, closure=None):
        super().step(closure)


@believes("A loss is a number to be shown, and needs no graph", about="AdaGrad")
class DetachesTheLoss(AdaGradParts):
    """The closure's result is returned as it is. A caller who wants only a number can detach it."""

    def step(self, closure=None):
        loss = super().step(closure)
        return loss.detach() if isinstance(loss, torch.Tensor) else loss


@believes("A number is a float", about="AdaGrad")
class RefusesInts(FloatsAlone, AdaGradParts):
    """1 is an int, as good a setting as 1.0: ask whether it is negative, not what type it has."""


@believes("Only a negative lr does harm", about="AdaGrad")
class RefusesANegativeLrAlone(AdaGradParts):
    """A negative initial value has no root, and a negative eps can make the divisor 0: check every setting."""

    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        if lr < 0:
            raise ValueError(lr)
        settings = {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps}
        Optimizer.__init__(self, params, {**settings, "initial_accumulator_value": initial_accumulator_value})
