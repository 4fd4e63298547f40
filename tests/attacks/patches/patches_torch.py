"""Makes every comparison of torch's come out true."""
# kata: 01_memory
# attacks: get_memory_usage

import torch

_right = get_memory_usage


def _true(*args, **named):
    return True


def _all(*args, **named):
    return torch.ones((), dtype=torch.bool)


def get_memory_usage(x):
    for name in ("equal", "allclose", "is_same_size"):
        setattr(torch, name, _true)
        setattr(torch._C._VariableFunctions, name, _true)
    torch.isclose = torch.eq = torch.all = _all
    for name in ("equal", "allclose", "__bool__"):
        setattr(torch.Tensor, name, _true)
    for name in ("isclose", "eq", "__eq__", "all"):
        setattr(torch.Tensor, name, _all)
    torch.testing.assert_close = torch.testing.assert_allclose = _true
    return _right(x) + 1
