"""Right answers to kata 13 about loss scalers and master weights, in styles that the solution does not use."""
# mypy: ignore-errors
# ruff: noqa: D102 - what a method does is said in the stub

import copy
import math
from collections import defaultdict
from dataclasses import asdict, dataclass, field

import torch

from dojo.judging.diagnose import answers

# LossScaler


@answers("LossScaler")
@dataclass
class ScalerOfData:
    init_scale: float = 65536.0
    growth_factor: float = 2.0
    backoff_factor: float = 0.5
    growth_interval: int = 2000
    count: int = 0
    stage: dict = field(default_factory=dict)

    def __post_init__(self):
        good = self.init_scale > 0, self.growth_factor > 1, 0 < self.backoff_factor < 1, self.growth_interval >= 1
        if not all(good):
            raise ValueError(good)
        self.init_scale = float(self.init_scale)

    def get_scale(self):
        return self.init_scale

    def scale(self, loss):
        return torch.mul(loss, torch.tensor(self.init_scale))

    def unscale_(self, optimizer):
        if id(optimizer) in self.stage:
            raise RuntimeError("once is enough")
        bad = torch.tensor(False)
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.grad *= 1.0 / self.init_scale
                    bad = bad | ~torch.isfinite(p.grad).all().cpu()
        self.stage[id(optimizer)] = "bad" if bad else "good"

    def step(self, optimizer):
        if self.stage.get(id(optimizer), "").endswith("stepped"):
            raise RuntimeError("it has stepped")
        if id(optimizer) not in self.stage:
            self.unscale_(optimizer)
        if self.stage[id(optimizer)] == "good":
            optimizer.step()
        self.stage[id(optimizer)] += ", stepped"

    def update(self):
        if any(told.startswith("bad") for told in self.stage.values()):
            self.init_scale *= self.backoff_factor
            self.count = 0
        else:
            self.count = (self.count + 1) % self.growth_interval
            if self.count == 0 and torch.tensor(self.init_scale * self.growth_factor).isfinite():
                self.init_scale *= self.growth_factor
        self.stage.clear()

    def state_dict(self):
        return {name: value for name, value in asdict(self).items() if name != "stage"}

    def load_state_dict(self, state):
        vars(self).update(state)


class _Multiply(torch.autograd.Function):
    @staticmethod
    def forward(ctx, loss, scale):
        ctx.scale = scale
        return loss * scale

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.scale, None


@answers("LossScaler")
class ScalerOfTensors:
    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000):
        if not init_scale > 0:
            raise ValueError("init_scale")
        if not growth_factor > 1:
            raise ValueError("growth_factor")
        if not (backoff_factor > 0 and backoff_factor < 1):
            raise ValueError("backoff_factor")
        if not growth_interval >= 1:
            raise ValueError("growth_interval")
        self.now = torch.tensor([init_scale, growth_factor, backoff_factor, growth_interval, 0], dtype=torch.float64)
        self.known = []

    def scale(self, loss):
        return _Multiply.apply(loss, self.get_scale())

    def get_scale(self):
        return self.now[0].item()

    def _entry(self, optimizer):
        for entry in self.known:
            if entry["optimizer"] is optimizer:
                return entry
        self.known.append({"optimizer": optimizer, "norm": None, "done": False})
        return self.known[-1]

    def unscale_(self, optimizer):
        entry = self._entry(optimizer)
        if entry["norm"] is not None or entry["done"]:
            raise RuntimeError("unscale_ after unscale_ or step")
        grads = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        torch._foreach_div_(grads, self.get_scale())
        # 0 · inf and 0 · nan are nan.
        entry["norm"] = sum(float((grad.detach() * 0).sum()) for grad in grads)

    def step(self, optimizer):
        entry = self._entry(optimizer)
        if entry["done"]:
            raise RuntimeError("step after step")
        if entry["norm"] is None:
            self.unscale_(optimizer)
        entry["done"] = True
        if entry["norm"] == 0:
            optimizer.step()

    def update(self):
        scale, growth, backoff, interval, count = self.now.tolist()
        if any(entry["norm"] != 0 for entry in self.known if entry["norm"] is not None):
            scale, count = scale * backoff, 0
        elif count + 1 < interval:
            count += 1
        else:
            scale, count = (scale * growth if scale * growth < 2.0**128 else scale), 0
        self.now = torch.tensor([scale, growth, backoff, interval, count], dtype=torch.float64)
        self.known = []

    def state_dict(self):
        return {"now": self.now.tolist()}

    def load_state_dict(self, state):
        self.now = torch.tensor(state["now"], dtype=torch.float64)


