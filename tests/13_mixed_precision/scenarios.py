"""The program that runs a learner's function or class, and what such a program may use."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch import Tensor
from torch.amp.grad_scaler import GradScaler  # here, since a learner's code runs where its name is gone

from dojo.seam.scenario import runs

from ..shared.described import Lines, execute
from ..shared.random_states import seeded, seeding
from ..shared.threads import one_thread

NAMES = {"math": math, "GradScaler": GradScaler}
"""What a program may use beside torch."""

IMPORT = "from torch.amp import GradScaler"
"""What whoever types such a program needs."""


def _typed(function: str, lines: Lines, watched: Lines) -> tuple[str, Lines]:
    return function, [IMPORT, *lines] if any("GradScaler(" in line for line in lines) else lines


@runs(_typed)
def program(module: ModuleType, function: str, lines: Lines, watched: Lines) -> Any:
    """Run the lines with that function or class of the learner's, and return the values that are watched."""
    with _no_scaler() if function != "mixed_step" else contextlib.nullcontext():
        return executed(getattr(module, function), function, lines, watched)


def executed(answer: Any, function: str, lines: Lines, watched: Lines) -> dict[str, Any]:
    """Run the lines with this answer under the function's name."""
    with seeded(), one_thread(), _autocast_as_it_was():
        values = execute(seeding(lines, "cpu"), watched, {function: answer, **NAMES})
    # Answers are compared with those of beliefs up to a rounding, which in 16 bits is all that there is to see.
    bits = {f"the bits of {name}": _bits(value) for name, value in values.items()}
    return values | {name: value for name, value in bits.items() if value is not None}


@contextlib.contextmanager
def _no_scaler() -> Iterator[None]:
    """Have torch's scaler refuse whatever it is asked, wherever it was found: mixed_step alone is handed one."""
    methods = [method for method in vars(GradScaler).values() if isinstance(method, FunctionType)]
    codes = [method.__code__ for method in methods]
    for method in methods:
        method.__code__ = _refuses.__code__
    try:
        yield
    finally:
        for method, code in zip(methods, codes, strict=True):
            method.__code__ = code


def _refuses(*args: object, **named: object) -> None:
    raise ImportError("this kata is solved without torch.amp.GradScaler")


@contextlib.contextmanager
def _autocast_as_it_was() -> Iterator[None]:
    """After it, autocast is off again, and has kept no copies: an answer that leaves it on changes later programs."""
    lower, depth = torch.get_autocast_dtype("cpu"), _depth_of_autocast()
    try:
        yield
    finally:
        for _ in range(_depth_of_autocast() - depth):
            torch.autocast_decrement_nesting()
        torch.clear_autocast_cache()
        torch.set_autocast_enabled("cpu", False)
        torch.set_autocast_dtype("cpu", lower)


def _depth_of_autocast() -> int:
    """How many times autocast was entered and not left: its copies stay until that is 0 again."""
    torch.autocast_increment_nesting()
    return torch.autocast_decrement_nesting()


def _bits(value: Any) -> Any:
    """The bits of a tensor of 16 bits, or of each one in a list."""
    if isinstance(value, Tensor) and value.dtype in (torch.bfloat16, torch.float16):
        return value.view(torch.int16)
    return list(map(_bits, value)) if isinstance(value, list) and any(_bits(x) is not None for x in value) else None


def warm_up() -> None:
    """Make what the first optimizer, the first schedule and the first autocast import."""
    optimizer = torch.optim.AdamW([torch.zeros(1, requires_grad=True)])
    optimizer.step()
    torch.optim.lr_scheduler.StepLR(optimizer, 1).step()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        torch.ones(1, 1) @ torch.ones(1, 1)
