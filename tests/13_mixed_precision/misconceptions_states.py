"""Wrong answers that people give to kata 13 about what master weights keep, save and load, and in how many bits."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method does is said where it is right

import copy

import torch

from dojo.judging.diagnose import believes

from .misconceptions_masters import Masters


def _put_together(weights, residuals):
    return [p.float() + residual.float() for p, residual in zip(weights, residuals, strict=True)]


@believes("What rounding removes from a master fits in 16 bits", about="MasterWeights")
class SavesNarrowResiduals(Masters):
    """A bfloat16 weight and a bfloat16 residual have 16 of its 24 bits: save the masters in float32."""

    def state_dict(self):
        weights = [p.detach().clone() for p in self._params]
        masters = zip(self._masters, weights, strict=True)
        residuals = [(master.detach() - p.float()).bfloat16() for master, p in masters]
        return {"weights": weights, "residuals": residuals, "optimizer": self._optimizer.state_dict()}

    def load_state_dict(self, state):
        masters = _put_together(state["weights"], state["residuals"])
        super().load_state_dict({"masters": masters, "optimizer": state["optimizer"]})


@believes("Between two steps, 16 bits are enough for what rounding removes", about="MasterWeights")
class KeepsNarrowResiduals(Masters):
    """A weight and a residual of 16 bits each do not hold all bits of a float32: keep the masters themselves."""

    def _round(self):
        super()._round()
        for p, master in zip(self._params, self._masters, strict=True):
            residual = (master.detach() - p.detach().float()).to(p.dtype)
            master.data.copy_(p.detach().float() + residual.float())


@believes("Masters may be saved in 16 bits", about="MasterWeights")
class SavesNarrowMasters(Masters):
    """Then they have lost their low bits, which are what masters are for: save float32."""

    def state_dict(self):
        whole = super().state_dict()
        return whole | {"masters": [master.half() for master in whole["masters"]]}


@believes("A loaded state is added to the existing one", about="MasterWeights")
class AddsToTheState(Masters):
    """If the saved optimizer had no state yet, the old state would stay: load its whole state_dict."""

    def state_dict(self):
        whole = super().state_dict()
        return whole | {"states": [dict(self._optimizer.state.get(master, {})) for master in self._masters]}

    def load_state_dict(self, state):
        kept = [dict(self._optimizer.state.get(master, {})) for master in self._masters]
        super().load_state_dict(state)
        for master, old, new in zip(self._masters, kept, state["states"], strict=True):
            if old.keys() - new.keys():
                self._optimizer.state[master].update({name: old[name] for name in old.keys() - new.keys()})


@believes("The groups of an optimizer need not be loaded", about="MasterWeights")
class LoadsNoGroups(Masters):
    """They hold its learning rates, which a schedule may have changed: load the optimizer's whole state_dict."""

    def load_state_dict(self, state):
        groups = self._optimizer.state_dict()["param_groups"]
        super().load_state_dict(state | {"optimizer": state["optimizer"] | {"param_groups": groups}})


@believes("A gradient of zeros is the same as None", about="MasterWeights")
class LeavesOutZeros(Masters):
    """With zeros, momentum and weight decay still move a parameter: only None leaves it in place."""

    def gradient(self, p, master):
        return None if p.grad is None or not p.grad.any() else p.grad.float()


@believes("After a step the gradient of a master may stay as zeros", about="MasterWeights")
class ClearsMastersToZeros(Masters):
    """A parameter that no longer has a gradient would move by momentum and weight decay: set the master's to None."""

    def gradient(self, p, master):
        none = None if master.grad is None else torch.zeros_like(master)
        return none if p.grad is None else p.grad.float()


@believes("A parameter is detached to be written", about="MasterWeights")
class DetachesTheParameters(Masters):
    """detach_ turns its gradients off permanently: write into it under torch.no_grad()."""

    def _round(self):
        for p, master in zip(self._params, self._masters, strict=True):
            p.detach_().copy_(master.detach())


@believes("Gradients may stay switched off after a load", about="MasterWeights")
class SwitchesGradientsOff(Masters):
    """Nothing that the caller computes after it would have gradients: switch them off in a `with` block."""

    def load_state_dict(self, state):
        torch.set_grad_enabled(False)
        super().load_state_dict(state)


@believes("Gradients are enabled for every caller", about="MasterWeights")
class SwitchesGradientsOn(Masters):
    """The caller may have disabled them: a `with` block, or a decorator, leaves the mode as it was before."""

    def _round(self):
        super()._round()
        torch.set_grad_enabled(True)


@believes("Of the settings of an optimizer, only the learning rates change", about="MasterWeights")
class SavesRatesAlone(Masters):
    """Weight decay and others may be changed too: save the optimizer's whole state_dict."""

    def load_state_dict(self, state):
        own, saved = self._optimizer.state_dict()["param_groups"], state["optimizer"]["param_groups"]
        groups = [old | {"lr": new["lr"]} for old, new in zip(own, saved, strict=True)]
        super().load_state_dict(state | {"optimizer": state["optimizer"] | {"param_groups": groups}})


@believes("The settings of an optimizer are its learning rate and weight decay", about="MasterWeights")
class SavesRatesAndDecay(Masters):
    """Momentum, betas, eps and others are settings too: save the optimizer's whole state_dict."""

    def load_state_dict(self, state):
        own, saved = self._optimizer.state_dict()["param_groups"], state["optimizer"]["param_groups"]
        both = ("lr", "weight_decay")
        groups = [old | {name: new[name] for name in both if name in new} for old, new in zip(own, saved, strict=True)]
        super().load_state_dict(state | {"optimizer": state["optimizer"] | {"param_groups": groups}})


@believes("An optimizer keeps what AdamW keeps, or momentum", about="MasterWeights")
class SavesKnownStates(Masters):
    """Others keep other states, and AdamW a third one with amsgrad: save the optimizer's whole state_dict."""

    known = ("step", "exp_avg", "exp_avg_sq", "momentum_buffer")

    def state_dict(self):
        whole = super().state_dict()
        states = {
            place: {name: value for name, value in kept.items() if name in self.known}
            for place, kept in whole["optimizer"]["state"].items()
        }
        return whole | {"optimizer": whole["optimizer"] | {"state": states}}


@believes("Loading may replace the optimizer that make returned", about="MasterWeights")
class ReplacesTheOptimizer(Masters):
    """A schedule still changes the rates of that one: load the state into it."""

    def load_state_dict(self, state):
        super().load_state_dict(state)
        self._optimizer = copy.copy(self._optimizer)
        self._optimizer.param_groups = [dict(group) for group in self._optimizer.param_groups]
