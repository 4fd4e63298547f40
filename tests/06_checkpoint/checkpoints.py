"""A learner's three functions on a training run: what every program of kata 06 is made of."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from dojo.seam.data import Error
from dojo.seam.parts import Ending, Failed, Parts
from dojo.seam.seam import Todo

from . import scenarios
from .damage import Evil
from .scenarios import NAME, Item
from .training import TABLE, Lines, Snapshot, changed, remade, set_by_hand, snapshot, snapshots, straight

Seen = dict[str, object]

SAVE, LOAD, LATEST = "save_checkpoint", "load_checkpoint", "latest_checkpoint"
ANEW = 2**31
"""What is made anew is made with another seed: with this one more."""


def arguments(lines: Lines, step: int | str = "") -> str:
    """What stands between the parentheses after the path."""
    with_schedule = any(line.startswith("scheduler") and not line.endswith("None") for line in lines)
    return ", ".join(["model", "optimizer", *([f"{step}"] if step != "" else []), *(["scheduler"] * with_schedule)])


def seeded(seed: int) -> str:
    """Return the first line of a program. It says what `seed` and `train` mean, which are no real functions."""
    return f"seed({seed})  # all random states; train(n) takes n steps"


def at(lines: Lines, seed: int, device: str, steps: int) -> Snapshot:
    """The run of these lines after its steps."""
    return pair(lines, seed, device, steps)[0]


def along(lines: Lines, seed: int, device: str, steps: int) -> list[Snapshot]:
    """The run of these lines after each of its steps."""
    return snapshots(lines, seed, steps, device)[1:]


Pair = tuple[Snapshot, Snapshot]
"""A run, and the same run one step later."""


def pair(lines: Lines, seed: int, device: str, steps: int) -> Pair:
    """The run of these lines after its steps, and after one more."""
    made = _made if lines[0].endswith(TABLE) else _kept  # a thousand large ones would be too many
    return made(tuple(lines), seed, device, steps)


def _made(lines: tuple[str, ...], seed: int, device: str, steps: int) -> Pair:
    run = straight([*lines], seed, steps, device)
    now = snapshot([*lines], run)
    run.train(1)
    return now, snapshot([*lines], run)


_kept = functools.lru_cache(maxsize=1000)(_made)


def without_schedule(lines: Lines, device: str, run: Snapshot) -> Pair:
    """What becomes of a run if it goes on without its schedule: now, and one step later."""
    alone = remade(lines, device, run.state)
    now = snapshot(lines, alone)
    alone.train(1)
    return now, snapshot(lines, alone)


def states(told: object, name: str) -> Seen:
    """What a part has told under that name, if it is what there is to see of a run."""
    found = told.get(name) if isinstance(told, dict) else None
    return found if isinstance(found, dict) else {}


def results(value: object, count: int) -> list[Seen]:
    """What `load` has told of so many files."""
    if not isinstance(value, list) or len(value) != count or not all(isinstance(one, dict) for one in value):
        raise Failed(Error("Untold", ("Untold",), "its process told nothing of what it has loaded"))
    return value


def differences(told: object, wanted: Pair, *, gradients: bool = True) -> list[str]:
    """The expressions by which a run differs from what it should be, now or, if it does not, after one more step."""
    now, later = wanted
    want = {name: value for name, value in now.seen.items() if gradients or not name.startswith("gradients")}
    run = {name: value for name, value in states(told, "run").items() if name in want or not name.startswith("grad")}
    after = {name: value for name, value in later.seen.items() if not name.startswith("gradients")}
    return changed(want, run) or [f"{name} after train(1)" for name in changed(after, states(told, "next"))]


def anew(lines: Lines, seed: int, device: str, steps: int = 0) -> Pair:
    """The run of these lines that a checkpoint is loaded into."""
    return pair(lines, seed + ANEW, device, steps)


def saved(parts: Parts, device: str, *items: Item) -> Ending:
    """Have these runs saved by one process."""
    return parts(scenarios.save, device, list(items))


def prepared(parts: Parts, device: str, *items: Item) -> dict[str, bytes]:
    """Have runs saved for a program that is about another function: if this fails, it says nothing about that one."""
    ending = saved(parts, device, *items)
    files = {name: data for name, data in ending.files.items() if type(data) is bytes}
    if ending.failed or not all(name in files for name, *_ in items):
        raise nothing_saved(ending)
    return {name: files[name] for name, *_ in items}


def saved_evil(parts: Parts, device: str, run: Item, evil: Evil, where: str) -> bytes | None:
    """Have a run saved whose optimizer or schedule would run code.

    None if that is refused, or if it ran: what is saved is then what came of it.
    """
    _, lines, state = run
    ending = parts(scenarios.save_evil, lines, device, state, evil.flag, evil.number, where)
    return None if ending.failed or evil.flag in ending.files else ending.files.get(NAME)


def nothing_saved(ending: Ending) -> Todo:
    """Return what to raise if there is no file where it was to be saved: load_checkpoint is not to blame for that."""
    left_none = Error("FileNotFoundError", ("FileNotFoundError", "OSError"), f"{SAVE} has left no file of that name")
    return Todo(SAVE, SAVE, ending.outcome if isinstance(ending.outcome, Error) else left_none)


def numbered(run: Item, step: int) -> Item:
    """The same run to be saved as another step, whatever its optimizer counts."""
    name, lines, state = run
    return name, lines, state | {"step": step}


def changed_by_hand(run: Item, names: Sequence[str]) -> Item:
    """The same run with these of BY_HAND set in each parameter group."""
    name, lines, state = run
    groups = [group | set_by_hand(lines, names) for group in state["optimizer"]["param_groups"]]
    return name, lines, state | {"optimizer": state["optimizer"] | {"param_groups": groups}}


def item(run: Snapshot, name: str = NAME) -> Item:
    """A run to be saved under that name, or to be loaded into from there."""
    return name, run.lines, run.state
