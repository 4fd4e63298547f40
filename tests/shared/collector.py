"""Turn off Python's garbage collector, which runs at any time and so would decide what is in memory."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
from collections.abc import Iterator


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Keep cycles in memory inside the block, so that no wrong answer passes because the collector happens to run."""
    import_the_rest()  # first, because imports raise exceptions, which hold frames and their tensors
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@functools.cache
def import_the_rest() -> None:
    """Import what torch imports only when it first needs it."""
    for name in ("torch._dynamo", "torch.multiprocessing.reductions"):
        importlib.import_module(name)
