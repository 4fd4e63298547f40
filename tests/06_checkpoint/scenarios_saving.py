"""Runs that are saved: what there is to see of them afterwards, when all went well and when it did not.

A run is described by the lines that make it (see tests/training.py). Each scenario works in a folder of its own, and
returns what there is to see, each value under the expression that shows it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from dojo.catalog import ROOT, find
from dojo.seam.learner_file import load as answers_of
from dojo.seam.seam import Todo, runs

from . import faults
from .checkpoints import ANEW, LOAD, NAME, SAVE, Seen, arguments, fresh_folder, load, save, straight
from .damage import flip
from .training import Lines, Run, everything, make

# Resume


def _resumed_lines(lines: Lines, seed: int, before: int, after: int, where: str, device: str) -> tuple[str, Lines]:
    return "", [
        f"seed({seed})",
        *lines,
        f"train({before})",
        f'save_checkpoint("{NAME}", {arguments(lines, before)})',
        {
            "here": "# the same lines once more: model, optimizer and schedule made anew",
            "forked": "# saved by a process that is gone; the same lines: model, optimizer and schedule made anew",
            "fresh": "# in a new Python, the same lines: model, optimizer and schedule made anew",
        }[where],
        f'load_checkpoint("{NAME}", {arguments(lines)})',
        f"train({after})",
    ]


@runs(_resumed_lines, uses=(SAVE, LOAD))
def resumed(module: Any, lines: Lines, seed: int, before: int, after: int, where: str, device: str) -> Seen:
    """Train, save, make everything anew, load, train on.

    where: it is saved here, by a forked process that is gone then, or in a fresh Python; it is always loaded here.
    """
    with fresh_folder() as folder, faults.without_cuda() if where == "forked" else nullcontext():
        path = folder / NAME
        run = straight(lines, seed, before, device)  # not in a child: autograd's threads do not outlive a fork
        if where == "forked" and faults.in_child(partial(save, module, path, run)) == faults.RETURNED:
            del run
        else:
            save(module, path, run)  # what raises in another process raises here as well, where it can be told
        if not path.is_file():
            raise Todo(SAVE, SAVE)  # there is nothing that load_checkpoint could answer for
        if where == "fresh" and isinstance(module, ModuleType):  # a stand-in for a module exists in this process alone
            path.unlink()
            _in_a_fresh_python(module, path, lines, seed, before)
        files = listed(folder)
        run = make(lines, device, seed + ANEW)
        step = load(module, str(path) if seed % 2 else path, run)
        run.step = before
        run.train(after)
        return {"os.listdir()": files, "the step that was returned": step, **everything(run)}


def _in_a_fresh_python(module: ModuleType, path: Path, lines: Lines, seed: int, before: int) -> None:
    told = json.dumps([module.__name__, str(module.__file__), str(path), lines, seed, before])
    code = f"import importlib, sys; sys.path.insert(0, {str(ROOT)!r}); importlib.import_module({__name__!r}).fresh()"
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], input=told, text=True, capture_output=True, cwd=path.parent
    )
    if ran.returncode != 0:
        raise RuntimeError(f"in a new Python: {ran.stderr.strip().splitlines()[-1:]}")


def fresh() -> None:
    """What `_in_a_fresh_python` runs there: train and save. A pickle may name the module, so it has its name."""
    name, file, path, lines, seed, before = json.loads(sys.stdin.read())
    folder = Path(file).parent
    module = answers_of(find(folder.name), folder.parent, name).module
    save(module, Path(path), straight(lines, seed, before, "cpu"))


# Save


def _saved_lines(lines: Lines, seed: int, steps: int, device: str) -> tuple[str, Lines]:
    return SAVE, [
        f"seed({seed})",
        *lines,
        f"train({steps})",
        f'save_checkpoint("{NAME}", {arguments(lines, steps)})',
        'save_checkpoint("folder", ...)  # which there is',
    ]


@runs(_saved_lines)
def saved(module: Any, lines: Lines, seed: int, steps: int, device: str) -> Seen:
    """Train and save, twice under the same name, by a Path and by a str, and once where no file can come to lie."""
    with fresh_folder() as folder:
        run = straight(lines, seed, steps, device)
        save(module, folder / NAME, run)
        module.save_checkpoint(str(folder / NAME), run.model, run.optimizer, run.step, run.scheduler)
        (folder / "folder").mkdir()
        with suppress(Exception):
            save(module, folder / "folder", run)
        return {"os.listdir()": listed(folder), **everything(run, gradients=True)}


def listed(folder: Path) -> list[str]:
    """What lies there. A file of the learner's own making has no name here: most are random."""
    return sorted(name if name in (NAME, "folder") else "another file" for name in os.listdir(folder))


WATCHED = f"{NAME} in between"


def _watched_lines(lines: Lines, seed: int) -> tuple[str, Lines]:
    return SAVE, [
        f"seed({seed})",
        *lines,
        "train(1)",
        f'save_checkpoint("{NAME}", {arguments(lines, 1)})',
        "train(1)",
        f'save_checkpoint("{NAME}", {arguments(lines, 2)})  # and {NAME} is looked at while it runs',
    ]


@runs(_watched_lines, uses=(SAVE, LOAD))
def saved_and_watched(module: Any, lines: Lines, seed: int) -> Seen:
    """Save at step 1, and again at step 2; whether the file is the old one or the new one all the time in between."""
    with fresh_folder() as folder:
        path = folder / NAME
        run = straight(lines, seed, 1, "cpu")
        save(module, path, run)
        old = path.read_bytes()
        held: dict[bytes | None, bool] = {}
        run.train(1)

        def look() -> None:
            data = path.read_bytes() if path.exists() else None
            held[data] = held.get(data, False) or len(os.listdir(folder)) > path.exists()

        faults.at_each_moment(partial(save, module, path, run), look)
        whole = {old, path.read_bytes() if path.exists() else None}
        parts = [data for data in held if not data or (data not in whole and not _loads(module, path, data, run))]
        return {WATCHED: ", ".join(_told_part(data, held[data]) for data in parts) or "whole"}