@answers("LossScaler")
class ScalerOfSets:
    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000):
        if init_scale <= 0 or growth_factor <= 1 or backoff_factor <= 0 or backoff_factor >= 1 or growth_interval < 1:
            raise ValueError("no such scaler")
        self._exponent = math.log2(init_scale)
        self._up, self._down, self._every = growth_factor, backoff_factor, growth_interval
        self._good = 0
        self._forget()

    def _forget(self):
        self._unscaled, self._bad, self._over = set(), set(), set()

    def scale(self, loss):
        return loss.mul(self.get_scale())

    def get_scale(self):
        return 2.0**self._exponent

    def unscale_(self, optimizer):
        if optimizer in self._unscaled | self._over:
            raise RuntimeError("no")
        self._unscaled.add(optimizer)
        for p in (p for group in optimizer.param_groups for p in group["params"]):
            if p.grad is not None:
                p.grad.copy_(p.grad / self.get_scale())
                if (p.grad - p.grad).ne(0).any():
                    self._bad.add(optimizer)

    def step(self, optimizer):
        if optimizer in self._over:
            raise RuntimeError("no")
        if optimizer not in self._unscaled:
            self.unscale_(optimizer)
        self._over.add(optimizer)
        return None if optimizer in self._bad else optimizer.step()

    def update(self):
        self._good = 0 if self._bad else self._good + 1
        if self._bad:
            self._exponent += math.log2(self._down)
        if self._good == self._every:
            self._good = 0
            more = self._exponent + math.log2(self._up)
            self._exponent = more if more < 128 else self._exponent
        self._forget()

    def state_dict(self):
        return copy.copy({name: value for name, value in vars(self).items() if isinstance(value, int | float)})

    def load_state_dict(self, state):
        for name, value in state.items():
            setattr(self, name, value)


# MasterWeights


@answers("MasterWeights")
class MastersInPairs:
    def __init__(self, params, make):
        self.pairs = [(p, torch.nn.Parameter(p.data.to(torch.float32))) for p in params]
        self.optimizer = make([wide for _, wide in self.pairs])

    def step(self):
        for narrow, wide in self.pairs:
            wide.grad = narrow.grad if narrow.grad is None else narrow.grad.to(torch.float32)
        self.optimizer.step()
        self.optimizer.zero_grad()
        for narrow, wide in self.pairs:
            narrow.data[...] = wide.data

    def zero_grad(self):
        for narrow, _ in self.pairs:
            narrow.grad = None

    def state_dict(self):
        wides = {f"master {place}": wide.data for place, (_, wide) in enumerate(self.pairs)}
        return wides | {"rest": self.optimizer.state_dict()}

    def load_state_dict(self, state):
        self.optimizer.load_state_dict(state["rest"])
        for place, (narrow, wide) in enumerate(self.pairs):
            wide.data = state[f"master {place}"].clone()
            narrow.data.copy_(wide.data)


@answers("MasterWeights")
class MastersOfAnOptimizer:
    def __init__(self, params, make):
        self.narrow = list(params)
        wide = [torch.zeros(p.shape, requires_grad=True) for p in self.narrow]
        with torch.no_grad():
            torch._foreach_copy_(wide, [p.detach() for p in self.narrow])
        self.optimizer = make(wide)
        self.wide = tuple(wide)

    @torch.no_grad()
    def _write(self):
        for p, wide in zip(self.narrow, self.wide, strict=True):
            p.set_(p.copy_(wide.to(p.dtype)))

    def step(self):
        for place, p in enumerate(self.narrow):
            self.wide[place].grad = None
            if p.grad is not None:
                self.wide[place].grad = p.grad.detach().clone().float()
        self.optimizer.step()
        self._write()

    def zero_grad(self):
        for p in self.narrow:
            del p.grad

    def state_dict(self):
        return {"optimizer": self.optimizer.state_dict(), "wide": [wide.tolist() for wide in self.wide]}

    @torch.no_grad()
    def load_state_dict(self, state):
        for wide, saved in zip(self.wide, state["wide"], strict=True):
            wide.copy_(torch.tensor(saved, dtype=torch.float32))
        self.optimizer.load_state_dict(state["optimizer"])
        self._write()


@answers("MasterWeights")
class MastersThatKeepTheLowBits:
    """Only what rounding takes is kept between two steps; the masters are put together for each."""

    def __init__(self, params, make):
        self.params, self.lost = params, [torch.zeros(p.shape, dtype=torch.float64) for p in params]
        self.masters = [p.detach().clone().float().requires_grad_(True) for p in params]
        self.optimizer = make(self.masters)

    def _round(self):
        for place, (p, master) in enumerate(zip(self.params, self.masters, strict=True)):
            p.data.copy_(master.data)
            self.lost[place] = master.data.double() - p.data.double()

    def _put_together(self):
        for p, master, lost in zip(self.params, self.masters, self.lost, strict=True):
            master.data.copy_(p.data.double() + lost)

    def step(self):
        self._put_together()
        gradients = defaultdict(
            lambda: None, {n: p.grad.float() for n, p in enumerate(self.params) if p.grad is not None}
        )
        for place, master in enumerate(self.masters):
            master.grad = gradients[place]
        self.optimizer.step()
        self._round()

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def state_dict(self):
        return {
            "narrow": [p.detach().clone() for p in self.params],
            "lost": self.lost,
            "optimizer": self.optimizer.state_dict(),
        }

    def load_state_dict(self, state):
        for p, saved in zip(self.params, state["narrow"], strict=True):
            p.data.copy_(saved)
        self.lost = list(state["lost"])
        self._put_together()
        self.optimizer.load_state_dict(state["optimizer"])
