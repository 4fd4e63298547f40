"""What is measured where a learner's function of kata 22 runs: blocks that have to be let go, and graphs."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections.abc import Iterable
from typing import Any, Self

from torch import Tensor

from ..shared import living
from ..shared.living import Living
from ..shared.own_functions import watching as watching

SETTLED = 4
"""Blocks after which nothing is made for the first time."""

WATCHERS = (__file__, living.__file__, weakref.__file__, tracemalloc.__file__)
"""What takes memory itself to look at memory."""


OBJECTS = 6000
"""Bytes that Python's objects may take for each block: those of what is computed, and of a few numbers of it.

The floats of seven blocks of 1024 take twice as much as so many bytes for each of 20 blocks."""


class Passing:
    """An iterator over blocks that looks, whenever one is asked for, at those that have passed.

    held: for each time that one was asked for, the end too, the numbers of those that were still in memory though the
    next one had come as well. grown: bytes of tensors in memory at the end, beyond the most when one of the first five
    blocks was asked for; objects: whether Python's own objects grew by more than OBJECTS a block. Only inside of a
    Living, which is given for that.
    """

    def __init__(self, blocks: Iterable[Tensor], mode: Living | None = None) -> None:
        self.held: list[list[int]] = []
        self.grown = 0
        self.objects = False
        self._blocks = iter(blocks)
        self._living = mode
        self._passed: list[Any] = []
        self._before = 0

    def __iter__(self) -> Self:
        """It is one."""
        return self

    def __next__(self) -> Tensor:
        """The next block, of which nothing but a weak reference stays here."""
        self.held.append([number for number, storage in enumerate(self._passed[:-1]) if storage() is not None])
        if self._living is not None and len(self._passed) <= SETTLED:
            self._before = max(self._before, self._living.bytes)
        try:
            return self._noted(next(self._blocks))
        except StopIteration:
            self._count()
            raise

    def _noted(self, block: Tensor) -> Tensor:
        self._passed.append(weakref.ref(block.untyped_storage()))
        if self._living is not None and len(self._passed) == SETTLED:
            tracemalloc.start()
        return block

    def _count(self) -> None:
        if self._living is not None and tracemalloc.is_tracing():
            gc.collect()  # what an answer has dropped, and what the measuring has
            own = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(False, file) for file in WATCHERS])
            tracemalloc.stop()
            self.grown = max(0, self._living.bytes - self._before)
            self.objects = sum(trace.size for trace in own.traces) > OBJECTS * len(self._passed)


def breaks() -> tuple[type[Exception], ...]:
    """What torch.compile raises where there is no one graph, and where a decision needs what is in a tensor."""
    from torch._dynamo.exc import TorchDynamoException  # imports the compiler, which takes two seconds
    from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

    return TorchDynamoException, GuardOnDataDependentSymNode


def told(error: Exception) -> str:
    """Why there is no one graph, in the first line of what torch says."""
    return f"the graph breaks: {str(error).strip().partition(chr(10))[0]}"


TAKING = ("item", "tolist", "_local_scalar_dense")


def taken(graphs: list[Any]) -> list[str]:
    """The operations of the graphs that take a number out of a tensor."""
    names = [getattr(node.target, "__name__", str(node.target)) for graph in graphs for node in graph.graph.nodes]
    return [name for name in names if name.split(".")[0] in TAKING]
