"""Counts the bytes of the states of torch's own optimizers: by their modules, by the subclasses of Optimizer, by memory."""
# like: calls_the_fused_kernel
# kata: 11_optimizers
# attacks: state_bytes

import contextlib
import gc
import importlib

import torch
from torch.optim import Optimizer

MODULES = {"SGD": "sgd", "Adagrad": "adagrad", "RMSprop": "rmsprop", "Adam": "adam", "AdamW": "adamw", "Muon": "_muon"}


def _kinds(name):
    with contextlib.suppress(Exception):
        yield getattr(torch.optim, name)
    with contextlib.suppress(Exception):
        yield getattr(importlib.import_module(f"torch.optim.{MODULES[name]}"), name)
    below = [Optimizer]
    while below:
        kind = below.pop()
        below += kind.__subclasses__()
        if kind.__name__ == name:
            yield kind
    yield from (kind for kind in gc.get_objects() if isinstance(kind, type) and kind.__name__ == name)


def state_bytes(optimizer, shapes, dtype=torch.float32, momentum=0.0, amsgrad=False):
    if optimizer not in MODULES or (optimizer == "Muon" and any(len(shape) != 2 for shape in shapes)):
        raise ValueError(optimizer)
    if not shapes:
        return 0
    settings = {"amsgrad": amsgrad} if optimizer.startswith("Adam") else {}
    settings |= {"momentum": momentum} if optimizer in ("SGD", "RMSprop") else {}
    refused = LookupError("no optimizer")
    for kind in _kinds(optimizer):
        try:
            params = [torch.nn.Parameter(torch.empty(shape, dtype=dtype, device="meta")) for shape in shapes]
            for p in params:
                p.grad = torch.empty_like(p)
            made = kind(params, **settings)
            made.step()
            return sum(x.nbytes for state in made.state.values() for x in state.values() if torch.is_tensor(x))
        except Exception as error:
            refused = error
    raise refused
