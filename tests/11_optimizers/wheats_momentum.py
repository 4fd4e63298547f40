"""Right answers to kata 11 about SGD and RMSProp."""
# mypy: ignore-errors

import numpy as np
import torch
from torch.optim import Optimizer

from dojo.judging.diagnose import answers


class Own:
    """An optimizer that is no torch.optim.Optimizer, and computes in numpy's float64."""

    settings = {}

    def __init__(self, params, *values, **named):
        given = dict(zip(self.settings, values, strict=False)) | named
        if given.keys() - self.settings.keys():
            raise TypeError("no such setting")
        self.refuse(self.settings | given)
        listed = list(params)
        groups = listed if listed and isinstance(listed[0], dict) else [{"params": listed}]
        self.param_groups = [self.settings | given | group | {"params": list(group["params"])} for group in groups]
        self.memory = [[None for _ in group["params"]] for group in self.param_groups]

    def refuse(self, settings):
        for name, value in settings.items():
            low, high = (min(value), max(value)) if name == "betas" else (value, 0)
            if (low < 0 and name != "dampening") or high >= 1:
                raise ValueError(name)
        if settings.get("nesterov") and (settings["momentum"] == 0 or settings["dampening"] != 0):
            raise ValueError("nesterov")

    def state_dict(self):
        groups = [{key: group[key] for key in group if key != "params"} for group in self.param_groups]
        return {"settings": groups, "memory": self.memory}

    def load_state_dict(self, saved):
        for group, settings in zip(self.param_groups, saved["settings"], strict=True):
            group.update(settings)
        self.memory = saved["memory"]

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group, memory in zip(self.param_groups, self.memory, strict=True):
                for index, p in enumerate(group["params"]):
                    if p.grad is not None:
                        value, grad = (np.array(x.tolist(), dtype=float).reshape(x.shape) for x in (p, p.grad))
                        past = [np.reshape(x, p.shape) for x in memory[index] or ()]
                        value, past = self.update(value, grad, past, **group)
                        p.copy_(torch.from_numpy(np.asarray(value)))
                        memory[index] = [np.asarray(x).tolist() for x in past]
        return loss


class Stepping(Optimizer):
    """Calls the closure, and `move` for each group and its parameters that have a gradient."""

    def step(self, closure=None):
        loss = torch.enable_grad()(closure)() if closure else None
        with torch.no_grad():
            for group in self.param_groups:
                moved = [p for p in group["params"] if p.grad is not None]
                if moved:
                    self.move(moved, [p.grad for p in moved], [self.state[p] for p in moved], group)
        return loss


# SGD


@answers("SGD")
class SGDAsTorchWroteIt(Optimizer):
    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        if lr < 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params, dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov)
        )

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                if group["weight_decay"] != 0:
                    d_p = d_p.add(p.data, alpha=group["weight_decay"])
                if group["momentum"] != 0:
                    param_state = self.state[p]
                    if "momentum_buffer" not in param_state:
                        buf = param_state["momentum_buffer"] = torch.clone(d_p).detach()
                    else:
                        buf = param_state["momentum_buffer"]
                        buf.mul_(group["momentum"]).add_(d_p, alpha=1 - group["dampening"])
                    d_p = d_p.add(buf, alpha=group["momentum"]) if group["nesterov"] else buf
                p.data.add_(d_p, alpha=-group["lr"])
        return loss


@answers("SGD")
class SGDOfItsOwn(Own):
    settings = {"lr": 0.01, "momentum": 0.0, "dampening": 0.0, "weight_decay": 0.0, "nesterov": False}

    def update(self, value, grad, past, lr, momentum, dampening, weight_decay, nesterov, **_):
        grad = grad + weight_decay * value
        past = [momentum * past[0] + (1 - dampening) * grad] if past else [grad]
        along = grad + momentum * past[0] if nesterov else past[0] if momentum else grad
        return value - lr * along, past


@answers("SGD")
class SGDByEveryGradientSoFar(Stepping):
    """All gradients are remembered, and the buffer is summed up anew in each step."""

    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        settings = {"lr": lr, "momentum": momentum, "weight_decay": weight_decay}
        if min(settings.values()) < 0 or nesterov and not (momentum and not dampening):
            raise ValueError(settings)
        super().__init__(params, settings | {"dampening": dampening, "nesterov": nesterov})

    def move(self, moved, grads, states, group):
        for p, grad, state in zip(moved, grads, states, strict=True):
            past = state.setdefault("past", [])
            past.append(grad + p * group["weight_decay"])
            step = past[-1]
            if group["momentum"]:
                weights = [group["momentum"] ** age * (1 - group["dampening"]) for age in range(len(past))][::-1]
                weights[0] = group["momentum"] ** (len(past) - 1)
                buffer = sum(weight * x for weight, x in zip(weights, past, strict=True))
                step = step + group["momentum"] * buffer if group["nesterov"] else buffer
            p -= group["lr"] * step


