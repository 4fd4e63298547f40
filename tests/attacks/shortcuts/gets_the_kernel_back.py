"""Is torch's AdaGrad, by an operator that it gets back: from its library, by other keys, in its other forms."""
# like: calls_the_fused_kernel
# kata: 05_adagrad
# attacks: AdaGrad
# seconds: 20

import contextlib
import gc

import torch

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


def _update(p, grad, state, settings):
    """In the place of the solution's, which its AdaGrad calls for each parameter."""
    if not state:
        state["step"] = torch.zeros(())
        state["sum"] = torch.full_like(p, settings["initial_accumulator_value"])
    state["step"] += 1
    named = {name: settings[name] for name in ("lr", "lr_decay", "weight_decay", "eps")}
    _forget_libraries()
    refused = LookupError("no kernel")
    for kernel in _kernels():
        before = p.clone()
        try:
            kernel([p], [grad], [state["sum"]], [state["step"]], **named, maximize=False)
            if not p.equal(before):
                return
        except Exception as error:
            refused = error
    raise refused
