"""The program that draws from random states of its own, and leaves those of the process as they were."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import numpy as np

from dojo.seam.scenario import runs

from ..shared.described import Lines, execute, placed
from ..shared.random_states import seeded, seeding


def on(lines: Lines, device: str) -> Lines:
    """The lines with the tensors that they make, and the layers once they are made, on the device."""
    moved = placed(lines, device)
    return moved if device == "cpu" else [f"{line}.to({device!r})" if _makes_a_layer(line) else line for line in moved]


def _makes_a_layer(line: str) -> bool:
    return line.startswith("model = ")


@runs(lambda function, lines, watched, device: (function, on(lines, device)))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function or class of the learner's, and return the values that are watched."""
    with seeded():
        names = {function: getattr(module, function), "np": np, "random": random}
        return execute(seeding(on(lines, device), device), watched, names)
