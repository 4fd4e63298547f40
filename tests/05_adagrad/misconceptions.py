"""Wrong answers that people give to kata 05, each with the belief behind it."""
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


class AdaGradParts(Parts, solved.AdaGrad):
    """AdaGrad in parts."""

    def gradient(self, p, group):
        """The gradient with the weight decay."""
        return p.grad + group["weight_decay"] * p

    def start(self, p, group):
        """The sum before the first step."""
        return torch.full_like(p, group["initial_accumulator_value"])

    def remembered(self, p, group):
        """Where the sum and the steps of a parameter are kept."""
        state = self.state[p]
        if not state:
            state["steps"] = 0
            state["sum"] = self.start(p, group)
        return state

    def square(self, grad, p):
        """What the sum grows by."""
        return grad.square()

    def rate(self, group, steps):
        """The learning rate after so many steps."""
        return group["lr"] / (1 + steps * group["lr_decay"])

    def divisor(self, state, group):
        """What the gradient is divided by."""
        return state["sum"].sqrt() + group["eps"]

    def change(self, p, group):
        """What to take off the parameter."""
        state = self.remembered(p, group)
        rate = self.rate(group, state["steps"])
        grad = self.gradient(p, group)
        state["steps"] += 1
        state["sum"] = state["sum"] + self.square(grad, p)
        return rate * grad / self.divisor(state, group)


# SGD


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
    """Whoever called may have disabled them, and finds them as they were."""

    def step(self, closure=None):
        loss = super().step(closure)
        torch.set_grad_enabled(True)
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


# AdaGrad


@believes("eps stands inside the root", about="AdaGrad")
class PutsEpsInsideTheRoot(AdaGradParts):
    """The root is taken of the sum alone, and eps is added to it. Inside, 1e-10 is as much as 1e-5 outside can be."""

    def divisor(self, state, group):
        return (state["sum"] + group["eps"]).sqrt()


@believes("eps is a floor that the root may not fall below", about="AdaGrad")
class TakesEpsForAFloor(AdaGradParts):
    """eps is added whatever the root is, so it shortens every step."""

    def divisor(self, state, group):
        return state["sum"].sqrt().clamp(min=group["eps"])


@believes("The gradient is divided by the sum of squares", about="AdaGrad")
class TakesNoRoot(AdaGradParts):
    """The root is as large as a gradient. Without it, gradients ten times larger would give shorter steps."""

    def divisor(self, state, group):
        return state["sum"] + group["eps"]


@believes("A step is divided by the gradients before it", about="AdaGrad")
class LeavesOutTheNewSquare(AdaGradParts):
    """The new square is added first. Without it the first step would be divided by eps alone."""

    def change(self, p, group):
        before = self.remembered(p, group)["sum"].clone()
        change = super().change(p, group)
        return change * self.divisor(self.state[p], group) / self.divisor({"sum": before}, group)


@believes("The squares are averaged", about="AdaGrad")
class AveragesTheSquares(AdaGradParts):
    """The squares are summed and never forgotten, so the steps get shorter. An average of them makes RMSProp."""

    def divisor(self, state, group):
        return (state["sum"] / state["steps"]).sqrt() + group["eps"]


@believes("A parameter has one learning rate for all its elements", about="AdaGrad")
class SumsOverTheParameter(AdaGradParts):
    """Each element has a sum of its own: where its gradients are small, it keeps a large rate beside the others."""

    def square(self, grad, p):
        return grad.square().sum()


@believes("Weight decay acts on the parameter, beside the step", about="AdaGrad")
class DecouplesTheWeightDecay(AdaGradParts):
    """Here the decay is part of the gradient, and is divided like all of it. Beside the step it stands in AdamW."""

    def gradient(self, p, group):
        return p.grad

    def change(self, p, group):
        change = super().change(p, group)
        return change + self.rate(group, self.state[p]["steps"] - 1) * group["weight_decay"] * p


@believes("The sum holds the squares of the gradients without the weight decay", about="AdaGrad")
class SumsTheBareGradient(AdaGradParts):
    """The weight decay is added first. After that there is one gradient, for the sum and for the step."""

    def square(self, grad, p):
        return p.grad.square()


@believes("Weight decay is added to p.grad itself", about="AdaGrad")
class WritesIntoTheGradient(AdaGradParts):
    """Gradients stay as they are. Written into, they would hold the decay twice when the next backward pass adds up."""

    def gradient(self, p, group):
        return p.grad.add_(p, alpha=group["weight_decay"])


@believes("An element whose gradient is 0 is left alone", about="AdaGrad")
class SkipsZeroGradients(AdaGradParts):
    """Only a gradient of None means that. Where it is 0, the weight decay still has something to say."""

    def gradient(self, p, group):
        return super().gradient(p, group) * (p.grad != 0)


