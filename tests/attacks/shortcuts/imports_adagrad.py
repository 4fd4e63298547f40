"""Is torch's AdaGrad, by each of the names under which it can be imported."""
# like: finds_adagrad_in_memory
# kata: 05_adagrad
# attacks: AdaGrad

import importlib
import sys

import torch

NAMES = (
    "torch.optim",
    "torch.optim.adagrad",
    "torch.optim._multi_tensor",
    "torch.testing._internal.common_optimizers",
    "torch.distributed.optim.functional_adagrad",
)


def _found():
    for _ in range(2):
        for name in NAMES:
            try:
                module = importlib.import_module(name)
                return getattr(module, "Adagrad", None) or module.optim_db[0].optim_cls
            except Exception as error:
                refused = error
        for name in [name for name in sys.modules if name.startswith("torch.optim")]:
            del sys.modules[name]
    return getattr(torch.optim, "Adagrad", None) or _raise(refused)


def _raise(error):
    raise error


class AdaGrad:
    """Torch's."""

    def __new__(cls, params, **settings):
        return _found()(params, **settings)
