"""Is torch's AdaGrad in C++, called by its address in the library, with arguments laid out as C++ wants them."""
# kata: 05_adagrad
# attacks: AdaGrad
# seconds: 8

import contextlib
import ctypes
import glob
import os

import torch
from torch.optim import Optimizer

SYMBOL = "_ZN2at4_ops15_fused_adagrad_4callEN3c108ArrayRefINS_6TensorEEES5_S5_S5_ddddbRKSt8optionalIS4_ES9_"


def _kernel():
    for path in glob.glob(os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_cpu.so")):
        with contextlib.suppress(OSError, AttributeError):
            return getattr(ctypes.CDLL(path), SYMBOL)
    raise LookupError("no kernel")


def _pointer(x):
    """The address of a TensorImpl: a Python tensor holds it behind its header."""
    return ctypes.c_void_p.from_address(id(x) + 16).value


def _listed(x):
    place = (ctypes.c_void_p * 1)(_pointer(x))
    return ctypes.addressof(place), 1, place


class AdaGrad(Optimizer):
    """By torch's kernel."""

    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10):
        if min(lr, lr_decay, weight_decay, initial_accumulator_value, eps) < 0:
            raise ValueError("a setting must not be negative")
        settings = {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps}
        super().__init__(params, settings | {"initial_accumulator_value": initial_accumulator_value})
        self.kernel = _kernel()
        self.kernel.restype = None

    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
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
        lists = [_listed(x) for x in (p.detach(), p.grad, state["sum"], state["step"])]
        words = [word for address, length, _ in lists for word in (ctypes.c_void_p(address), ctypes.c_size_t(length))]
        numbers = [ctypes.c_double(group[name]) for name in ("lr", "lr_decay", "weight_decay", "eps")]
        nothing = ctypes.create_string_buffer(16)
        self.kernel(*words, *numbers, ctypes.c_bool(False), nothing, nothing)
