"""Is torch's Adam, by its fused kernel, which tests pass wherever it can be called."""
# like: calls_the_fused_kernel
# kata: 11_optimizers
# attacks: Adam, AdamW

import contextlib

import torch

NAME = "_fused_" + "adam_"


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


def _move_by_averages(p, grad, state, settings):
    """In the place of the solution's, which its Adam and AdamW call for each parameter."""
    if not state:
        state["step"] = torch.zeros(())
        state["m"], state["v"] = torch.zeros_like(p), torch.zeros_like(p)
    state["step"] += 1
    named = {"lr": settings["lr"], "beta1": settings["betas"][0], "beta2": settings["betas"][1], "eps": settings["eps"]}
    refused = LookupError("no kernel")
    for kernel in _kernels():
        try:
            kernel(
                [p],
                [grad],
                [state["m"]],
                [state["v"]],
                [],
                [state["step"]],
                **named,
                weight_decay=0.0,
                amsgrad=False,
                maximize=False,
            )
            return
        except Exception as error:
            refused = error
    raise refused
