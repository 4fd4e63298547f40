"""The program that runs a learner's function, from random states of its own."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import torch

from dojo.seam.scenario import runs

from ..shared.described import Lines, execute, placed
from ..shared.random_states import seeded, seeding
from ..shared.threads import one_thread


@runs(lambda function, lines, watched, device: (function, placed(lines, device)))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function of the learner's, and return the values that are watched."""
    with seeded(), one_thread(), without_collector():
        return execute(seeding(placed(lines, device), device), watched, {function: getattr(module, function)})


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Inside, what is part of a cycle stays: a wrong answer is not right whenever the collector happens to come."""
    _imports()  # with its many exceptions, which hold frames, and those their tensors
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@functools.cache
def _imports() -> None:
    """Import what torch imports when it first needs it, and what programs import."""
    for name in ("torch._dynamo", "torch.multiprocessing.reductions"):
        importlib.import_module(name)


def warm_up() -> None:
    """Make what the first backward, the first Function and the first autocast make."""
    _imports()
    x = torch.ones(1, 1, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t), torch.autocast("cpu"):
        y = (x @ x).exp()
    y.sum().backward()
