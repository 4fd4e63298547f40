"""An optimizer in parts, of which each wrong answer gets one wrong."""

import torch
from torch.optim import Optimizer


class Parts(Optimizer):
    """What all optimizers do, right, and in parts: a wrong answer gets one of them wrong."""

    def evaluate(self, closure):
        """The loss before the step, or None."""
        if closure is None:
            return None
        with torch.enable_grad():
            return closure()

    @torch.no_grad()
    def step(self, closure=None):
        """One step of every parameter."""
        loss = self.evaluate(closure)
        for group in self.param_groups:
            for p in group["params"]:
                self.turn(p, group)
        return loss

    def turn(self, p, group):
        """One parameter's part of the step."""
        if p.grad is not None:
            self.write(p, self.change(p, group))

    def write(self, p, change):
        """Take the change off the parameter."""
        p.sub_(change)

    def change(self, p, group):
        """What to take off the parameter."""
        raise NotImplementedError