def _told_part(data: bytes | None, beside: bool) -> str:
    what = "not there" if data is None else f"a part of {len(data):,} bytes" if data else "empty"
    return what + ", and another file beside it" * beside


def _loads(module: Any, path: Path, data: bytes, run: Run) -> bool:
    path.write_bytes(data)
    try:
        load(module, path, run)
    except NotImplementedError:
        raise
    except Exception:
        return False
    return True


FAULTS = {
    "full": "on a disk with room for {:.2%} of the file",
    "unwritable": "in a folder that cannot be written to",
    "unpicklable": "with something in the optimizer that cannot be saved",
    "killed in a write": "in a process that is killed when {:.2%} of the file are written",
    "killed at a call": "in a process that is killed {:.2%} of the way through its calls that deal with files",
}
ROOM = 1.1
"""A fault may come too late: this share of the file, or of the calls, stands for the largest number that is drawn."""


def _told_fault(fault: str, number: int) -> str:
    return "# " + FAULTS[fault].format(ROOM * number / 2**20)


def faulty_lines(lines: Lines, seed: int, fault: str, number: int) -> tuple[str, Lines]:
    """Save at step 1, and again at step 2 with a fault, as it would be typed."""
    return SAVE, [
        f"seed({seed})",
        *lines,
        "train(1)",
        f'save_checkpoint("{NAME}", {arguments(lines, 1)})',
        "train(1)",
        _told_fault(fault, number),
        f'save_checkpoint("{NAME}", {arguments(lines, 2)})',
        f'load_checkpoint("{NAME}", {arguments(lines)})',
    ]


@runs(faulty_lines, uses=(SAVE, LOAD))
def saved_in_vain(module: Any, lines: Lines, seed: int, fault: str, number: int) -> Seen:
    """Save at step 1, and again at step 2 with a fault; then see what is left."""
    with fresh_folder() as folder, faults.without_cuda():
        path = folder / NAME
        run = straight(lines, seed, 1, "cpu")
        save(module, path, run)
        old = path.read_bytes()
        run.train(1)
        became = save_with_fault(module, path, run, fault, number)
        seen: Seen = {"the save": became, "os.listdir()": listed(folder)}
        other = make(lines, "cpu", seed + ANEW)
        load(module, path, other)
        return {**seen, "the old one": path.read_bytes() == old, **everything(other)}


def save_with_fault(module: Any, path: Path, run: Run, fault: str, number: int) -> str:
    """What becomes of a save with a fault, in a process of its own."""
    action = partial(save, module, path, run)
    if fault == "unwritable":
        with faults.unwritable(path.parent) as prepare:
            return faults.in_child(action, prepare)
    if fault == "unpicklable":
        group = run.optimizer.param_groups[0]
        return faults.in_child(action, lambda: group.update(lock=threading.Lock()))
    with fresh_folder() as elsewhere:  # how much there is of what goes wrong
        moments = faults.at_each_moment(partial(save, module, elsewhere / NAME, run), lambda: None)
        size = (elsewhere / NAME).stat().st_size if (elsewhere / NAME).exists() else 0
    share = ROOM * number / 2**20
    if fault == "killed at a call":
        return faults.in_child(action, faults.killed_at_call(int(share * moments)))
    limit = faults.full_disk if fault == "full" else faults.killed_at_byte
    return faults.in_child(action, limit(int(share * size)))


# All together

Event = tuple[str, str, int]


def _story_lines(lines: Lines, seed: int, events: list[Event]) -> tuple[str, Lines]:
    told = [f"seed({seed})", *lines]
    for what, name, number in events:
        if what == "train":
            told.append(f"train({number})")
        elif what == "resume":
            told += ["# all made anew", f'load_checkpoint("{name}", {arguments(lines)})']
        elif what == "flipped":
            told.append(f"# one bit of {name} is flipped, {number / 2**20:.4%} of the way through")
        else:
            told += [_told_fault(what, number)] if what != "save" else []
            told.append(f'save_checkpoint("{name}", {arguments(lines, "step")})')
    return "", told


@runs(_story_lines, uses=(SAVE, LOAD))
def story(module: Any, lines: Lines, seed: int, events: list[Event]) -> list[Seen]:
    """Train, save, damage, crash and resume; what each of these came to, and at last all there is to see.

    Where there is no checkpoint to resume from, the run begins once more.
    """
    with fresh_folder() as folder, faults.without_cuda():
        run = make(lines, "cpu", seed)
        seen: list[Seen] = []
        for what, name, number in events:
            path = folder / name
            if what == "train":
                run.train(number)
            elif what == "save":
                save(module, path, run)
            elif what == "flipped":
                if path.exists():
                    flip(path, number)
            elif what == "resume":
                run = make(lines, "cpu", seed + ANEW)
                try:
                    run.step = load(module, path, run)
                except module.CheckpointError:
                    run = make(lines, "cpu", seed)
                    seen.append({"load_checkpoint": "raises CheckpointError"})
                else:
                    seen.append({"load_checkpoint": run.step, **everything(run)})
            else:
                seen.append({"the save": save_with_fault(module, path, run, what, number)})
        return [*seen, {"the step": run.step, **everything(run)}]
