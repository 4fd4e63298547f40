"""Is torch's AdaGrad, made anew from its source, or from its compiled source, under another name."""
# like: finds_adagrad_in_memory
# kata: 05_adagrad
# attacks: AdaGrad

import contextlib
import glob
import importlib.machinery
import importlib.util
import marshal
import os
import types

import torch
from torch.optim import Optimizer

FOLDER = os.path.join(os.path.dirname(torch.__file__), "optim")


def _codes():
    with contextlib.suppress(OSError), open(os.path.join(FOLDER, "adagrad.py")) as file:
        yield compile(file.read(), "optimizer.py", "exec")
    for path in glob.glob(os.path.join(FOLDER, "__pycache__", "adagrad.*.pyc")):
        with contextlib.suppress(OSError), open(path, "rb") as file:
            yield marshal.loads(file.read()[16:])
    with contextlib.suppress(Exception):
        yield Optimizer.__init__.__globals__["__loader__"].get_code("torch.optim.adagrad")
    for name in ("torch.optim.adagrad", "torch.optim.optimizer"):
        loader = importlib.machinery.SourceFileLoader(name, os.path.join(FOLDER, "adagrad.py"))
        with contextlib.suppress(Exception):
            yield loader.get_code(name)


def _found():
    for code in _codes():
        module = types.ModuleType("torch.optim.mine")
        module.__package__ = "torch.optim"
        exec(code, module.__dict__)
        return module.Adagrad
    raise LookupError("no source of AdaGrad")


class AdaGrad:
    """Torch's."""

    def __new__(cls, params, **settings):
        return _found()(params, **settings)
