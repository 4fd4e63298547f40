"""Wrong answers that people give to kata 13 about master weights."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method does is said where it is right

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")


@torch.no_grad()
def _copy(targets, sources):
    for target, source in zip(targets, sources, strict=True):
        target.copy_(source)


class Masters(solved.MasterWeights):
    """The solution in parts, right: each wrong answer replaces one of them."""

    def __init__(self, params, make):
        self._params = params
        self._masters = [self.master(p) for p in params]
        self._optimizer = make(self._masters)

    def master(self, p):
        """The wide copy of a parameter."""
        return p.detach().float().requires_grad_()

    def gradient(self, p, master):
        """What a master gets of a gradient."""
        return None if p.grad is None else p.grad.float()

    def step(self):
        """Gradients, step, rounding."""
        for p, master in zip(self._params, self._masters, strict=True):
            master.grad = self.gradient(p, master)
        self._optimizer.step()
        self._round()


@believes("Narrow weights can be moved as they are", about="MasterWeights")
class MovesNarrowWeights(Masters):
    """An update below half a place of its weight is lost each time: move float32 copies."""

    def __init__(self, params, make):
        super().__init__(params, make)
        self._masters = params
        self._optimizer.param_groups[0]["params"] = params

    def gradient(self, p, master):
        return p.grad


@believes("Masters are made of the weights in each step", about="MasterWeights")
class ReadsTheWeightsBack(Masters):
    """Then they forget what rounding has taken: they stay from step to step, and the weights are made of them."""

    def step(self):
        _copy(self._masters, self._params)
        super().step()


@believes("The weights get the difference that the masters have made", about="MasterWeights")
class AddsTheDifference(Masters):
    """It is lost in narrow numbers as the update was: the weights are the masters, rounded."""

    def _round(self):
        for p, master in zip(self._params, self._masters, strict=True):
            before = getattr(self, "_before", {}).get(id(p))
            p.data.copy_(p.float() + (master.detach() - before) if before is not None else master)
        self._before = {id(p): m.detach().clone() for p, m in zip(self._params, self._masters, strict=True)}

    def step(self):
        if not hasattr(self, "_before"):
            self._round()
        super().step()


@believes("A master's gradients add up by themselves", about="MasterWeights")
class AddsUpGradients(Masters):
    """A parameter's do, until zero_grad. In each step a master gets the gradient that is there, and no more."""

    def gradient(self, p, master):
        if p.grad is None:
            return None
        return p.grad.float() if master.grad is None else master.grad + p.grad.float()


@believes("A parameter without a gradient has one of zeros", about="MasterWeights")
class MakesZeros(Masters):
    """Momentum and weight decay move it all the same: its master's gradient is None."""

    def gradient(self, p, master):
        return torch.zeros_like(master) if p.grad is None else p.grad.float()


@believes("A master keeps its gradient until there is a new one", about="MasterWeights")
class KeepsOldGradients(Masters):
    """Where the parameter has none any more, the old one would be used again: set it to None."""

    def gradient(self, p, master):
        return master.grad if p.grad is None else p.grad.float()


@believes("Where one parameter has no gradient, nothing moves", about="MasterWeights")
class WaitsForAllGradients(Masters):
    """Each parameter moves by itself: the others step."""

    def step(self):
        if all(p.grad is not None for p in self._params):
            super().step()


@believes("zero_grad makes zeros", about="MasterWeights")
class ClearsToZeros(Masters):
    """A gradient of zeros takes memory, and a step: None."""

    def zero_grad(self):
        for p in self._params:
            p.grad = None if p.grad is None else torch.zeros_like(p)


@believes("zero_grad clears what the optimizer holds", about="MasterWeights")
class ClearsTheMasters(Masters):
    """backward adds to the gradients of the narrow parameters: clear those."""

    def zero_grad(self):
        self._optimizer.zero_grad()


@believes("A step uses up its gradients", about="MasterWeights")
class UsesUpTheGradients(Masters):
    """They stay until zero_grad: somebody may look at them, or add to them."""

    def step(self):
        super().step()
        self.zero_grad()


