"""The global random states of torch, numpy and Python: save, seed and predict them."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator

import numpy as np
import torch

from .described import Lines

SEED = 123_456
"""None that a program sets."""
SEEDED = "torch.manual_seed({0}), np.random.seed({0}), random.seed({0})"
"""How all three are typed."""


@contextlib.contextmanager
def seeded() -> Iterator[None]:
    """Seed the global random states inside the block, always alike, and restore them afterwards."""
    before = torch.get_rng_state(), np.random.get_state(), random.getstate()
    torch.default_generator.manual_seed(SEED)  # see `seeding`
    np.random.seed(SEED)
    random.seed(SEED)
    try:
        yield
    finally:
        torch.set_rng_state(before[0])
        np.random.set_state(before[1])
        random.setstate(before[2])


def seeding(lines: Lines, device: str) -> Lines:
    """Return the lines as they are run. On the CPU, torch.manual_seed would keep a call stack for each missing GPU."""
    if device != "cpu":
        return lines
    return [line.replace("torch.manual_seed(", "torch.default_generator.manual_seed(") for line in lines]


def next_numbers(seed: int) -> dict[str, object]:
    """Return the next numbers of each state after this seed, by the expression that draws them."""
    return {
        "torch.rand(2).tolist()": torch.rand(2, generator=torch.Generator().manual_seed(seed)).tolist(),
        "np.random.rand(2).tolist()": np.random.RandomState(seed).rand(2).tolist(),
        "random.random()": random.Random(seed).random(),
    }
