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
    """The solution in parts, all right: each wrong answer replaces one of them."""

    def __init__(self, params, make):
        self._params = params
        self._masters = [self.master(p) for p in params]
        self._optimizer = make(self._masters)

    def master(self, p):
        """Return the wide copy of a parameter."""
        return p.detach().float().requires_grad_()

    def gradient(self, p, master):
        """Return what a master gets for a gradient."""
        return None if p.grad is None else p.grad.float()

    def step(self):
        """Copy the gradients, step, and round."""
        for p, master in zip(self._params, self._masters, strict=True):
            master.grad = self.gradient(p, master)
        self._optimizer.step()
        self._round()


@believes("Narrow weights can be updated directly", about="MasterWeights")
class MovesNarrowWeights(Masters):
    """An update below half of the gap at its weight is lost each time: update float32 copies."""

    def __init__(self, params, make):
        super().__init__(params, make)
        self._masters = params
        self._optimizer.param_groups[0]["params"] = params

    def gradient(self, p, master):
        return p.grad


@believes("Each step makes the masters from the weights", about="MasterWeights")
class ReadsTheWeightsBack(Masters):
    """Then they lose what rounding removed: masters persist from step to step, and the weights are made from them."""

    def step(self):
        _copy(self._masters, self._params)
        super().step()


@believes("The change of the masters is added to the weights", about="MasterWeights")
class AddsTheDifference(Masters):
    """A narrow addition loses small updates again: the weights are the masters, rounded."""

    def _round(self):
        for p, master in zip(self._params, self._masters, strict=True):
            before = getattr(self, "_before", {}).get(id(p))
            p.data.copy_(p.float() + (master.detach() - before) if before is not None else master)
        self._before = {id(p): m.detach().clone() for p, m in zip(self._params, self._masters, strict=True)}

    def step(self):
        if not hasattr(self, "_before"):
            self._round()
        super().step()


@believes("Gradients of the masters add up over the steps", about="MasterWeights")
class AddsUpGradients(Masters):
    """Only those of the parameters add up, until zero_grad. In each step, a master gets the gradient of that moment."""

    def gradient(self, p, master):
        if p.grad is None:
            return None
        return p.grad.float() if master.grad is None else master.grad + p.grad.float()


@believes("A parameter without a gradient has one of zeros", about="MasterWeights")
class MakesZeros(Masters):
    """With zeros, momentum and weight decay would still move it: the gradient of its master is None."""

    def gradient(self, p, master):
        return torch.zeros_like(master) if p.grad is None else p.grad.float()


@believes("A master keeps its gradient until there is a new one", about="MasterWeights")
class KeepsOldGradients(Masters):
    """If the parameter no longer has one, the old one would be used again: set the master's to None."""

    def gradient(self, p, master):
        return master.grad if p.grad is None else p.grad.float()


@believes("A gradient that is the same tensor as before has the same numbers", about="MasterWeights")
class CastsATensorOnce(Masters):
    """backward adds to it in place, and clipping scales it in place: cast the gradients in every step."""

    def gradient(self, p, master):
        if p.grad is None or p.grad is not getattr(master, "cast_from", None):
            master.cast_from, master.grad = p.grad, super().gradient(p, master)
        return master.grad


@believes("If one parameter has no gradient, the whole step is skipped", about="MasterWeights")
class WaitsForAllGradients(Masters):
    """Parameters are updated independently: the others take their step."""

    def step(self):
        if all(p.grad is not None for p in self._params):
            super().step()


@believes("zero_grad sets gradients to zeros", about="MasterWeights")
class ClearsToZeros(Masters):
    """A gradient of zeros takes memory, and lets the optimizer move the parameter: set it to None."""

    def zero_grad(self):
        for p in self._params:
            p.grad = None if p.grad is None else torch.zeros_like(p)


@believes("zero_grad clears the gradients of the masters", about="MasterWeights")
class ClearsTheMasters(Masters):
    """backward adds to the gradients of the narrow parameters: clear those."""

    def zero_grad(self):
        self._optimizer.zero_grad()


@believes("A step uses the gradients up", about="MasterWeights")
class UsesUpTheGradients(Masters):
    """They stay until zero_grad: other code may read them, or add to them."""

    def step(self):
        super().step()
        self.zero_grad()


@believes("A parameter is updated by giving it new data", about="MasterWeights")
class ReplacesTheWeights(Masters):
    """Tensors that share its memory would not see the step: use copy_ to write into it."""

    def _round(self):
        for p, master in zip(self._params, self._masters, strict=True):
            p.data = master.detach().to(p.dtype)


@believes("A master is truncated to the parameter's dtype", about="MasterWeights")
class CutsPlaces(Masters):
    """It is rounded to nearest, as a cast does: truncation would shrink all weights."""

    def _round(self):
        for p, master in zip(self._params, self._masters, strict=True):
            places = 16 if p.dtype == torch.bfloat16 else 13
            cut = (master.detach().view(torch.int32) >> places << places).view(torch.float32)
            p.data.copy_(cut)


