"""An optimizer in parts. Each wrong answer overrides one part."""

import torch
from torch.optim import Optimizer


class Parts(Optimizer):
    """The correct steps that all optimizers share, in parts that a wrong answer can override."""

    def evaluate(self, closure):
        """Return the loss before the step, or None."""
        if closure is None:
            return None
        with torch.enable_grad():
            return closure()

    @torch.no_grad()
    def step(self, closure=None):
        """Update every parameter, and return the loss."""
        loss = self.evaluate(closure)
        for group in self.param_groups:
            for p in group["params"]:
                self.turn(p, group)
        return loss

    def turn(self, p, group):
        """Update one parameter."""
        if p.grad is not None:
            self.write(p, self.change(p, group))

    def write(self, p, change):
        """Subtract the change from the parameter."""
        p.sub_(change)

    def change(self, p, group):
        """Return what to subtract from the parameter."""
        raise NotImplementedError


class ClosureForEachGroup(Parts):
    """Steps that call the closure once for each group, which is wrong of every optimizer."""

    def step(self, closure=None):
        """Update every parameter, and return the loss of the last call."""
        loss = None
        for group in self.param_groups:
            loss = self.evaluate(closure)
            with torch.no_grad():
                for p in group["params"]:
                    self.turn(p, group)
        return loss


class EndedByExceptionsAlone(Parts):
    """Steps that set the mode back after a call and after an Exception, and forget that there are other errors."""

    def evaluate(self, closure):
        """Return the loss before the step, or None."""
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(True)
        try:
            loss = None if closure is None else closure()
        except Exception:
            torch.set_grad_enabled(before)
            raise
        torch.set_grad_enabled(before)
        return loss

    def step(self, closure=None):
        """Update every parameter, and return the loss."""
        loss = self.evaluate(closure)
        super().step()
        return loss


class WiderCopy(Parts):
    """Keeps a wider copy of each parameter, and rounds it into the parameter."""

    def write(self, p, change):
        """Subtract the change from the copy, and round that into the parameter."""
        state, wide = self.state[p], torch.float32 if p.dtype == torch.bfloat16 else torch.float64
        if "copy" not in state or not torch.equal(state["copy"].to(p.dtype), p):  # something else has changed it
            state["copy"] = p.to(wide)
        state["copy"] = state["copy"].to(wide) - change
        p.copy_(state["copy"])
