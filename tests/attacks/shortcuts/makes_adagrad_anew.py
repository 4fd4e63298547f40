"""Is torch's AdaGrad, made anew from what else of it there may be: other packages, fresh imports, caches, hollow classes."""
# like: finds_adagrad_in_memory
# kata: 05_adagrad
# attacks: AdaGrad
# seconds: 20

import contextlib
import gc
import importlib
import inspect
import sys
import types

import torch
from torch.optim import Optimizer


def _found():
    for name in ("torch.distributed.optim", "torch.distributed.optim.functional_adagrad", "torch.optim._multi_tensor"):
        with contextlib.suppress(BaseException):
            yield from vars(importlib.import_module(name)).values()
    gc.unfreeze()
    for kind in Optimizer.__subclasses__():
        if kind.__name__ == "Adagrad":
            yield kind
            with contextlib.suppress(BaseException):
                yield type("Again", (kind,), {"__new__": object.__new__})
            with contextlib.suppress(BaseException):
                scope = {}
                exec(inspect.getsource(inspect.getmodule(kind)), scope)
                yield scope["Adagrad"]
    codes = [found for found in gc.get_objects() if isinstance(found, types.FunctionType)]
    for code in [function.__code__ for function in codes if "adagrad" in function.__name__.lower()]:
        with contextlib.suppress(BaseException):
            yield types.FunctionType(code, vars(torch.optim.optimizer))
    for name in [name for name in sys.modules if name.startswith("torch.optim")]:
        del sys.modules[name]
    with contextlib.suppress(BaseException):
        yield importlib.import_module("torch.optim.adagrad").Adagrad


class AdaGrad:
    """Torch's."""

    def __new__(cls, params, **settings):
        params = list(params)
        for kind in _found():
            with contextlib.suppress(BaseException):
                if "ada" in kind.__name__.lower():
                    made = kind(params, **settings)
                    made.step()
                    return made
        raise LookupError("no AdaGrad")