@believes("The learning rate decays from the first step on", about="AdaGrad")
class DecaysTheFirstStep(AdaGradParts):
    """The factor is t − 1, so the first step has the whole lr."""

    def rate(self, group, steps):
        return super().rate(group, steps + 1)


@believes("Each step multiplies the learning rate by the same factor", about="AdaGrad")
class DecaysExponentially(AdaGradParts):
    """The rate is divided by 1 plus a number that grows with t. It falls like 1/t, and not by a factor each time."""

    def rate(self, group, steps):
        return group["lr"] / (1 + group["lr_decay"]) ** steps


@believes("A step of the optimizer is a step of each parameter", about="AdaGrad")
class CountsStepsWithoutAGradient(AdaGradParts):
    """Each parameter counts its own steps, and one without a gradient makes none."""

    def turn(self, p, group):
        if p.grad is None:
            self.remembered(p, group)["steps"] += 1
        super().turn(p, group)


@believes("Every sum starts at 0", about="AdaGrad")
class StartsFromZero(AdaGradParts):
    """It starts at initial_accumulator_value, which keeps the first steps short where that is large."""

    def start(self, p, group):
        return torch.zeros_like(p)


@believes("The settings of the constructor hold for every group", about="AdaGrad")
class IgnoresTheGroupsSettings(AdaGradParts):
    """A group may have settings of its own; the constructor's are for those that it does not have."""

    def change(self, p, group):
        return super().change(p, self.defaults)


@believes("initial_accumulator_value is used up once the optimizer is made", about="AdaGrad")
class KeepsTheInitialValueToItself(AdaGradParts):
    """A parameter without a gradient so far has its first step still to come, perhaps after loading. So it is saved."""

    def start(self, p, group):
        return torch.full_like(p, self.defaults["initial_accumulator_value"])


@believes("A dict of one's own is as good as self.state", about="AdaGrad")
class KeepsTheSumsToItself(AdaGradParts):
    """state_dict saves what lies in self.state, and nothing else. A resumed run would start its sums again."""

    def remembered(self, p, group):
        mine = vars(self).setdefault("sums", {})
        return mine.setdefault(p, {"steps": 0, "sum": self.start(p, group)})


@believes("Only tensors belong into self.state", about="AdaGrad")
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
    """A new tensor is float32 unless it is told otherwise, and adding in place does not change that."""

    def start(self, p, group):
        return torch.full(p.shape, group["initial_accumulator_value"], dtype=torch.float32, device=p.device)

    def square(self, grad, p):
        return grad.square().float()


@believes("A narrow parameter has to be widened before it is updated", about="AdaGrad")
class WidensTheParameter(AdaGradParts):
    """Wide numbers may be used on the way, but a parameter keeps its dtype: the model was made for that one."""

    def write(self, p, change):
        p.data = p.data.to(torch.promote_types(p.dtype, torch.float32))  # no change for float32 and float64
        super().write(p, change)


@believes("flatten() gives a view", about="AdaGrad")
class WritesIntoAFlatCopy(AdaGradParts):
    """It does for a contiguous tensor. Of any other one it makes a copy, and what is written there is lost."""

    def write(self, p, change):
        flat = p.flatten()
        flat -= change.flatten()


@believes("params is a list", about="AdaGrad")
class AsksForALength(AdaGradParts):
    """It may be any iterable. model.parameters() is a generator: it has no length, and can be gone through once."""

    def __init__(self, params, *args, **settings):
        if len(params) == 0:
            raise ValueError("no parameters")
        super().__init__(params, *args, **settings)


@believes("A gradient that was seen once stays what it was", about="AdaGrad")
class RemembersTheGradients(AdaGradParts):
    """The next backward pass may write into the same tensor. Keep what is needed later in a tensor of its own."""

    def change(self, p, group):
        state = self.remembered(p, group)
        rate = self.rate(group, state["steps"])
        state["steps"] += 1
        seen = state.setdefault("seen", [])
        seen.append(p.grad if group["weight_decay"] == 0 else self.gradient(p, group))
        total = sum((grad.square() for grad in seen), self.start(p, group))
        return rate * self.gradient(p, group) / (total.sqrt() + group["eps"])


@believes("The lr is read once", about="AdaGrad")
class ReadsTheLrOnce(AdaGradParts):
    """A schedule changes the lr in the group while the training runs, and the next step uses it."""

    def rate(self, group, steps):
        return super().rate({**group, "lr": group.setdefault("first_lr", group["lr"])}, steps)


@believes("A step counts only where the learning rate decays", about="AdaGrad")
class CountsWhileItDecays(AdaGradParts):
    """t is the number of the step, whatever the settings are: the decay may begin later, and has to find the count."""

    def change(self, p, group):
        before = self.remembered(p, group)["steps"]
        change = super().change(p, group)
        if group["lr_decay"] == 0:
            self.state[p]["steps"] = before
        return change