@believes("Wider masters are better", about="MasterWeights")
class MastersOfDouble(Masters):
    """make gets float32 tensors: float64 would take twice the bytes, and hardly help 8-bit gradients."""

    def master(self, p):
        return p.detach().double().requires_grad_()


@believes("Masters have the dtype of their parameters", about="MasterWeights")
class NarrowMasters(Masters):
    """Then small updates are lost, as without masters: make gets float32 tensors."""

    def master(self, p):
        return p.detach().clone().requires_grad_()

    def gradient(self, p, master):
        return p.grad


@believes("A master may be flat", about="MasterWeights")
class FlatMasters(Masters):
    """make may sort matrices from vectors, and some optimizers do: a master has the shape of its parameter."""

    def master(self, p):
        return p.detach().float().flatten().requires_grad_()

    def gradient(self, p, master):
        return None if p.grad is None else p.grad.float().flatten()

    def _round(self):
        _copy(self._params, [master.view(p.shape) for p, master in zip(self._params, self._masters, strict=True)])


@believes("Masters need not require gradients", about="MasterWeights")
class MastersWithoutGradients(Masters):
    """make is called with tensors that require gradients, as the parameters do."""

    def master(self, p):
        return p.detach().float()


@believes("The masters can be made from the loaded weights", about="MasterWeights")
class SavesTheWeights(Masters):
    """The weights lack the low bits of the masters: save the masters."""

    def state_dict(self):
        return {"weights": [p.detach() for p in self._params], "optimizer": self._optimizer.state_dict()}

    def load_state_dict(self, state):
        super().load_state_dict({"masters": state["weights"], "optimizer": state["optimizer"]})


@believes("The weights are saved with the model, so the masters need not be", about="MasterWeights")
class SavesTheOptimizerAlone(Masters):
    """The model's weights lack the low bits, and may be zeros when this is loaded: save the masters."""

    def state_dict(self):
        return self._optimizer.state_dict()

    def load_state_dict(self, state):
        self._optimizer.load_state_dict(state)


@believes("The masters are all that has to be saved", about="MasterWeights")
class SavesTheMastersAlone(Masters):
    """Momentum and averages would start again at 0: save the optimizer's state too."""

    def load_state_dict(self, state):
        _copy(self._masters, state["masters"])
        self._round()


@believes("The weights need not be written before the next step", about="MasterWeights")
class LoadsNoWeights(Masters):
    """The next forward pass comes before the next step, and uses them: loading also writes the weights."""

    def load_state_dict(self, state):
        _copy(self._masters, state["masters"])
        self._optimizer.load_state_dict(state["optimizer"])


@believes("Loading calls make again", about="MasterWeights")
class MakesAnOptimizerAnew(Masters):
    """make is called once: the optimizer keeps its masters, and their values are overwritten."""

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
    """The optimizer still holds and moves the old ones: copy into them."""

    def load_state_dict(self, state):
        self._optimizer.load_state_dict(state["optimizer"])
        self._masters = [saved.clone().requires_grad_() for saved in state["masters"]]
        self._round()


@believes("A state may refer to masters that stay in the program", about="MasterWeights")
class KeepsItsMastersInTheProgram(Masters):
    """Another process does not have them: state_dict returns the masters themselves."""

    kept = {}  # noqa: RUF012 - of all programs, and no setting of one

    def state_dict(self):
        self.kept[len(self.kept)] = super().state_dict()["masters"]
        return {"number": len(self.kept) - 1, "optimizer": self._optimizer.state_dict()}

    def load_state_dict(self, state):
        masters = self.kept.get(state["number"], self._masters)
        super().load_state_dict({"masters": masters, "optimizer": state["optimizer"]})


@believes("The optimizer has the masters in one group", about="MasterWeights")
class SavesTheRateOfTheFirstGroup(Masters):
    """It may have several, each with its own learning rate: save the optimizer's state_dict."""

    def state_dict(self):
        whole = super().state_dict()
        return {**whole, "lr": whole["optimizer"]["param_groups"][0]["lr"]}

    def load_state_dict(self, state):
        groups = [group | {"lr": state["lr"]} for group in state["optimizer"]["param_groups"]]
        super().load_state_dict({**state, "optimizer": state["optimizer"] | {"param_groups": groups}})


@believes("param_groups[0] has all masters in their order", about="MasterWeights")
class ReadsTheMastersFromTheOptimizer(Masters):
    """It has those of one group, in the order that make chose: keep a list of the masters."""

    def step(self):
        for p, master in zip(self._params, self._optimizer.param_groups[0]["params"], strict=False):
            master.grad = self.gradient(p, master)
        self._optimizer.step()
        self._round()
