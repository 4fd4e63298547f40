"""Python's collector of cycles, which comes when it likes, and so would decide what is in memory."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
from collections.abc import Iterator


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Inside, what is part of a cycle stays: a wrong answer is not right whenever the collector happens to come."""
    import_the_rest()  # with its many exceptions, which hold frames, and those their tensors
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@functools.cache
def import_the_rest() -> None:
    """Import what torch imports when it first needs it."""
    for name in ("torch._dynamo", "torch.multiprocessing.reductions"):
        importlib.import_module(name)
