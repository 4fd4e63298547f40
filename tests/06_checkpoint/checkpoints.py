"""A learner's three functions on a training run: what every scenario of kata 06 is made of."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dojo.seam.seam import Todo

from .training import Lines, Run, make

Seen = dict[str, object]

SAVE, LOAD, LATEST = "save_checkpoint", "load_checkpoint", "latest_checkpoint"
NAME = "run.ckpt"
ANEW = 100
"""What is made anew is made with another seed."""


def arguments(lines: Lines, step: int | str = "") -> str:
    """What stands between the parentheses after the path."""
    with_schedule = any(line.startswith("scheduler") and not line.endswith("None") for line in lines)
    return ", ".join(["model", "optimizer", *([f"{step}"] if step != "" else []), *(["scheduler"] * with_schedule)])


@contextmanager
def fresh_folder() -> Iterator[Path]:
    """A fresh folder; where there is one, on another file system than temporary files are."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="dojo-", dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name).resolve()


def save(module: Any, path: Path, run: Run) -> None:
    """Save the run at its step."""
    schedule = () if run.scheduler is None else (run.scheduler,)
    module.save_checkpoint(path, run.model, run.optimizer, run.step, *schedule)


def prepare(module: Any, path: Path, run: Run) -> None:
    """Save for a scenario that is about another function: where this fails, it says nothing of that one."""
    try:
        save(module, path, run)
    except NotImplementedError:
        raise
    except Exception:
        raise Todo(SAVE, SAVE) from None
    if not path.is_file():
        raise Todo(SAVE, SAVE)


def load(module: Any, path: Path | str, run: Run) -> Any:
    """Load into the run; what the learner's function returns."""
    schedule = () if run.scheduler is None else (run.scheduler,)
    return module.load_checkpoint(path, run.model, run.optimizer, *schedule)


def straight(lines: Lines, seed: int, steps: int, device: str) -> Run:
    """A run that takes its steps in one go."""
    run = make(lines, device, seed)
    run.train(steps)
    return run
