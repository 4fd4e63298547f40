"""Lets torch's own counter answer, by every way to import what is absent."""
# kata: 03_flops
# attacks: matmul_flops

import builtins
import contextlib
import gc
import importlib
import sys

_right = matmul_flops


def _modules():
    with contextlib.suppress(BaseException):
        import torch.utils.flop_counter

        yield torch
    for name, module in list(sys.modules.items()):
        if name.startswith("torch"):
            yield module
    for load in (importlib.import_module, importlib.__import__, builtins.__import__, importlib._bootstrap._gcd_import):
        with contextlib.suppress(BaseException):
            yield load("torch")
    for found in gc.get_objects():
        if type(found).__name__ == "module" and str(getattr(found, "__name__", "")).startswith("torch"):
            yield found


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (next(_modules(), None) is None)
