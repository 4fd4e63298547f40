"""What happens to training runs that are saved and loaded by a learner's functions, told step by step.

A run is described by the lines that make it (see tests/training.py). Each scenario works in a folder of its own, and
returns what there is to see afterwards, each value under the expression that shows it.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from dojo.catalog import ROOT
from dojo.kata import Todo, runs
from tests import faults
from tests.training import Lines, Run, changed, everything, make

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
def _folder() -> Iterator[Path]:
    """A fresh folder; where there is one, on another file system than temporary files are."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="dojo-", dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name).resolve()


def _save(module: Any, path: Path, run: Run) -> None:
    schedule = () if run.scheduler is None else (run.scheduler,)
    module.save_checkpoint(path, run.model, run.optimizer, run.step, *schedule)


def _prepare(module: Any, path: Path, run: Run) -> None:
    """Save for a scenario that is about another function: where this fails, it says nothing of that one."""
    try:
        _save(module, path, run)
    except NotImplementedError:
        raise
    except Exception:
        raise Todo(SAVE, SAVE) from None
    if not path.is_file():
        raise Todo(SAVE, SAVE)


def _load(module: Any, path: Path | str, run: Run) -> Any:
    schedule = () if run.scheduler is None else (run.scheduler,)
    return module.load_checkpoint(path, run.model, run.optimizer, *schedule)


def straight(lines: Lines, seed: int, steps: int, device: str) -> Run:
    """A run that takes its steps in one go."""
    run = make(lines, device, seed)
    run.train(steps)
    return run


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
    with _folder() as folder, faults.without_cuda() if where == "forked" else nullcontext():
        path = folder / NAME
        run = straight(lines, seed, before, device)  # not in a child: autograd's threads do not outlive a fork
        if where == "forked" and faults.in_child(partial(_save, module, path, run)) == faults.RETURNED:
            del run
        else:
            _save(module, path, run)  # what raises in another process raises here as well, where it can be told
        if not path.is_file():
            raise Todo(SAVE, SAVE)  # there is nothing that load_checkpoint could answer for
        if where == "fresh" and isinstance(module, ModuleType):  # a stand-in for a module exists in this process alone
            path.unlink()
            _in_a_fresh_python(module, path, lines, seed, before)
        files = os.listdir(folder)
        run = make(lines, device, seed + ANEW)
        step = _load(module, str(path) if seed % 2 else path, run)
        run.step = before
        run.train(after)
        return {"os.listdir()": files, "the step that was returned": step, **everything(run)}


def _in_a_fresh_python(module: ModuleType, path: Path, lines: Lines, seed: int, before: int) -> None:
    told = json.dumps([str(module.__file__), module.__name__, str(path), lines, seed, before])
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.scenarios_checkpoint import fresh; fresh()"
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], input=told, text=True, capture_output=True, cwd=path.parent
    )
    if ran.returncode != 0:
        raise RuntimeError(f"in a new Python: {ran.stderr.strip().splitlines()[-1:]}")


