"""Right answers to kata 13 about scalers and master weights that keep what they need in other forms."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method does is said in the stub

import math

import torch

from dojo.judging.diagnose import answers


@answers("LossScaler")
class ScalerOfALog:
    """What was called is a list, and the count goes on where the scale can grow no further: it makes no difference."""

    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000):
        if not (init_scale > 0 and growth_factor > 1 and 0 < backoff_factor < 1 and growth_interval >= 1):
            raise ValueError("settings")
        self.kept = {"scale": float(init_scale), "up": growth_factor, "down": backoff_factor, "every": growth_interval}
        self.kept["good"] = 0
        self.log = []

    def scale(self, loss):
        return loss * torch.as_tensor(self.kept["scale"], dtype=loss.dtype)

    def _calls(self, optimizer):
        return [call for call, of, _ in self.log if of is optimizer]

    def unscale_(self, optimizer):
        if self._calls(optimizer):
            raise RuntimeError("again")
        gradients = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        with torch.no_grad():
            torch._foreach_mul_(gradients, 1.0 / self.kept["scale"])
        numbers = torch.cat([gradient.flatten() for gradient in gradients])
        self.log.append(("unscale_", optimizer, bool((numbers.isnan() | numbers.isinf()).any())))

    def step(self, optimizer):
        if "step" in self._calls(optimizer):
            raise RuntimeError("again")
        if not self._calls(optimizer):
            self.unscale_(optimizer)
        bad = any(found for _, of, found in self.log if of is optimizer)
        self.log.append(("step", optimizer, False))
        if not bad:
            optimizer.step()

    def update(self):
        kept = self.kept
        kept["good"] += 1
        grown = torch.tensor(kept["scale"] * kept["up"], dtype=torch.float32).item()
        if any(found for *_, found in self.log):
            kept["scale"], kept["good"] = kept["scale"] * kept["down"], 0
        elif kept["good"] >= kept["every"] and math.isfinite(grown):
            kept["scale"], kept["good"] = grown, 0
        self.log = []

    def get_scale(self):
        return self.kept["scale"]

    def state_dict(self):
        return dict(self.kept)

    def load_state_dict(self, state):
        self.kept = dict(state)


@answers("MasterWeights")
class MastersInOneBuffer:
    """Masters are views of one tensor, which is saved as the upper and the lower half of its bits."""

    def __init__(self, params, make):
        self.params = list(params)
        self.buffer = torch.cat([p.detach().reshape(-1).to(torch.float32) for p in self.params])
        parts = self.buffer.split([p.numel() for p in self.params])
        self.masters = [
            part.view(p.shape).detach().requires_grad_() for p, part in zip(self.params, parts, strict=True)
        ]
        self.optimizer = make(self.masters)

    def step(self):
        for p, master in zip(self.params, self.masters, strict=True):
            master.grad = p.grad.to(torch.float32) if p.grad is not None else None
        self.optimizer.step()
        for p, master in zip(self.params, self.masters, strict=True):
            master.grad = None
            p.data.copy_(master.detach())

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def state_dict(self):
        bits = self.buffer.view(torch.int32)
        halves = {"upper": (bits >> 16).to(torch.int16), "lower": (bits & 0xFFFF).to(torch.int32)}
        return halves | {"optimizer": self.optimizer.state_dict()}

    def load_state_dict(self, state):
        self.buffer.view(torch.int32).copy_(state["upper"].to(torch.int32) << 16 | state["lower"])
        self.optimizer.load_state_dict(state["optimizer"])
        for p, master in zip(self.params, self.masters, strict=True):
            p.data.copy_(master.detach())


@answers("MasterWeights")
class MastersAsModuleParameters:
    """Their numbers lie in a module, whose state_dict is saved and loaded."""

    def __init__(self, params, make):
        self.params = params
        self.module = torch.nn.ParameterList([torch.nn.Parameter(p.detach().float()) for p in params])
        self.optimizer = make(list(self.module))

    def _pairs(self):
        return list(zip(self.params, self.module, strict=True))

    @torch.no_grad()
    def _write(self):
        torch._foreach_copy_([p for p, _ in self._pairs()], [master.to(p.dtype) for p, master in self._pairs()])

    def step(self):
        self.module.zero_grad()
        for p, master in self._pairs():
            if p.grad is not None:
                master.grad = torch.empty_like(master).copy_(p.grad)
        self.optimizer.step()
        self._write()

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def state_dict(self):
        return {"module": self.module.state_dict(), "optimizer": self.optimizer.state_dict()}

    def load_state_dict(self, state):
        self.module.load_state_dict(state["module"])
        self.optimizer.load_state_dict(state["optimizer"])
        self._write()
