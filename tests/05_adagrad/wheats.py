"""Right answers to kata 05 in styles that the solution does not use."""

import itertools
from collections import Counter

import numpy as np
import torch
from torch import nn
from torch.optim import Optimizer

from dojo.judging.diagnose import answers

# SGD


@answers("SGD")
class SGDByTheData(Optimizer):
    def __init__(self, params, lr=0.01):
        if not lr >= 0:
            raise ValueError("negative lr")
        super().__init__(params, dict(lr=lr))

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in filter(lambda p: p.grad is not None, group["params"]):
                p.data.add_(p.grad.data, alpha=-group["lr"])
        return loss


@answers("SGD")
class SGDByAllAtOnce(Optimizer):
    def __init__(self, params, lr=0.01):
        if lr < 0:
            raise ValueError("negative lr")
        super().__init__(params, defaults={"lr": lr})

    def step(self, closure=None):
        loss = torch.enable_grad()(closure)() if closure else None
        before = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        try:
            for group in self.param_groups:
                moved = [p for p in group["params"] if p.grad is not None]
                if moved:
                    torch._foreach_add_(moved, [p.grad for p in moved], alpha=-group["lr"])
        finally:
            torch.set_grad_enabled(before)
        return loss


@answers("SGD")
class SGDByAFreshCopy(Optimizer):
    def __init__(self, params, lr=0.01):
        if lr < 0:
            raise ValueError("negative lr")
        super().__init__(params, {"lr": lr})

    def step(self, closure=None):
        result = None
        if closure:
            with torch.set_grad_enabled(True):
                result = closure()
        for p, lr in [(p, group["lr"]) for group in self.param_groups for p in group["params"]]:
            if isinstance(p.grad, torch.Tensor):
                moved = torch.lerp(p.detach(), p.detach() - p.grad, lr)
                with torch.no_grad():
                    p.copy_(moved)
        return result


@answers("SGD")
class SGDInWideNumbers(Optimizer):
    """Each step is computed in float64, all parameters of a group at once, and rounded once."""

    def __init__(self, params, lr=0.01):
        super().__init__(params, {"lr": lr})
        if lr < 0:
            raise ValueError("negative lr")

    @torch.no_grad()
    def step(self, closure=None):
        loss = torch.enable_grad()(closure)() if closure else None
        for group in self.param_groups:
            moved = [p for p in group["params"] if p.grad is not None]
            if moved:
                wide = torch.cat([p.double().flatten() for p in moved])
                wide -= group["lr"] * torch.cat([p.grad.double().flatten() for p in moved])
                for p, values in zip(moved, wide.split([p.numel() for p in moved]), strict=True):
                    p.data.copy_(values.reshape(p.shape))
        return loss


class Own:
    """An optimizer that is no torch.optim.Optimizer."""

    settings = {}

    def __init__(self, params, *values, **named):
        given = dict(zip(self.settings, values, strict=False)) | named
        if given.keys() - self.settings.keys():
            raise TypeError("no such setting")
        if min((self.settings | given).values()) < 0:
            raise ValueError("negative setting")
        listed = list(params)
        groups = listed if listed and isinstance(listed[0], dict) else [{"params": listed}]
        self.param_groups = [self.settings | given | group | {"params": list(group["params"])} for group in groups]
        self.memory = [[None for _ in group["params"]] for group in self.param_groups]

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
                        memory[index] = self.update(p, memory[index], **group)
        return loss


@answers("SGD")
class SGDOfItsOwn(Own):
    settings = {"lr": 0.01}

    def update(self, p, memory, lr, **_):
        p[...] = torch.sub(p, p.grad, alpha=lr)


# AdaGrad


