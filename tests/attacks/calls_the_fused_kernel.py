"""Is torch's AdaGrad, by its kernel: under each name of the operator, by its schema and by its overloads."""
# kata: 05_adagrad
# attacks: AdaGrad

import contextlib

import torch
from torch.optim import Optimizer

NAME = "_fused_" + "adagrad_"


def _kernels():
    for owner in (torch, torch._C._VariableFunctions, torch._VF, torch.ops.aten, torch._C._nn):
        with contextlib.suppress(Exception):
            yield getattr(owner, NAME)
    with contextlib.suppress(Exception):
        yield getattr(torch.ops.aten, NAME).default
    with contextlib.suppress(Exception):
        yield torch._C._jit_get_operation(f"aten::{NAME}")[0]
    with contextlib.suppress(Exception):
        yield torch._C._get_operation_overload(f"aten::{NAME}", "")[0]


class AdaGrad(Optimizer):
    """By torch's kernel."""

    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        if min(lr, lr_decay, weight_decay, initial_accumulator_value, eps) < 0:
            raise ValueError("a setting must not be negative")
        settings = {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps}
        super().__init__(params, settings | {"initial_accumulator_value": initial_accumulator_value})

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        with torch.no_grad():
            for group in self.param_groups:
                for p in group["params"]:
                    if p.grad is not None:
                        self._move(p, group)
        return loss

    def _move(self, p, group):
        state = self.state[p]
        if not state:
            state["step"] = torch.zeros(())
            state["sum"] = torch.full_like(p, group["initial_accumulator_value"])
        state["step"] += 1
        named = {name: group[name] for name in ("lr", "lr_decay", "weight_decay", "eps")}
        refused = LookupError("no kernel")
        for kernel in _kernels():
            try:
                kernel([p], [p.grad], [state["sum"]], [state["step"]], **named, maximize=False)
                return
            except Exception as error:
                refused = error
        raise refused
