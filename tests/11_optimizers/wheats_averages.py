"""Right answers to kata 11 about averages, and about Adam and AdamW, which live on them."""
# mypy: ignore-errors

import itertools
import math

import numpy as np
import torch
from torch.optim import Optimizer

from dojo.judging.diagnose import answers

from .wheats_momentum import Own, Stepping

# running_average


@answers("running_average")
def by_weights(values, beta, corrected=True):
    if beta < 0 or beta >= 1:
        raise ValueError(beta)
    averages = []
    for count in range(1, len(values) + 1):
        weights = [(1 - beta) * beta**age for age in range(count)][::-1]
        total = math.fsum(weight * value for weight, value in zip(weights, values[:count], strict=True))
        averages.append(total / math.fsum(weights) if corrected else total)
    return averages


@answers("running_average")
def by_a_power_of_beta(values, beta, corrected=True):
    if not (beta >= 0.0 and beta < 1.0):
        raise ValueError("beta")
    steps = itertools.accumulate(values, lambda m, value: m + (1 - beta) * (value - m), initial=0.0)
    return [m / (1 - beta**t if corrected else 1) for t, m in enumerate(steps) if t]


@answers("running_average")
def by_numpy(values, beta, corrected=True):
    if not 0 <= beta < 1:
        raise ValueError
    ages = np.subtract.outer(np.arange(len(values)), np.arange(len(values)))
    weights = np.where(ages >= 0, (1 - beta) * np.float64(beta) ** np.maximum(ages, 0), 0.0)
    averages = weights @ np.asarray(values, dtype=float)
    return (averages / weights.sum(1) if corrected else averages).tolist()


@answers("running_average")
def by_the_last_one(values, beta, corrected=True):
    if not 0 <= beta < 1:
        raise ValueError("no beta")
    if not values:
        return []
    raw = by_the_last_one(values[:-1], beta, False)
    m = beta * (raw[-1] if raw else 0.0) + (1 - beta) * values[-1]
    before = by_the_last_one(values[:-1], beta, corrected)
    return [*before, m / -math.expm1(len(values) * math.log(beta)) if corrected and beta else m]


# Adam


@answers("Adam")
class AdamAsTorchWroteIt(Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        if not 0.0 <= lr:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not 0.0 <= eps:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for index in (0, 1):
            if not 0.0 <= betas[index] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {index}: {betas[index]}")
        if not 0.0 <= weight_decay:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = torch.tensor(0.0)
                    state["exp_avg"] = torch.zeros_like(p)
                    state["exp_avg_sq"] = torch.zeros_like(p)
                state["step"] += 1
                self.update(p, p.grad, state, state["step"].item(), beta1, beta2, group)
        return loss

    def update(self, p, grad, state, step, beta1, beta2, group):
        if group["weight_decay"] != 0:
            grad = grad.add(p, alpha=group["weight_decay"])
        state["exp_avg"].mul_(beta1).add_(grad, alpha=1 - beta1)
        state["exp_avg_sq"].mul_(beta2).addcmul_(grad, grad.conj(), value=1 - beta2)
        denom = (state["exp_avg_sq"].sqrt() / math.sqrt(1 - beta2**step)).add_(group["eps"])
        p.addcdiv_(state["exp_avg"], denom, value=-group["lr"] / (1 - beta1**step))


@answers("Adam")
class AdamOfItsOwn(Own):
    """The weights of the averages are averaged as well, of ones."""

    settings = {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0.0}

    def update(self, value, grad, past, lr, betas, eps, weight_decay, **_):
        grad = grad + weight_decay * value
        zeros = np.zeros_like(value)
        past = past or [zeros, zeros, zeros, zeros]
        past = [
            beta * x + (1 - beta) * new
            for beta, x, new in zip(betas * 2, past, (grad, grad**2, zeros + 1, zeros + 1), strict=True)
        ]
        m, v, of_m, of_v = past
        return value - lr * (m / of_m) / (np.sqrt(v / of_v) + eps), past


@answers("Adam")
class AdamByEveryGradientSoFar(Stepping):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.0):
        if min(lr, eps, weight_decay, *betas) < 0 or max(betas) >= 1:
            raise ValueError("settings")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def move(self, moved, grads, states, group):
        for p, grad, state in zip(moved, grads, states, strict=True):
            state["past"] = [*state.get("past", []), grad + p * group["weight_decay"]]
            stacked = torch.stack(state["past"])
            m, v = (self.average(x, beta) for x, beta in zip((stacked, stacked**2), group["betas"], strict=True))
            p -= group["lr"] * m / (v.sqrt() + group["eps"])

    @staticmethod
    def average(stacked, beta):
        ages = torch.arange(len(stacked) - 1, -1, -1, device=stacked.device)
        weights = torch.tensor(float(beta), dtype=torch.float64, device=stacked.device) ** ages
        weights = (weights / weights.sum()).to(stacked.dtype)
        return torch.tensordot(weights, stacked, 1)


