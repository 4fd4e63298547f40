"""A learner's three functions on a training run: what every program of kata 06 is made of."""

from __future__ import annotations

import functools

from dojo.seam.parts import Ending, Parts
from dojo.seam.seam import Todo

from . import scenarios
from .scenarios import NAME, Item
from .training import Lines, Snapshot, snapshot, snapshots, straight

Seen = dict[str, object]

SAVE, LOAD, LATEST = "save_checkpoint", "load_checkpoint", "latest_checkpoint"
ANEW = 2**31
"""What is made anew is made with another seed: with this one more."""


def arguments(lines: Lines, step: int | str = "") -> str:
    """What stands between the parentheses after the path."""
    with_schedule = any(line.startswith("scheduler") and not line.endswith("None") for line in lines)
    return ", ".join(["model", "optimizer", *([f"{step}"] if step != "" else []), *(["scheduler"] * with_schedule)])


def at(lines: Lines, seed: int, device: str, steps: int) -> Snapshot:
    """The run of these lines after its steps."""
    return _at(tuple(lines), seed, device, steps)


def along(lines: Lines, seed: int, device: str, steps: int) -> list[Snapshot]:
    """The run of these lines after each of its steps."""
    return snapshots(lines, seed, steps, device)[1:]


@functools.lru_cache(maxsize=1000)
def _at(lines: tuple[str, ...], seed: int, device: str, steps: int) -> Snapshot:
    return snapshot(list(lines), straight(list(lines), seed, steps, device))


def anew(lines: Lines, seed: int, device: str, steps: int = 0) -> Snapshot:
    """The run of these lines that a checkpoint is loaded into."""
    return at(lines, seed + ANEW, device, steps)


def saved(parts: Parts, device: str, *items: Item) -> Ending:
    """Have these runs saved by one process."""
    return parts(scenarios.save, device, list(items))


def prepared(parts: Parts, device: str, *items: Item) -> dict[str, bytes]:
    """Have runs saved for a program that is about another function: where this fails, it says nothing of that one."""
    ending = saved(parts, device, *items)
    files = {name: data for name, data in ending.files.items() if type(data) is bytes}
    if ending.failed or not all(name in files for name, *_ in items):
        raise Todo(SAVE, SAVE)
    return {name: files[name] for name, *_ in items}


def item(run: Snapshot, name: str = NAME) -> Item:
    """A run to be saved under that name, or to be loaded into from there."""
    return name, run.lines, run.state
