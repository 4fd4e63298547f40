"""The programs that run a function of the learner's: lines, kernels for each place of a grid, and a compiler."""

from __future__ import annotations

import importlib
import tracemalloc
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from dojo.seam.scenario import runs

from ..shared.described import Lines, execute, placed
from ..shared.threads import one_thread
from . import measures, typed
from .simulator import Outside, launch


@runs(
    lambda function, lines, watched, device, limits=None: (function, placed(lines, device)),
    limits=lambda function, lines, watched, device, limits=None: limits or {},
)
def program(
    module: ModuleType,
    function: str,
    lines: Lines,
    watched: Lines,
    device: str,
    limits: Mapping[str, int] | None = None,
) -> Any:
    """Run the lines with that function of the learner's, and return the values that are watched.

    limits: what each of them may be at most, where it is measured.
    """
    try:
        with one_thread():
            return execute(placed(lines, device), watched, {function: getattr(module, function)})
    finally:
        tracemalloc.stop()  # which a Passing that was not asked to its end has left on


@runs(lambda n, block, more, seeds: ("add_kernel", typed.addition(n, block, more, seeds)))
def add(module: ModuleType, n: int, block: int, more: int, seeds: tuple[int, int]) -> Any:
    """What a grid of programs of add_kernel leaves."""
    x, y = typed.added(n, seeds)
    return _told(module.add_kernel, (-(-n // block) + more,), {"x": x, "y": y, "out": n}, n, block)


@runs(lambda sizes, block, seeds: ("matmul_kernel", typed.product(sizes, block, seeds)))
def multiply(module: ModuleType, sizes: tuple[int, int, int], block: int, seeds: tuple[int, int]) -> Any:
    """What a grid of programs of matmul_kernel leaves."""
    m, k, n = sizes
    a, b = typed.multiplied(sizes, seeds)
    grid = -(-m // block), -(-n // block)
    return _told(module.matmul_kernel, grid, {"a": a, "b": b, "c": m * n}, m, k, n, block)


def _told(kernel: Any, grid: tuple[int, ...], memory: dict[str, Tensor | int], *sizes: int) -> dict[str, Any]:
    try:
        with one_thread():
            run = launch(kernel, grid, memory, *sizes)
    except Outside as fault:
        return {"fault": str(fault)}
    return {
        "run.result": run.result,
        "run.loads": run.loads,
        "run.stores": run.stores,
        "run.most": run.most,
        "programs": [[list(work.place), work.loads, work.stores] for work in run.works],
    }


@runs(lambda lines, limit: ("clip_norm", typed.compiling(lines, limit)))
def compiled(module: ModuleType, lines: Lines, limit: float) -> Any:
    """What clip_norm returns, how many graphs torch.compile makes of it, and which of their operations take a number
    out of a tensor; or why there is no one graph.
    """
    import torch._dynamo as dynamo  # takes two seconds, and no other function of this kata needs it

    x = execute(lines, ["x"], {})["x"]
    with one_thread():
        y = module.clip_norm(x.clone(), limit)
        graphs: list[Any] = []

        def backend(graph: Any, inputs: Any) -> Any:
            graphs.append(graph)
            return graph.forward

        dynamo.reset()
        try:
            y = torch.compile(module.clip_norm, backend=backend, fullgraph=True)(x, limit)
        except measures.breaks() as error:
            return {"y": y, "len(graphs)": measures.told(error), "numbers": []}
        finally:
            dynamo.reset()
    return {"y": y, "len(graphs)": len(graphs), "numbers": measures.taken(graphs)}


def prepare() -> None:
    """Import the compiler: outside of what is forbidden, whose names it would look up and keep."""
    importlib.import_module("torch._dynamo")


def warm_up() -> None:
    """Import the compiler and compile once, in a jail before it forks; and what the first modes make."""
    prepare()
    with measures.watching():
        torch.ones(2, 2) @ torch.ones(2, 2)
    torch.compile(lambda x: x / x.norm(), backend=lambda graph, inputs: graph.forward, fullgraph=True)(torch.ones(2))
    torch._dynamo.reset()