@believes("Only the lr changes while a training runs", about="AdaGrad")
class FreezesAllButTheLr(AdaGradParts):
    """Any setting may be changed in a group, and the next step uses it: read each of them there, in every step."""

    def change(self, p, group):
        first = vars(self).setdefault("first", {}).setdefault(id(group), dict(group))
        return super().change(p, {**first, "lr": group["lr"]})


@believes("eps has to be above 0", about="AdaGrad")
class RefusesAnEpsOf0(AdaGradParts):
    """0 is not negative, and no divisor is 0 where the sum is above 0. What is refused is what is below 0."""

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
    """With a closure it returns what the closure returned: nobody else has that loss."""

    def step(self, closure=None):
        super().step(closure)


@believes("Only a negative lr does harm", about="AdaGrad")
class RefusesANegativeLrAlone(AdaGradParts):
    """A negative initial value has no root, a negative eps can make the divisor 0: each setting is looked at."""

    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        if lr < 0:
            raise ValueError(lr)
        settings = {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps}
        Optimizer.__init__(self, params, {**settings, "initial_accumulator_value": initial_accumulator_value})


# training_memory


def counted(dim, num_layers, batch_size):
    """How many parameters and how many activations there are."""
    return num_layers * dim**2 + dim, num_layers * batch_size * dim


@believes("A gradient is gone once it was used", about="training_memory")
def forgets_the_gradients(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """All gradients are there when the step is taken: one value for each parameter."""
    params, activations = counted(dim, num_layers, batch_size)
    return bytes_per_value * (params * (1 + states_per_param) + activations)


@believes("Every optimizer keeps one value for each parameter", about="training_memory")
def always_counts_one_state(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """AdaGrad keeps one, plain SGD none and Adam two: states_per_param says how many."""
    return solved.training_memory(dim, num_layers, batch_size, bytes_per_value, 1)


@believes("The optimizer's states are float32, whatever the model is", about="training_memory")
def keeps_states_in_float32(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """Here every value takes bytes_per_value bytes, and the states are values like all others."""
    params, activations = counted(dim, num_layers, batch_size)
    return bytes_per_value * (params * 2 + activations) + 4 * params * states_per_param


@believes("Values are float32", about="training_memory")
def counts_four_bytes(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """Four bytes is the default alone: bfloat16 takes 2 for a value, float64 takes 8."""
    return solved.training_memory(dim, num_layers, batch_size, 4, states_per_param)


@believes("The data is an activation too", about="training_memory")
def counts_the_data(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """The backward pass does need the data, but the data is there anyway: only results of the layers are counted."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return right + bytes_per_value * batch_size * dim


@believes("The result of every layer is kept, that of the last one too", about="training_memory")
def counts_the_last_result(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """A product needs its operands to go back, not its result. The last result is no layer's operand."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return right + bytes_per_value * batch_size


@believes("The last layer's operand is not kept, since the backward pass starts there", about="training_memory")
def forgets_the_last_operand(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """The gradient of the last weight is a product with that layer's input, so the input has to be there."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return right - bytes_per_value * batch_size * dim * (num_layers > 0)


@believes("Only one activation is there at a time", about="training_memory")
def keeps_one_activation(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """That holds without a backward pass. With one, each layer's result waits until the pass comes back to it."""
    params, activations = counted(dim, num_layers, batch_size)
    activations //= max(num_layers, 1)
    return bytes_per_value * (params * (2 + states_per_param) + activations)


@believes("Each activation has its gradient beside it", about="training_memory")
def counts_gradients_of_activations(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """Such a gradient is handed to the layer before and dropped. Kept are those of the parameters alone."""
    params, activations = counted(dim, num_layers, batch_size)
    return bytes_per_value * (params * (2 + states_per_param) + 2 * activations)


@believes("Activations are as many as the model is wide and deep", about="training_memory")
def forgets_the_batch(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """Each row of the batch has activations of its own, so they grow with the batch; the parameters do not."""
    return solved.training_memory(dim, num_layers, 1, bytes_per_value, states_per_param)


@believes("The last layer is one of the num_layers", about="training_memory")
def forgets_the_last_layer(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """There are num_layers layers of (dim, dim), and after them one more of (dim, 1), with dim parameters."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return right - bytes_per_value * dim * (2 + states_per_param)


@believes("A layer has a bias", about="training_memory")
def counts_biases(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """This model has none: its layers are matrices and nothing else."""
    right = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return right + bytes_per_value * (num_layers * dim + 1) * (2 + states_per_param)


@believes("A count may be a float", about="training_memory")
def returns_a_float(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """Bytes are counted in whole numbers: a float loses the last digits of a large count."""
    return float(solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param))


@believes("A float holds any count of bytes", about="training_memory")
def counts_in_floats(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """A float is exact up to 2**53, which is 9 petabytes; integers in Python have no limit."""
    return int(float(solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)))
