"""Keep what torch runs without its compiler from importing torch._dynamo, which takes half as long as torch."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from types import CellType, FunctionType
from typing import Any

ON_META = ("torch._refs", "torch._refs.nn.functional", "torch._refs.special", "torch._decomp.decompositions")
"""Modules with operations that are written in Python, and run on meta."""


def keep_out() -> None:
    """Let the FLOP counter, optimizers and operations on meta run without torch._dynamo, if they are imported.

    torch imports its compiler at the first operation that is counted, or that is written in Python and runs on meta,
    and at the first optimizer that is made or takes a step, to keep it away from them. Nothing is compiled meanwhile.
    A torch that does not look for the mark that is set here still imports it.
    """
    _keep_out(len(sys.modules))


@functools.lru_cache(maxsize=1)
def _keep_out(loaded: int) -> None:
    """Look at all functions again only if the number of loaded modules has changed."""
    counter, optimizers = map(sys.modules.get, ("torch.utils.flop_counter", "torch.optim"))
    kinds = [getattr(counter, "_FlopCounterMode", None), getattr(optimizers, "Optimizer", None)]
    seen: set[FunctionType] = set()
    for place in (*kinds, *map(sys.modules.get, ON_META)):
        for function in _without_compiler(vars(place).values() if place else (), seen):
            vars(function).setdefault("__dynamo_disable", function)
    for kind in vars(optimizers).values() if optimizers else ():
        step: Any = vars(kind).get("step") if isinstance(kind, type) else None
        if getattr(getattr(step, "__code__", None), "co_name", "") == "_use_grad":
            kind.step = _without_graph_breaks(step.__wrapped__)


def _without_compiler(values: Iterable[object], seen: set[FunctionType]) -> Iterator[FunctionType]:
    """Go through functions, and those that they wrap; yield what torch._compile keeps its compiler from."""
    for value in values:
        if isinstance(value, FunctionType) and value not in seen:
            seen.add(value)
            within = [cell.cell_contents for cell in value.__closure__ or () if cell != CellType()]  # which is empty
            if value.__globals__["__name__"] == "torch._compile":
                yield from (one for one in within if isinstance(one, FunctionType))
            yield from _without_compiler(within, seen)


def _without_graph_breaks(step: Any) -> Any:
    """Return a step that needs gradients only if it is differentiable, as torch's own does between two graph breaks."""
    import torch

    @functools.wraps(step)
    def graded(self: Any, *args: Any, **kwargs: Any) -> Any:
        with torch.set_grad_enabled(self.defaults["differentiable"]):
            return step(self, *args, **kwargs)

    return graded