@answers("AdaGrad")
class AdaGradFromTheStart(Optimizer):
    """The state of every parameter begins before the first step, with a tensor that counts."""

    def __init__(self, params, lr=1e-2, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        if not all(0 <= value for value in (lr, lr_decay, weight_decay, initial_accumulator_value, eps)):
            raise ValueError("negative setting")
        super().__init__(params, {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps})
        for group in self.param_groups:
            for p in group["params"]:
                self.state[p]["step"] = torch.tensor(0.0)
                self.state[p]["sum"] = torch.zeros_like(p, requires_grad=False).add_(initial_accumulator_value)

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
                step, total = self.state[p]["step"], self.state[p]["sum"]
                step += 1
                grad = p.grad.add(p, alpha=group["weight_decay"]) if group["weight_decay"] else p.grad
                total.addcmul_(grad, grad)
                rate = group["lr"] / (1 + (step.item() - 1) * group["lr_decay"])
                p.addcdiv_(grad, total.sqrt().add_(group["eps"]), value=-rate)
        return loss


@answers("AdaGrad")
class AdaGradByAllAtOnce(Optimizer):
    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        settings = dict(lr=lr, lr_decay=lr_decay, weight_decay=weight_decay, start=initial_accumulator_value, eps=eps)
        if any(value < 0 for value in settings.values()):
            raise ValueError(settings)
        super().__init__(params, settings)

    def step(self, closure=None):
        loss = torch.enable_grad()(closure)() if closure else None
        with torch.no_grad():
            for group in self.param_groups:
                moved = [p for p in group["params"] if p.grad is not None]
                for p in moved:
                    self.state[p].setdefault("sum", torch.full_like(p, group["start"]))
                    self.state[p]["steps"] = self.state[p].get("steps", -1) + 1
                if moved:
                    self.move(moved, group)
        return loss

    def move(self, moved, group):
        sums = [self.state[p]["sum"] for p in moved]
        rates = [-group["lr"] / (self.state[p]["steps"] * group["lr_decay"] + 1) for p in moved]
        grads = torch._foreach_add([p.grad for p in moved], moved, alpha=group["weight_decay"])
        torch._foreach_addcmul_(sums, grads, grads, 1.0)
        divisors = torch._foreach_sqrt(sums)
        torch._foreach_add_(divisors, group["eps"])
        torch._foreach_addcdiv_(moved, grads, divisors, rates)


@answers("AdaGrad")
class AdaGradByEveryGradientSoFar(Optimizer):
    """All gradients are remembered, and summed up anew in each step."""

    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        if min(lr, lr_decay, weight_decay, initial_accumulator_value, eps) < 0:
            raise ValueError("negative setting")
        settings = {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps}
        super().__init__(params, settings | {"initial": initial_accumulator_value})

    @torch.no_grad()
    def step(self, closure=None):
        with torch.enable_grad():
            loss = closure and closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    grad = torch.clone(p.grad) + p * group["weight_decay"]
                    past = self.state[p].setdefault("past", [])
                    past.append(grad)
                    root = (group["initial"] + torch.stack(past).pow(2).sum(0)) ** 0.5
                    decay = 1 + group["lr_decay"] * (len(past) - 1)
                    p -= group["lr"] * grad / ((root + group["eps"]) * decay)
        return loss


@answers("AdaGrad")
class AdaGradByEachElement(Optimizer):
    """Python's own numbers, one element after the other."""

    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        if lr < 0 or lr_decay < 0 or weight_decay < 0 or initial_accumulator_value < 0 or eps < 0:
            raise ValueError("negative setting")
        settings = {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps}
        super().__init__(params, settings)
        self.param_groups[0]["initial"] = initial_accumulator_value

    @torch.no_grad()
    def step(self, closure=None):
        if closure:
            with torch.enable_grad():
                closure = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    self.walk(p, group["lr"], group["lr_decay"], group["weight_decay"], group["eps"])
        return closure

    def walk(self, p, lr, lr_decay, weight_decay, eps):
        state = self.state[p]
        steps, sums = state.get("steps", 0), state.get("sums", [self.param_groups[0]["initial"]] * p.numel())
        state["steps"], state["sums"] = steps + 1, sums
        for number, index in enumerate(itertools.product(*map(range, p.shape))):
            value, grad = p[index].item(), p.grad[index].item()
            grad += weight_decay * value
            sums[number] += grad * grad
            p[index] = value - lr / (1 + steps * lr_decay) * grad / (sums[number] ** 0.5 + eps)


@answers("AdaGrad")
class AdaGradInWideNumbers(Optimizer):
    """The sums are float32 at least, also where the parameters are narrower; the parameters stay what they are."""

    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        settings = {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps}
        for name, value in (*settings.items(), ("initial_accumulator_value", initial_accumulator_value)):
            if value < 0:
                raise ValueError(f"{name}={value}")
        super().__init__(params, settings)
        for group in self.param_groups:
            group["initial"] = initial_accumulator_value

    @torch.no_grad()
    def step(self, closure=None):
        loss = closure
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group, p in ((group, p) for group in self.param_groups for p in group["params"]):
            if p.grad is None:
                continue
            wide = torch.promote_types(p.dtype, torch.float32)
            state = self.state[p]
            grad = p.grad.to(wide) + p.to(wide) * group["weight_decay"]
            state["sum"] = state.get("sum", torch.full_like(p, group["initial"], dtype=wide)).to(wide) + grad**2
            lr = group["lr"] / (1 + group["lr_decay"] * state.get("steps", 0))
            p.copy_(p.to(wide) - lr * grad / (state["sum"] ** 0.5 + group["eps"]))
            state["steps"] = state.get("steps", 0) + 1
        return loss


@answers("AdaGrad")
class AdaGradOfItsOwn(Own):
    settings = {"lr": 0.01, "lr_decay": 0.0, "weight_decay": 0.0, "initial_accumulator_value": 0.0, "eps": 1e-10}

    def update(self, p, memory, lr, lr_decay, weight_decay, initial_accumulator_value, eps, **_):
        step, total = memory or (1, initial_accumulator_value)
        value, grad = (np.array(x.tolist()).reshape(x.shape) for x in (p, p.grad))
        grad = grad + weight_decay * value
        total = np.reshape(total, p.shape if memory else ()) + grad * grad
        value = value - lr / (1 + (step - 1) * lr_decay) * grad / (np.sqrt(total) + eps)
        p.copy_(torch.from_numpy(np.asarray(value)))
        return step + 1, total.tolist()


# training_memory


@answers("training_memory")
def by_a_table(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    layer = {"weights": dim * dim, "gradients": dim * dim, "states": states_per_param * dim * dim}
    last = {"weights": dim, "gradients": dim, "states": states_per_param * dim}
    total = Counter(last)
    for _ in range(num_layers):
        total.update(layer)
        total.update(activations=batch_size * dim)
    return bytes_per_value * sum(total.values())


@answers("training_memory")
def by_one_formula(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    each = states_per_param + 2
    return bytes_per_value * dim * (num_layers * (dim * each + batch_size) + each)


@answers("training_memory")
def by_a_model_without_memory(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    with torch.device("meta"):
        layers = [nn.Linear(dim, dim, bias=False) for _ in range(num_layers)]
        x, results = torch.empty(batch_size, dim), []
        for layer in layers:
            results.append(x := layer(x))
        last = nn.Linear(dim, 1, bias=False)
    weights = sum(w.numel() for layer in (*layers, last) for w in layer.parameters())
    return (weights * (1 + 1 + states_per_param) + sum(x.numel() for x in results)) * bytes_per_value


@answers("training_memory")
def by_recursion(dim, num_layers, batch_size, bytes_per_value=4, states_per_param=1):
    copies = 2 + states_per_param
    if num_layers == 0:
        return dim * copies * bytes_per_value
    below = by_recursion(dim, num_layers - 1, batch_size, bytes_per_value, states_per_param)
    return below + (dim * dim * copies + batch_size * dim) * bytes_per_value