@answers("SGD")
class SGDByAllAtOnce(Stepping):
    def __init__(self, params, lr=0.01, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
        if not (lr >= 0 and momentum >= 0 and weight_decay >= 0):
            raise ValueError("negative")
        if nesterov and dampening != 0 or nesterov and momentum == 0:
            raise ValueError("nesterov")
        defaults = dict(lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay)
        super().__init__(params, defaults={**defaults, "nesterov": nesterov})

    def move(self, moved, grads, states, group):
        grads = torch._foreach_add(grads, moved, alpha=group["weight_decay"])
        if group["momentum"]:
            for grad, state in zip(grads, states, strict=True):
                old = state.get("velocity")
                fresh = grad.clone() if old is None else old * group["momentum"] + grad * (1 - group["dampening"])
                state["velocity"] = fresh
            buffers = [state["velocity"] for state in states]
            grads = torch._foreach_add(grads, buffers, alpha=group["momentum"]) if group["nesterov"] else buffers
        torch._foreach_add_(moved, grads, alpha=-group["lr"])


# RMSProp


@answers("RMSProp")
class RMSPropAsTorchWroteIt(Optimizer):
    """Its state begins when it is made, and there is a buffer only where there is momentum."""

    def __init__(self, params, lr=1e-2, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0):
        for value in (lr, alpha, eps, weight_decay, momentum):
            if not 0.0 <= value:
                raise ValueError(f"Invalid value: {value}")
        super().__init__(
            params, {"lr": lr, "alpha": alpha, "eps": eps, "weight_decay": weight_decay, "momentum": momentum}
        )
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["square_avg"] = torch.zeros_like(p, memory_format=torch.preserve_format).detach()

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad, state = p.grad, self.state[p]
                if group["weight_decay"] != 0:
                    grad = grad.add(p, alpha=group["weight_decay"])
                state["square_avg"].mul_(group["alpha"]).addcmul_(grad, grad, value=1 - group["alpha"])
                avg = state["square_avg"].sqrt().add_(group["eps"])
                if group["momentum"] > 0:
                    buf = state.setdefault("momentum_buffer", torch.zeros_like(p))
                    buf.mul_(group["momentum"]).addcdiv_(grad, avg)
                    p.add_(buf, alpha=-group["lr"])
                else:
                    p.addcdiv_(grad, avg, value=-group["lr"])
        return loss


@answers("RMSProp")
class RMSPropOfItsOwn(Own):
    settings = {"lr": 0.01, "alpha": 0.99, "eps": 1e-8, "weight_decay": 0.0, "momentum": 0.0}

    def update(self, value, grad, past, lr, alpha, eps, weight_decay, momentum, **_):
        squares, buffer = past or (0.0 * value, 0.0 * value)
        grad = grad + weight_decay * value
        squares = squares + (1 - alpha) * (grad * grad - squares)
        buffer = momentum * buffer + grad / (np.sqrt(squares) + eps)
        return value - lr * buffer, [squares, buffer]


@answers("RMSProp")
class RMSPropByAllAtOnce(Stepping):
    def __init__(self, params, lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0):
        settings = dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum)
        if any(value < 0 for value in settings.values()):
            raise ValueError(settings)
        super().__init__(params, settings)

    def move(self, moved, grads, states, group):
        for p, state in zip(moved, states, strict=True):
            state.setdefault("v", torch.zeros_like(p))
            state.setdefault("b", torch.zeros_like(p))
        squares, buffers = [state["v"] for state in states], [state["b"] for state in states]
        grads = torch._foreach_add(grads, moved, alpha=group["weight_decay"])
        torch._foreach_mul_(squares, group["alpha"])
        torch._foreach_addcmul_(squares, grads, grads, 1 - group["alpha"])
        divisors = torch._foreach_sqrt(squares)
        torch._foreach_add_(divisors, group["eps"])
        torch._foreach_mul_(buffers, group["momentum"])
        torch._foreach_addcdiv_(buffers, grads, divisors)
        torch._foreach_add_(moved, buffers, alpha=-group["lr"])


@answers("RMSProp")
class RMSPropInWideNumbers(Stepping):
    """The states are float32 at least, also where the parameters are narrower; the parameters stay what they are."""

    def __init__(self, params, lr=0.01, alpha=0.99, eps=1e-8, weight_decay=0.0, momentum=0.0):
        if min(lr, alpha, eps, weight_decay, momentum) < 0:
            raise ValueError("negative setting")
        super().__init__(params, dict(lr=lr, alpha=alpha, eps=eps, weight_decay=weight_decay, momentum=momentum))

    def move(self, moved, grads, states, group):
        for p, grad, state in zip(moved, grads, states, strict=True):
            wide = torch.promote_types(p.dtype, torch.float32)
            grad = grad.to(wide) + group["weight_decay"] * p.to(wide)
            squares, buffer = state.get("both", (torch.zeros_like(grad), torch.zeros_like(grad)))
            squares = squares * group["alpha"] + (grad**2) * (1 - group["alpha"])
            buffer = buffer * group["momentum"] + grad / (squares**0.5 + group["eps"])
            state["both"] = [squares, buffer]
            p.copy_(p.to(wide) - group["lr"] * buffer)
