"""The program that runs a learner's function, from random states of its own."""

from __future__ import annotations

import contextlib
import math
import random
import re
import weakref
from types import ModuleType
from typing import Any

import numpy as np
import torch

from dojo.seam.scenario import runs

from ..shared.described import Lines, execute, placed
from ..shared.random_states import seeded
from ..shared.threads import one_thread

NAMES = {"math": math, "random": random, "re": re, "np": np, "contextlib": contextlib, "weakref": weakref}
"""What a program may use beside torch."""


@runs(lambda function, lines, watched, device: (function, placed(lines, device)))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function of the learner's, and return the values that are watched."""
    with seeded(), one_thread():
        return execute(placed(lines, device), watched, {function: getattr(module, function), **NAMES})


def warm_up() -> None:
    """Make what the first optimizer and the first schedule import."""
    optimizer = torch.optim.AdamW([torch.zeros(1, requires_grad=True)])
    optimizer.step()
    torch.optim.lr_scheduler.StepLR(optimizer, 1).step()
