"""Is torch's AdaGrad, by its kernel: under each name of the operator, by its schema and by its overloads."""
# kata: 05_adagrad
# attacks: AdaGrad

import contextlib

import torch

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


def _update(p, grad, state, settings):
    """In the place of the solution's, which its AdaGrad calls for each parameter."""
    if not state:
        state["step"] = torch.zeros(())
        state["sum"] = torch.full_like(p, settings["initial_accumulator_value"])
    state["step"] += 1
    named = {name: settings[name] for name in ("lr", "lr_decay", "weight_decay", "eps")}
    refused = LookupError("no kernel")
    for kernel in _kernels():
        try:
            kernel([p], [grad], [state["sum"]], [state["step"]], **named, maximize=False)
            return
        except Exception as error:
            refused = error
    raise refused