@believes("A parameter gets new data", about="MasterWeights")
class ReplacesTheWeights(Masters):
    """Whatever shares its memory would not see the step: copy_ into it."""

    def _round(self):
        for p, master in zip(self._params, self._masters, strict=True):
            p.data = master.detach().to(p.dtype)


@believes("To make a number narrow is to cut its places", about="MasterWeights")
class CutsPlaces(Masters):
    """It is rounded to nearest, as a cast does: cut, all weights would shrink."""

    def _round(self):
        for p, master in zip(self._params, self._masters, strict=True):
            places = 16 if p.dtype == torch.bfloat16 else 13
            cut = (master.detach().view(torch.int32) >> places << places).view(torch.float32)
            p.data.copy_(cut)


@believes("The wider the masters the better", about="MasterWeights")
class MastersOfDouble(Masters):
    """make gets float32 tensors: twice the bytes buy nothing, where the gradients have 8 places."""

    def master(self, p):
        return p.detach().double().requires_grad_()


@believes("Masters are as narrow as their parameters", about="MasterWeights")
class NarrowMasters(Masters):
    """Then nothing is gained: make gets float32 tensors."""

    def master(self, p):
        return p.detach().clone().requires_grad_()

    def gradient(self, p, master):
        return p.grad


@believes("Masters need no gradients", about="MasterWeights")
class MastersWithoutGradients(Masters):
    """They are what an optimizer moves: make gets tensors that require gradients."""

    def master(self, p):
        return p.detach().float()


@believes("Weights that were loaded make the masters", about="MasterWeights")
class SavesTheWeights(Masters):
    """They lack the low bits: save the masters."""

    def state_dict(self):
        return {"weights": [p.detach() for p in self._params], "optimizer": self._optimizer.state_dict()}

    def load_state_dict(self, state):
        super().load_state_dict({"masters": state["weights"], "optimizer": state["optimizer"]})


@believes("A model saves its weights by itself", about="MasterWeights")
class SavesTheOptimizerAlone(Masters):
    """Its weights lack the low bits, and here they are zeros: save the masters."""

    def state_dict(self):
        return self._optimizer.state_dict()

    def load_state_dict(self, state):
        self._optimizer.load_state_dict(state)


@believes("The masters are all that has to be saved", about="MasterWeights")
class SavesTheMastersAlone(Masters):
    """Momentum and averages would begin anew: save the optimizer's state, too."""

    def load_state_dict(self, state):
        _copy(self._masters, state["masters"])
        self._round()


@believes("The weights are written by the next step", about="MasterWeights")
class LoadsNoWeights(Masters):
    """The forward pass comes before it, on zeros: loading writes the weights."""

    def load_state_dict(self, state):
        _copy(self._masters, state["masters"])
        self._optimizer.load_state_dict(state["optimizer"])


@believes("Loading makes new masters", about="MasterWeights")
class MakesAnOptimizerAnew(Masters):
    """make is called once: the optimizer keeps its masters, and gets other numbers into them."""

    def __init__(self, params, make):
        super().__init__(params, make)
        self._make = make

    def load_state_dict(self, state):
        self._masters = [saved.clone().requires_grad_() for saved in state["masters"]]
        self._optimizer = self._make(self._masters)
        self._optimizer.load_state_dict(state["optimizer"])
        self._round()


@believes("Loaded masters take the place of the old ones", about="MasterWeights")
class LosesTheOptimizer(Masters):
    """The optimizer still holds the old ones, and moves those: copy into them."""

    def load_state_dict(self, state):
        self._optimizer.load_state_dict(state["optimizer"])
        self._masters = [saved.clone().requires_grad_() for saved in state["masters"]]
        self._round()


@believes("Masters stay where they are, and a state says which they are", about="MasterWeights")
class KeepsItsMastersInTheProgram(Masters):
    """Another process has none of them: the masters themselves go into the dict that state_dict returns."""

    kept = {}  # noqa: RUF012 - of all programs, and no setting of one

    def state_dict(self):
        self.kept[len(self.kept)] = super().state_dict()["masters"]
        return {"number": len(self.kept) - 1, "optimizer": self._optimizer.state_dict()}

    def load_state_dict(self, state):
        masters = self.kept.get(state["number"], self._masters)
        super().load_state_dict({"masters": masters, "optimizer": state["optimizer"]})