@answers("Adam")
class AdamInWideNumbers(Stepping):
    """The states are float32 at least, and there is one dict of them for all."""

    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.0):
        first, second = betas
        if lr < 0 or eps < 0 or weight_decay < 0 or not 0 <= first < 1 or not 0 <= second < 1:
            raise ValueError("settings")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def move(self, moved, grads, states, group):
        for p, grad, state in zip(moved, grads, states, strict=True):
            wide = torch.promote_types(p.dtype, torch.float32)
            value, grad = p.to(wide), grad.to(wide)
            p.copy_(self.moved(value, grad, state, group["lr"], *group["betas"], group["eps"], group["weight_decay"]))

    def moved(self, value, grad, state, lr, beta1, beta2, eps, weight_decay):
        return self.adam(value, grad + weight_decay * value, state, lr, beta1, beta2, eps)

    def adam(self, value, grad, state, lr, beta1, beta2, eps):
        t = state["t"] = state.get("t", 0) + 1
        m = state["m"] = beta1 * state.get("m", 0.0) + (1 - beta1) * grad
        v = state["v"] = beta2 * state.get("v", 0.0) + (1 - beta2) * grad * grad
        scale = math.sqrt(1 - beta2**t)
        return value - lr * scale / (1 - beta1**t) * m / (v.sqrt() + eps * scale)


# AdamW


@answers("AdamW")
class AdamWAsTorchWroteIt(AdamAsTorchWroteIt):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2):
        super().__init__(params, lr, betas, eps, weight_decay)

    def update(self, p, grad, state, step, beta1, beta2, group):
        p.mul_(1 - group["lr"] * group["weight_decay"])
        super().update(p, grad, state, step, beta1, beta2, {**group, "weight_decay": 0})


@answers("AdamW")
class AdamWOfItsOwn(AdamOfItsOwn):
    settings = {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0.01}

    def update(self, value, grad, past, lr, betas, eps, weight_decay, **_):
        shrunk = value - lr * weight_decay * value
        return super().update(shrunk, grad, past, lr, betas, eps, 0.0)


@answers("AdamW")
class AdamWInWideNumbers(AdamInWideNumbers):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01):
        super().__init__(params, lr, betas, eps, weight_decay)

    def moved(self, value, grad, state, lr, beta1, beta2, eps, weight_decay):
        return self.adam(value, grad, state, lr, beta1, beta2, eps) - value * lr * weight_decay


@answers("AdamW")
class AdamWByAllAtOnce(Stepping):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01):
        if any(value < 0 for value in (lr, eps, weight_decay)) or any(not 0 <= beta < 1 for beta in betas):
            raise ValueError("settings")
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def move(self, moved, grads, states, group):
        beta1, beta2 = group["betas"]
        for p, state in zip(moved, states, strict=True):
            if "steps" not in state:
                state.update(steps=0, m=torch.zeros_like(p), v=torch.zeros_like(p))
            state["steps"] += 1
        m, v = [state["m"] for state in states], [state["v"] for state in states]
        torch._foreach_mul_(moved, 1 - group["lr"] * group["weight_decay"])
        torch._foreach_lerp_(m, grads, 1 - beta1)
        torch._foreach_mul_(v, beta2)
        torch._foreach_addcmul_(v, grads, grads, 1 - beta2)
        v_hat = torch._foreach_div(v, [1 - beta2 ** state["steps"] for state in states])
        torch._foreach_sqrt_(v_hat)
        torch._foreach_add_(v_hat, group["eps"])
        rates = [-group["lr"] / (1 - beta1 ** state["steps"]) for state in states]
        torch._foreach_addcdiv_(moved, m, v_hat, rates)
