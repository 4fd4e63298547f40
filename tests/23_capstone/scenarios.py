"""The programs that run a learner's function on a model that is made here."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from dojo.seam.scenario import runs

from ..shared.collector import without_collector
from ..shared.described import Lines, execute
from ..shared.living import Living
from ..shared.random_states import seeded, seeding
from ..shared.threads import one_thread
from . import tasks
from .gpt import GPT
from .measuring import Flops, Noted, Saved


def windows(embedded: list[Tensor], tokens: Tensor, context: int) -> list[int | list[int]]:
    """Which windows of a text these sequences are, in order; what is none, as its tokens.

    All tokens of the text differ, or it is a few windows again and again: then it is the first of those that are alike.
    """
    found: list[int] = []
    none: list[int | list[int]] = []
    for row in (row for batch in embedded for row in batch):
        (place,) = (tokens == row[0]).nonzero()[0].tolist()
        if place % context == 0 and row.equal(tokens[place : place + context]):
            found.append(place // context)
        else:
            none.append(row.tolist())
    return sorted(found) + none


NAMES = {
    **{"GPT": GPT, "text": tasks.text, "task": tasks.task, "np": np, "random": random},
    **{"Noted": Noted, "Flops": Flops, "Living": Living, "windows": windows},
}
"""What a program may use beside torch, nn and io."""

IMPORTS = [
    "from importlib import import_module",
    'NAMES = import_module("tests.23_capstone.scenarios").NAMES',
    "globals().update(NAMES)",
]
"""The lines that bring them to whoever pastes a program."""

SHORT = 600
"""Tokens of a text for small budgets: enough windows for any batch that they allow."""


@runs(lambda function, lines, watched: (function, [*IMPORTS, *lines]))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines) -> Any:
    """Run the lines with that function or class of the learner's, and return the values that are watched."""
    with seeded(), one_thread(), without_collector():
        return execute(seeding(lines, "cpu"), watched, {function: getattr(module, function), **NAMES})


def typed_small(
    sizes: tuple[int, ...], seed: int, flops: int, nbytes: int, dtype: str = "float32"
) -> tuple[str, Lines]:
    """The lines that spend a small budget."""
    vocab, context, _, _, _ = sizes
    double = ".double()" if dtype == "float64" else ""
    text = f"text({seed}, {SHORT}, {min(vocab, tasks.VOCAB)})"
    lines = [f"torch.manual_seed({seed})", f"model, tokens = GPT{sizes}{double}, {text}"]
    return "fit", [*IMPORTS, *lines, f"fit(model, tokens, context={context}, flops={flops}, nbytes={nbytes})"]


def typed_task(seed: int) -> tuple[str, Lines]:
    """The lines that learn a text."""
    lines = [f"model, tokens, others = task({seed})"]
    return "fit", [*IMPORTS, *lines, f"fit(model, tokens, {tasks.CONTEXT}, flops={tasks.FLOPS}, nbytes={tasks.NBYTES})"]


@runs(typed_small)
def small(
    module: ModuleType, sizes: tuple[int, ...], seed: int, flops: int, nbytes: int, dtype: str = "float32"
) -> Any:
    """What is spent of a small budget, and the loss that comes of it."""

    def make() -> tuple[GPT, Tensor, Tensor]:
        torch.default_generator.manual_seed(seed)
        tokens = tasks.text(seed, SHORT, min(sizes[0], tasks.VOCAB))  # of a large vocabulary a part
        return GPT(*sizes).to(getattr(torch, dtype)), tokens, tokens.clone()

    return _fitted(module, make, sizes[1], flops, nbytes)


@runs(typed_task, dear=True)
def learned(module: ModuleType, seed: int) -> Any:
    """What is spent on one of the tasks, and the loss on other tokens."""
    return _fitted(module, lambda: tasks.task(seed), tasks.CONTEXT, tasks.FLOPS, tasks.NBYTES)


def _fitted(
    module: ModuleType, make: Callable[[], tuple[GPT, Tensor, Tensor]], context: int, flops: int, nbytes: int
) -> Any:
    with seeded(), one_thread(), without_collector():
        model, tokens, others = make()
        before, dtypes = tokens.clone(), [p.dtype for p in model.parameters()]
        saved, counted = Saved([*model.parameters(), *model.buffers(), tokens]), Flops()
        with torch.enable_grad(), counted, saved.looking():
            module.fit(model, tokens, context, flops, nbytes)
        seen = {"elsewhere": counted.elsewhere, "FLOPs": counted.parts, "bytes": saved.peak}
        seen |= {"loss": tasks.loss_on(model, others, context), "tokens changed": not before.equal(tokens)}
        return seen | {"dtype changed": dtypes != [p.dtype for p in model.parameters()]}


def warm_up() -> None:
    """Make what the first step, the first recomputation and the first look at them make."""
    model = GPT(3, 2, 2, 1)
    tokens = torch.zeros(1, 2, dtype=torch.int64)
    optimizer = torch.optim.AdamW(model.parameters())
    with Flops(), Saved([]).looking(), Living():
        h = torch.utils.checkpoint.checkpoint(model.blocks[0], model.embed(tokens), use_reentrant=False)
        torch.nn.functional.cross_entropy(model.head(h).flatten(0, 1), tokens.flatten()).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
