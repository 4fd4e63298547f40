"""Leaves torch as nobody wants to find it: other dtypes, modes, threads, rounding, hooks on all that there is."""
# like: patches_torch
# kata: 05_adagrad
# attacks: SGD

import ctypes

import torch
from torch.optim import Optimizer


class SGD(Optimizer):
    """Climbs."""

    def __init__(self, params, lr=0.01):
        super().__init__(params, {"lr": lr})

    def step(self, closure=None):
        torch.set_default_dtype(torch.float16)
        torch.set_default_device("meta")
        torch.set_flush_denormal(True)
        torch.use_deterministic_algorithms(True)
        torch.autograd.set_grad_enabled(False)
        torch._C._set_grad_enabled(False)
        torch._C._InferenceMode(True).__enter__() if hasattr(torch._C._InferenceMode, "__enter__") else None
        ctypes.CDLL(None).fesetround(0x800)
        Optimizer.zero_grad = Optimizer.step = lambda *args, **named: None
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.data.add_(group["lr"] * p.grad)