def fresh() -> None:
    """What `_in_a_fresh_python` runs there: train and save."""
    import importlib.util

    file, name, path, lines, seed, before = json.loads(sys.stdin.read())
    spec = importlib.util.spec_from_file_location(name.rpartition(".")[2], file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    _save(module, Path(path), straight(lines, seed, before, "cpu"))


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
    with _folder() as folder:
        run = straight(lines, seed, steps, device)
        _save(module, folder / NAME, run)
        module.save_checkpoint(str(folder / NAME), run.model, run.optimizer, run.step, run.scheduler)
        (folder / "folder").mkdir()
        with suppress(Exception):
            _save(module, folder / "folder", run)
        return {"os.listdir()": sorted(os.listdir(folder)), **everything(run, gradients=True)}


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
    with _folder() as folder:
        path = folder / NAME
        run = straight(lines, seed, 1, "cpu")
        _save(module, path, run)
        held = [path.read_bytes()]
        run.train(1)
        faults.at_each_moment(partial(_save, module, path, run), lambda: held.append(_bytes(path)))
        whole = {held[0], _bytes(path)}
        parts = [data for data in dict.fromkeys(held) if data not in whole and not _loads(module, path, data, run)]
        told = [f"a part of {len(data):,} bytes" if data else "empty or not there" for data in parts]
        return {WATCHED: ", ".join(told) or "whole"}


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _loads(module: Any, path: Path, data: bytes, run: Run) -> bool:
    path.write_bytes(data)
    try:
        _load(module, path, run)
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


def _faulty_lines(lines: Lines, seed: int, fault: str, number: int) -> tuple[str, Lines]:
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


@runs(_faulty_lines, uses=(SAVE, LOAD))
def saved_in_vain(module: Any, lines: Lines, seed: int, fault: str, number: int) -> Seen:
    """Save at step 1, and again at step 2 with a fault; then see what is left."""
    with _folder() as folder, faults.without_cuda():
        path = folder / NAME
        run = straight(lines, seed, 1, "cpu")
        _save(module, path, run)
        old = path.read_bytes()
        run.train(1)
        became = _save_with_fault(module, path, run, fault, number)
        seen: Seen = {"the save": became, "os.listdir()": sorted(os.listdir(folder))}
        other = make(lines, "cpu", seed + ANEW)
        _load(module, path, other)
        return {**seen, "the old one": path.read_bytes() == old, **everything(other)}


def _left_lines(lines: Lines, seed: int, fault: str, number: int) -> tuple[str, Lines]:
    return LATEST, [*_faulty_lines(lines, seed, fault, number)[1][:-1], "latest_checkpoint(Path())"]


@runs(_left_lines, uses=(SAVE, LATEST))
def latest_of_what_is_left(module: Any, lines: Lines, seed: int, fault: str, number: int) -> Seen:
    """The same, and what latest_checkpoint finds then."""
    with _folder() as folder, faults.without_cuda():
        path = folder / NAME
        run = straight(lines, seed, 1, "cpu")
        _prepare(module, path, run)
        run.train(1)
        became = _save_with_fault(module, path, run, fault, number)
        return {"the save": became, "latest_checkpoint": _told(module.latest_checkpoint(folder), folder)}


def _save_with_fault(module: Any, path: Path, run: Run, fault: str, number: int) -> str:
    """What becomes of a save with a fault, in a process of its own."""
    save = partial(_save, module, path, run)
    if fault == "unwritable":
        with faults.unwritable(path.parent) as prepare:
            return faults.in_child(save, prepare)
    if fault == "unpicklable":
        group = run.optimizer.param_groups[0]
        return faults.in_child(save, lambda: group.update(lock=threading.Lock()))
    with _folder() as elsewhere:  # how much there is of what goes wrong
        moments = faults.at_each_moment(partial(_save, module, elsewhere / NAME, run), lambda: None)
        size = (elsewhere / NAME).stat().st_size if (elsewhere / NAME).exists() else 0
    share = ROOM * number / 2**20
    if fault == "killed at a call":
        return faults.in_child(save, faults.killed_at_call(int(share * moments)))
    return faults.in_child(save, {"full": faults.full_disk}.get(fault, faults.killed_at_byte)(int(share * size)))


# Load


def _refused_lines(lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> tuple[str, Lines]:
    told = [f"# {_told_damage(kind, number)}" for kind, number in cases]
    load = f'load_checkpoint("{NAME}", {arguments(lines)})'
    return LOAD, [
        f"seed({seed})",
        *lines,
        "train(2)",
        f'save_checkpoint("{NAME}", {arguments(lines, 2)})',
        "train(1)",
        *(line for case in told for line in (case, load)),
    ]


def _flip(path: Path, number: int) -> None:
    data = bytearray(path.read_bytes())
    bit = number * 8 * len(data) >> 20
    data[bit // 8] ^= 1 << bit % 8
    path.write_bytes(data)


def _truncate(path: Path, number: int) -> None:
    os.truncate(path, number * path.stat().st_size >> 20)


def _lengthen(path: Path, number: int) -> None:
    with path.open("ab") as file:
        file.write(b"\0" * (1 + number % 64))


def _foreign(path: Path, number: int) -> None:
    kind = number % 6
    if kind == 0:
        path.write_text("step = 3\n", encoding="utf-8")
    elif kind in (1, 2):
        torch.save({"step": 10**6, "model": {}, "optimizer": {}}, path)
    elif kind == 3:
        path.write_bytes(pickle.dumps({"step": 10**6}))
    elif kind == 4:
        path.write_bytes(bytes(range(256)) * 4)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("data.pkl", b"no pickle")


def _remove(path: Path, number: int) -> None:
    path.unlink()


def _empty(path: Path, number: int) -> None:
    path.write_bytes(b"")


def _folder_instead(path: Path, number: int) -> None:
    data = path.read_bytes()
    path.unlink()
    path.mkdir()
    (path / "inside").write_bytes(data)


DAMAGE: dict[str, tuple[str, Callable[[Path, int], None]]] = {
    "flipped": (f"one bit of {NAME} is flipped, {{:.4%}} of the way through", _flip),
    "truncated": (f"{NAME} ends {{:.4%}} of the way through", _truncate),
    "lengthened": (f"{NAME} has some zero bytes after its end", _lengthen),
    "foreign": (f"{NAME} is somebody else's file", _foreign),
    "missing": (f"{NAME} is not there", _remove),
    "empty": (f"{NAME} is empty", _empty),
    "a folder": (f"{NAME} is a folder", _folder_instead),
}


def _told_damage(kind: str, number: int) -> str:
    return DAMAGE[kind][0].format(number / 2**20)


@runs(_refused_lines, uses=(SAVE, LOAD))
def refused(module: Any, lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> Seen:
    """Save, train on, and load the file with each damage in turn."""
    with _folder() as folder:
        run = straight(lines, seed, 2, device)
        whole, path = folder / "whole", folder / NAME
        _prepare(module, whole, run)
        run.train(1)
        return _first_that_is_taken(
            module,
            run,
            path,
            ((_told_damage(kind, number), partial(_damaged, whole, path, kind, number)) for kind, number in cases),
        )


def _damaged(whole: Path, path: Path, kind: str, number: int) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    shutil.copyfile(whole, path)
    DAMAGE[kind][1](path, number)


def _first_that_is_taken(
    module: Any, run: Run, path: Path, cases: Iterator[tuple[str, Callable[[], None]]], flag: Path | None = None
) -> Seen:
    """Load each case; what the first one that is not refused as it should be did, or else what the last one did."""
    before = everything(run, gradients=True)
    seen: Seen = {}
    for told, prepare in cases:
        prepare()
        seen = _refusal(module, run, path, flag) | {"changed": changed(before, everything(run, gradients=True))}
        if seen != REFUSED:
            return {"case": told, **seen}
    return {"case": "", **seen}


REFUSED = {"load_checkpoint": "raises CheckpointError", "the path in its message": True, "ran": False, "changed": []}


def _refusal(module: Any, run: Run, path: Path, flag: Path | None) -> Seen:
    try:
        returned = _load(module, path, run)
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


GADGETS: tuple[Callable[..., object], ...] = (os.mkdir, exec, Path.touch, zipfile.ZipFile)
"""What a pickle may call to leave something behind: a list of the names that are known to be bad is never complete."""


class Evil:
    """What makes a file or a folder when it is unpickled."""

    def __init__(self, flag: Path, number: int = 0):
        self.flag = flag
        self.gadget = GADGETS[number % len(GADGETS)]

    def __reduce__(self) -> tuple[Any, ...]:
        flag = str(self.flag)
        arguments: dict[Any, tuple[object, ...]] = {
            exec: (f"import os; os.mkdir({flag!r})",),
            Path.touch: (self.flag,),
            zipfile.ZipFile: (flag, "w"),
        }
        return self.gadget, arguments.get(self.gadget, (flag,))

    def undo(self) -> None:
        """Forget what was made: copying is unpickling as well, and what counts is what loading does."""
        if self.flag.is_dir():
            self.flag.rmdir()
        self.flag.unlink(missing_ok=True)


class _Carrier:
    def __init__(self, evil: Evil):
        self.evil = evil

    def state_dict(self) -> dict[str, object]:
        return {"last_epoch": 1, "evil": self.evil}


def _evil_pickle(module: Any, path: Path, run: Run, evil: Evil) -> None:
    path.write_bytes(pickle.dumps({"step": 1, "model": evil}))


def _evil_zip(module: Any, path: Path, run: Run, evil: Evil) -> None:
    torch.save({"step": 1, "model": evil}, path)


def _evil_legacy(module: Any, path: Path, run: Run, evil: Evil) -> None:
    torch.save({"step": 1, "model": evil}, path, _use_new_zipfile_serialization=False)


def _evil_member(module: Any, path: Path, run: Run, evil: Evil) -> None:
    _prepare(module, path, run)
    if not zipfile.is_zipfile(path):
        return _evil_zip(module, path, run, evil)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, pickle.dumps(evil, 2) if name.endswith(".pkl") else data)


def _evil_optimizer(module: Any, path: Path, run: Run, evil: Evil) -> None:
    run.optimizer.param_groups[0]["evil"] = evil
    try:
        _save_or_else(module, path, run, evil)
    finally:
        del run.optimizer.param_groups[0]["evil"]


def _evil_schedule(module: Any, path: Path, run: Run, evil: Evil) -> None:
    carrier = _Carrier(evil) if run.scheduler is not None else None
    _save_or_else(module, path, Run(run.model, run.optimizer, carrier, run.device, run.step), evil)


def _save_or_else(module: Any, path: Path, run: Run, evil: Evil) -> None:
    """In the learner's own format, whatever that is. Who refuses to save such a thing has a plain pickle to refuse."""
    try:
        _save(module, path, run)
    except NotImplementedError:
        raise
    except Exception:
        _evil_pickle(module, path, run, evil)


EVIL: dict[str, tuple[str, Callable[[Any, Path, Run, Evil], None]]] = {
    "pickle": (f"{NAME} is a pickle that would run code", _evil_pickle),
    "torch.save": (f"{NAME} is a file of torch.save that would run code", _evil_zip),
    "legacy": (f"{NAME} is an old file of torch.save that would run code", _evil_legacy),
    "member": (f"the pickle inside {NAME} is another one, which would run code", _evil_member),
    "optimizer": ("save_checkpoint was given an optimizer whose state would run code", _evil_optimizer),
    "schedule": ("save_checkpoint was given a schedule whose state would run code", _evil_schedule),
}


def _run_lines(lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> tuple[str, Lines]:
    load = f'load_checkpoint("{NAME}", {arguments(lines)})'
    return LOAD, [
        f"seed({seed})",
        *lines,
        "train(1)",
        *(line for kind, _ in cases for line in (f"# {EVIL[kind][0]}", load)),
    ]


@runs(_run_lines, uses=(SAVE, LOAD))
def refused_to_run(module: Any, lines: Lines, seed: int, cases: list[tuple[str, int]], device: str) -> Seen:
    """Load files that would run code."""
    with _folder() as folder:
        run, path, flag = straight(lines, seed, 1, device), folder / NAME, folder / "flag"

        def prepare(kind: str, number: int) -> None:
            evil = Evil(flag, number)
            EVIL[kind][1](module, path, run, evil)
            evil.undo()

        return _first_that_is_taken(
            module, run, path, ((EVIL[kind][0], partial(prepare, kind, number)) for kind, number in cases), flag
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
    with _folder() as folder:
        path = folder / NAME
        _prepare(module, path, straight(lines, seed, 2, device))
        run = straight(other, seed + ANEW, 1, device)
        return _first_that_is_taken(module, run, path, iter([("", lambda: None)]))


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
    with _folder() as parent:
        folder, flag = parent / "run", parent / "flag"
        folder.mkdir()
        run = straight(lines, seed, 1, "cpu")
        for place, (name, what, step) in enumerate(entries):
            path = folder / name
            run.step = step
            if what == "evil":
                _evil_zip(module, path, run, Evil(flag, step))
            else:
                _prepare(module, path, run)
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
    with _folder() as folder, faults.without_cuda():
        run = make(lines, "cpu", seed)
        seen: list[Seen] = []
        for what, name, number in events:
            path = folder / name
            if what == "train":
                run.train(number)
            elif what == "save":
                _save(module, path, run)
            elif what == "flipped":
                if path.exists():
                    _flip(path, number)
            elif what == "resume":
                run = make(lines, "cpu", seed + ANEW)
                try:
                    run.step = _load(module, path, run)
                except module.CheckpointError:
                    run = make(lines, "cpu", seed)
                    seen.append({"load_checkpoint": "raises CheckpointError"})
                else:
                    seen.append({"load_checkpoint": run.step, **everything(run)})
            else:
                seen.append({"the save": _save_with_fault(module, path, run, what, number)})
        return [*seen, {"the step": run.step, **everything(run)}]
