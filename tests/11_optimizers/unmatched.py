"""Wrong answers to kata 11 that no belief in the misconceptions explains."""

import torch

from dojo.judging.diagnose import answers, solution

solved = solution("11_optimizers")


@answers("running_average")
def forgets_twice_as_fast(values, beta, corrected=True):
    """By the square of beta."""
    return solved.running_average(values, beta * beta, corrected) if beta < 1 else solved.running_average([], beta)


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


class ThreeQuarters:
    """Goes three quarters of the way."""

    def step(self, closure=None):
        """Take one step."""
        before = [[p.detach().clone() for p in group["params"]] for group in self.param_groups]
        loss = super().step(closure)
        with torch.no_grad():
            for group, olds in zip(self.param_groups, before, strict=True):
                for p, old in zip(group["params"], olds, strict=True):
                    p.copy_(old + (p - old) * 0.75)
        return loss


@answers("RMSProp")
class RMSPropOfThreeQuarters(ThreeQuarters, solved.RMSProp):
    """Goes three quarters of the way."""


@answers("Adam")
class AdamOfThreeQuarters(ThreeQuarters, solved.Adam):
    """Goes three quarters of the way."""


@answers("AdamW")
class AdamWOfThreeQuarters(ThreeQuarters, solved.AdamW):
    """Goes three quarters of the way."""


@answers("decay_groups")
def decays_a_third(model, weight_decay):
    """Everything decays by a third of what was said."""
    return [group | {"weight_decay": weight_decay / 3} for group in solved.decay_groups(model, weight_decay)]


@answers("state_bytes")
def keeps_the_shapes(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    """Eight bytes for each size of a shape."""
    right = solved.state_bytes(optimizer, shapes, dtype, momentum, amsgrad)
    return right + 8 * sum(map(len, shapes))


@answers("orthogonalize")
def halves_it(grad, steps=5):
    """Half of what is right."""
    return solved.orthogonalize(grad, steps) / 2


@answers("orthogonalize")
def divides_and_multiplies_back(grad, steps=5):
    """Changes grad by no more than a rounding."""
    norm = grad.norm() if grad.ndim == 2 and grad.any() else 1.0
    right = solved.orthogonalize(grad.div_(norm), steps)
    grad.mul_(norm)
    return right
