"""The optimizers of kata 11 in parts, all right: each wrong answer replaces one of the parts."""
# mypy: ignore-errors

import torch

from dojo.judging.diagnose import solution

from ..shared.optimizer_parts import Parts

solved = solution("11_optimizers")


class Remembering(Parts):
    """What all of them do with a gradient, and with what they remember."""

    def gradient(self, p, group):
        """The gradient with the weight decay."""
        return p.grad + group["weight_decay"] * p

    def remembered(self, p):
        """Where the state of a parameter is kept."""
        return self.state[p]

    def started(self, p, names):
        """Return the state of a parameter, with zeros under these names at first."""
        state = self.remembered(p)
        for name in names:
            if name not in state:
                state[name] = self.zeros(p)
        return state

    def zeros(self, p):
        """Return what an average starts with."""
        return torch.zeros_like(p)


class NothingWithoutGradients(Remembering):
    """Steps that forget what the closure returned if no parameter has a gradient, which is wrong of every optimizer."""

    def step(self, closure=None):
        """Update every parameter that has a gradient, and return the loss if there is one."""
        loss = self.evaluate(closure)
        if all(p.grad is None for group in self.param_groups for p in group["params"]):
            return None
        super().step()
        return loss


class SGDParts(Remembering, solved.SGD):
    """SGD in parts."""

    def buffer(self, p, grad, group):
        """The buffer after this gradient."""
        state = self.remembered(p)
        state["b"] = self.later(state["b"], grad, group) if "b" in state else self.first(p, grad, group)
        return state["b"]

    def first(self, p, grad, group):
        """The buffer after the first gradient."""
        return grad.clone()

    def later(self, buffer, grad, group):
        """The buffer after another gradient."""
        return group["momentum"] * buffer + (1 - group["dampening"]) * grad

    def ahead(self, grad, buffer, group):
        """Nesterov's step."""
        return grad + group["momentum"] * buffer

    def along(self, p, grad, group):
        """Return the direction of a step."""
        if group["momentum"] == 0:
            return grad
        buffer = self.buffer(p, grad, group)
        return self.ahead(grad, buffer, group) if group["nesterov"] else buffer

    def change(self, p, group):
        """Return what to subtract from the parameter."""
        return group["lr"] * self.along(p, self.gradient(p, group), group)


class RMSPropParts(Remembering, solved.RMSProp):
    """RMSProp in parts."""

    def squared(self, state, grad, group):
        """The average of squares after this gradient."""
        return group["alpha"] * state["v"] + (1 - group["alpha"]) * grad.square()

    def divisor(self, state, group):
        """What the gradient is divided by."""
        return state["v"].sqrt() + group["eps"]

    def along(self, state, grad, group):
        """Return the direction of a step."""
        state["b"] = group["momentum"] * state["b"] + grad / self.divisor(state, group)
        return state["b"]

    def change(self, p, group):
        """Return what to subtract from the parameter."""
        state, grad = self.started(p, "vb"), self.gradient(p, group)
        state["v"] = self.squared(state, grad, group)
        return group["lr"] * self.along(state, grad, group)


class AdamParts(Remembering, solved.Adam):
    """Adam in parts."""

    def counted(self, p, state):
        """Count this step of the parameter, and return its number."""
        state["t"] = state.get("t", 0) + 1
        return state["t"]

    def averaged(self, state, grad, betas):
        """Both averages after this gradient."""
        state["m"] = betas[0] * state["m"] + (1 - betas[0]) * grad
        state["v"] = betas[1] * state["v"] + (1 - betas[1]) * grad.square()

    def corrections(self, betas, t):
        """What the averages are divided by."""
        return 1 - betas[0] ** t, 1 - betas[1] ** t

    def along(self, state, corrections, group):
        """Return the direction of a step."""
        first, second = corrections
        return state["m"] / first / ((state["v"] / second).sqrt() + group["eps"])

    def change(self, p, group):
        """Return what to subtract from the parameter."""
        state = self.started(p, "mv")
        t = self.counted(p, state)
        self.averaged(state, self.gradient(p, group), group["betas"])
        return group["lr"] * self.along(state, self.corrections(group["betas"], t), group)


class AdamWParts(AdamParts, solved.AdamW):
    """AdamW in parts."""

    def gradient(self, p, group):
        """The gradient alone."""
        return p.grad

    def decay(self, p, group):
        """Shrink the parameter."""
        p.mul_(1 - group["lr"] * group["weight_decay"])

    def turn(self, p, group):
        """One parameter's part of the step."""
        if p.grad is not None:
            self.decay(p, group)
        super().turn(p, group)
