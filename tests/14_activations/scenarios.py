"""The program that runs a learner's function, from random states of its own."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch

from dojo.seam.scenario import runs

from ..shared.collector import import_the_rest, without_collector
from ..shared.described import Lines, execute, placed
from ..shared.random_states import seeded, seeding
from ..shared.threads import one_thread


@runs(lambda function, lines, watched, device: (function, placed(lines, device)))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function of the learner's, and return the values that are watched."""
    with seeded(), one_thread(), without_collector():
        return execute(seeding(placed(lines, device), device), watched, {function: getattr(module, function)})


def warm_up() -> None:
    """Make what the first backward, the first Function and the first autocast make."""
    import_the_rest()
    x = torch.ones(1, 1, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t), torch.autocast("cpu"):
        y = (x @ x).exp()
    y.sum().backward()
