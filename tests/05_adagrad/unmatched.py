"""Wrong answers to kata 05 that no belief in misconceptions.py explains."""

import torch
from torch.optim import Optimizer

from dojo.judging.diagnose import answers, solution

solved = solution("05_adagrad")


@answers("SGD")
class TakesTheSignAlone(solved.SGD):
    """Every step is as long as lr."""

    def step(self, closure=None):
        """Take one step."""
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad.sign_()
        return super().step(closure)


@answers("SGD")
class ChecksTheGroupsAlone(solved.SGD):
    """A negative lr is accepted if every group has its own."""

    def __init__(self, params, lr=0.01):
        Optimizer.__init__(self, params, {"lr": lr})
        if any(group["lr"] < 0 for group in self.param_groups):
            raise ValueError(lr)


@answers("AdaGrad")
class TakesTheCubeRoot(solved.AdaGrad):
    """Another root of the sum."""

    def step(self, closure=None):
        """Take one step."""
        before = [[p.detach().clone() for p in group["params"]] for group in self.param_groups]
        loss = super().step(closure)
        with torch.no_grad():
            for group, olds in zip(self.param_groups, before, strict=True):
                for p, old in zip(group["params"], olds, strict=True):
                    if p.grad is not None:
                        p.copy_(old + (p - old) * 0.75)
        return loss


@answers("training_memory")
def keeps_the_activations_twice(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    """One for each pass."""
    memory = solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
    return memory + 5 * bytes_per_value * num_layers * batch_size * dim


@answers("training_memory")
def takes_the_states_before_the_bytes(dim, num_layers, batch_size, states_per_param=1, bytes_per_value=4):
    """The last two arguments the other way round."""
    return solved.training_memory(dim, num_layers, batch_size, bytes_per_value, states_per_param)
