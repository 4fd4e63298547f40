"""Custom operators in torch's library: give them unused names, and check them with torch."""

from __future__ import annotations

import itertools
from typing import Any

import torch
from torch._prims_common import check_significant_strides
from torch._subclasses.fake_tensor import FakeTensorMode, MetadataMismatchError

_numbers = itertools.count()

CHECKS = ("test_schema", "test_faketensor", "test_autograd_registration")
TRACED = ("test_aot_dispatch_dynamic",)


def fresh(name: str) -> str:
    """Return the name with a number that is new in this process, since operators stay defined."""
    return f"{name}_{next(_numbers)}"


def registered(name: str) -> Any:
    """Return torch's operator of this name. Raise AttributeError if there is none."""
    space, _, short = name.partition("::")
    return getattr(getattr(torch.ops, space), short)


def checked(op: Any, *args: Any, all_of_it: bool = False) -> dict[str, str]:
    """Return what torch.library.opcheck finds for these arguments, by test: "SUCCESS", or the name of the error.

    all_of_it: check with torch.compile's tracing too, which takes a hundred times as long.
    """
    names = CHECKS + TRACED * all_of_it
    found: dict[str, Any] = dict(torch.library.opcheck(op, args, test_utils=list(names), raise_exception=False))
    if found["test_faketensor"] == "SUCCESS" and not _fakes_the_strides(op, args):
        found["test_faketensor"] = MetadataMismatchError("strides")
    return {name: _line(found[name]) for name in names}


def _fakes_the_strides(op: Any, args: tuple[Any, ...]) -> bool:
    """Return whether the fake result has the strides of the real one, which torch 2.12 compares only on CUDA."""
    with FakeTensorMode() as mode:
        fake = op(*(mode.from_tensor(arg) for arg in args))
    return check_significant_strides(fake, op(*args), only_cuda=False)[0]


def _line(said: Any) -> str:
    return str(said).strip().partition("\n")[0] if said == "SUCCESS" else type(said).__name__
