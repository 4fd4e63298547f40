"""Files that are loaded or looked for: whole checkpoints, and whatever else may lie there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from dojo.seam.seam import runs

from . import faults
from .checkpoints import ANEW, LATEST, LOAD, NAME, SAVE, Seen, arguments, fresh_folder, load, prepare, straight
from .damage import DAMAGE, EVIL, Evil, evil_zip, told_damage
from .scenarios_saving import faulty_lines, save_with_fault
from .training import Lines, Run, changed, everything


def _refused_lines(lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> tuple[str, Lines]:
    told = [f"# {told_damage(kind, number)}" for kind, number in cases]
    loading = f'load_checkpoint("{NAME}", {arguments(lines)})'
    return LOAD, [
        f"seed({seed})",
        *lines,
        "train(2)",
        f'save_checkpoint("{NAME}", {arguments(lines, 2)})',
        "train(1)",
        *(line for case in told for line in (case, loading)),
    ]


@runs(_refused_lines, uses=(SAVE, LOAD))
def refused(module: Any, lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> Seen:
    """Save, train on, and load the file with each damage in turn."""
    with fresh_folder() as folder:
        run = straight(lines, seed, 2, device)
        whole, path = folder / "whole", folder / NAME
        prepare(module, whole, run)
        run.train(1)
        return _first_that_is_taken(
            module,
            run,
            path,
            ((told_damage(kind, number), partial(_damaged, whole, path, kind, number)) for kind, number in cases),
        )


def _damaged(whole: Path, path: Path, kind: str, number: int) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    shutil.copyfile(whole, path)
    DAMAGE[kind][1](path, number)


def _first_that_is_taken(
    module: Any, run: Run, path: Path, cases: Iterable[tuple[str, Callable[[], None]]], flag: Path | None = None
) -> Seen:
    """Load each case; what the first one that is not refused as it should be did, or else what the last one did."""
    before = everything(run, gradients=True)
    seen: Seen = {}
    for told, put in cases:
        put()
        seen = _refusal(module, run, path, flag) | {"changed": changed(before, everything(run, gradients=True))}
        if seen != REFUSED:
            return {"case": told, **seen}
    return {"case": "", **seen}


REFUSED = {"load_checkpoint": "raises CheckpointError", "the path in its message": True, "ran": False, "changed": []}


def _refusal(module: Any, run: Run, path: Path, flag: Path | None) -> Seen:
    try:
        returned = load(module, path, run)
    except NotImplementedError:
        raise  # a stub is no refusal
    except module.CheckpointError as error:
        outcome, named = "raises CheckpointError", str(path) in str(error)
    except Exception as error:
        outcome, named = f"raises {type(error).__name__}", str(path) in str(error)
    else:
        outcome, named = f"returns {returned!r}" if type(returned) is int else "returns", False
    ran = flag is not None and flag.exists()
    return {"load_checkpoint": outcome, "the path in its message": named, "ran": ran}


def _run_lines(lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> tuple[str, Lines]:
    loading = f'load_checkpoint("{NAME}", {arguments(lines)})'
    return LOAD, [
        f"seed({seed})",
        *lines,
        "train(1)",
        *(line for kind, _ in cases for line in (f"# {EVIL[kind][0]}", loading)),
    ]


@runs(_run_lines, uses=(SAVE, LOAD))
def refused_to_run(module: Any, lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> Seen:
    """Load files that would run code."""
    with fresh_folder() as folder:
        run, path, flag = straight(lines, seed, 1, device), folder / NAME, folder / "flag"

        def put(kind: str, number: int) -> None:
            evil = Evil(flag, number)
            EVIL[kind][1](module, path, run, evil)
            evil.undo()

        return _first_that_is_taken(
            module, run, path, ((EVIL[kind][0], partial(put, kind, number)) for kind, number in cases), flag
        )


def _mismatched_lines(lines: Lines, other: Lines, seed: int, device: str) -> tuple[str, Lines]:
    return LOAD, [
        f"seed({seed})",
        *lines,
        "train(2)",
        f'save_checkpoint("{NAME}", {arguments(lines, 2)})',
        "# another run",
        *other,
        "train(1)",
        f'load_checkpoint("{NAME}", {arguments(other)})',
    ]


@runs(_mismatched_lines, uses=(SAVE, LOAD))
def refused_to_mix(module: Any, lines: Lines, other: Lines, seed: int, device: str) -> Seen:
    """Load the checkpoint of one run into another one that it does not fit."""
    with fresh_folder() as folder:
        path = folder / NAME
        prepare(module, path, straight(lines, seed, 2, device))
        run = straight(other, seed + ANEW, 1, device)
        return _first_that_is_taken(module, run, path, [("", lambda: None)])


# Latest

Entry = tuple[str, str, int]


def _latest_lines(lines: Lines, seed: int, entries: list[Entry], as_text: bool) -> tuple[str, Lines]:
    told = [f"seed({seed})", *lines, "# in an empty folder, from old to new"]
    for name, what, step in entries:
        if what in ("whole", "flipped", "truncated"):
            told.append(f'save_checkpoint("{name}", {arguments(lines, step)})')
        if what != "whole":
            told.append(f"# {name}: {what}")
    folder = '"."' if as_text else "Path()"
    return LATEST, [*told, f"latest_checkpoint({folder})"]


@runs(_latest_lines, uses=(SAVE, LATEST))
def latest(module: Any, lines: Lines, seed: int, entries: list[Entry], as_text: bool) -> Seen:
    """Fill a folder, and ask which checkpoint is the latest."""
    with fresh_folder() as parent:
        folder, flag = parent / "run", parent / "flag"
        folder.mkdir()
        run = straight(lines, seed, 1, "cpu")
        for place, (name, what, step) in enumerate(entries):
            path = folder / name
            run.step = step
            if what == "evil":
                evil_zip(module, path, run, Evil(flag, step))
            else:
                prepare(module, path, run)
                if what != "whole":
                    DAMAGE[what][1](path, (7919 * step + 104_729 * place) % 2**20)
            os.utime(path, (10**9 + place, 10**9 + place))
        run.train(1)
        before, files = everything(run), set(os.listdir(folder))
        found = module.latest_checkpoint(str(folder) if as_text else folder)
        return {
            "latest_checkpoint": _told(found, folder),
            "ran": flag.exists(),
            "changed": changed(before, everything(run)),
            "files that came or went": sorted(files ^ set(os.listdir(folder))),
        }


def _told(found: object, folder: Path) -> object:
    if found is None:
        return None
    if not isinstance(found, Path):
        return f"a {type(found).__name__}, which is no Path"
    return found.name if found.resolve().parent == folder else f"{found.name}, which is not in the folder"


def _left_lines(lines: Lines, seed: int, fault: str, number: int) -> tuple[str, Lines]:
    return LATEST, [*faulty_lines(lines, seed, fault, number)[1][:-1], "latest_checkpoint(Path())"]


@runs(_left_lines, uses=(SAVE, LATEST))
def latest_of_what_is_left(module: Any, lines: Lines, seed: int, fault: str, number: int) -> Seen:
    """The same, and what latest_checkpoint finds then."""
    with fresh_folder() as folder, faults.without_cuda():
        path = folder / NAME
        run = straight(lines, seed, 1, "cpu")
        prepare(module, path, run)
        run.train(1)
        became = save_with_fault(module, path, run, fault, number)
        return {"the save": became, "latest_checkpoint": _told(module.latest_checkpoint(folder), folder)}
