"""The parts of kata 06's programs: what is done in the process in which the learner's code runs.

The judge sends the numbers of a run. A part works in its own folder, the current one.
"""

from __future__ import annotations

import copy
import io
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from .damage import Evil, flipped
from .training import Lines, Run, State, everything, make, put, remade, state_of, without_cuda

Item = tuple[str, Lines, State]
"""The name of a file, and the run that is saved there, or that it is loaded into."""
Results = list[dict[str, object]]

NAME = "run.ckpt"
OLDER = tuple(f"step_{step}.ckpt" for step in range(5))
"""Earlier checkpoints: more than anybody keeps who keeps only some."""
FOLDER = "run"
"""Where `latest` looks: not in the current folder, where a bare name would do."""


def save(module: Any, device: str, items: list[Item]) -> None:
    """Save each run under its name."""
    with without_cuda(device):
        for path, run in _each(items, device):
            _save(module, path, run)


def _each(items: list[Item], device: str) -> Iterator[tuple[Path, Run]]:
    """The path of each item, and its run; where the next run is made by the same lines, it is the same one."""
    run, made = None, None
    for name, lines, state in items:
        if run is None or lines != made:
            run, made = make(lines, device, 0), lines
        put(run, state)
        yield Path.cwd() / name, run


def save_and_look(module: Any, lines: Lines, device: str, state: State) -> dict[str, object]:
    """Save a run twice, by a Path and by a bare name, and where no file can come to lie; what the run is then.

    Before, the same is saved under other names; which of those files are not as they were.
    """
    with without_cuda(device):
        run = remade(lines, device, state)
        older = [Path.cwd() / name for name in OLDER]
        for step, path in enumerate(older):
            module.save_checkpoint(path, run.model, run.optimizer, step, *_schedule(run))
        held = [path.read_bytes() if path.is_file() else None for path in older]
        _save(module, Path.cwd() / NAME, run)
        module.save_checkpoint(NAME, run.model, run.optimizer, run.step, *_schedule(run))
        became = "returns"
        try:
            _save(module, Path.cwd() / "folder", run)
        except Exception:
            became = "raises"
        left = [path.read_bytes() if path.is_file() else b"" for path in older]
        touched = [name for name, one, other in zip(OLDER, held, left, strict=True) if one != other]
        return {"folder": became, "touched": touched, **_now_and_next(run)}


def save_the_unpicklable(module: Any, lines: Lines, state: State, name: str) -> None:
    """Save a run with a lock in its optimizer, which no format of a file can hold."""
    with without_cuda("cpu"):
        run = remade(lines, "cpu", state)
        run.optimizer.param_groups[0]["lock"] = threading.Lock()
        _save(module, Path.cwd() / name, run)


def save_evil(module: Any, lines: Lines, device: str, state: State, flag: str, number: int, where: str) -> None:
    """Save a run whose optimizer or schedule holds what runs code when it is unpickled."""
    evil = Evil(flag, number)  # made here: on the way it would be unpickled
    with without_cuda(device):
        run = remade(lines, device, state)
        if where == "schedule" and run.scheduler is not None:
            run.scheduler = _Carrier(evil)
        else:
            run.optimizer.param_groups[0]["evil"] = evil
        _save(module, Path.cwd() / NAME, run)


class _Carrier:
    def __init__(self, evil: Evil):
        self.evil = evil

    def state_dict(self) -> dict[str, object]:
        return {"last_epoch": 1, "evil": self.evil}


def resume(
    module: Any, lines: Lines, device: str, state: State, name: str, after: int, as_text: bool
) -> dict[str, object]:
    """Load, and train on; what was returned, and what the run is then."""
    with without_cuda(device):
        run = remade(lines, device, state)
        path = Path.cwd() / name
        step = module.load_checkpoint(name if as_text else path, run.model, run.optimizer, *_schedule(run))
        run.train(after)
        return {"the step that was returned": step, **everything(run)}


def load(module: Any, device: str, items: list[Item]) -> Results:
    """Load each file into its run, every other one by its bare name; what came of it, and what the run is then."""
    with without_cuda(device):
        named = enumerate(_each(items, device))
        return [_loaded(module, path.name if place % 2 else path, run) for place, (path, run) in named]


def load_flipped(module: Any, device: str, item: Item, bits: list[int]) -> dict[str, object]:
    """Load a file, with each of these bits flipped in turn, up to the first that is not refused, and as it was."""
    with without_cuda(device):
        ((path, run),) = _each([item], device)
        data, tried = path.read_bytes(), {}
        whole = [_loaded(module, path, run)]
        put(run, item[2])
        for bit in bits:
            path.write_bytes(flipped(data, bit))
            tried = {"bit": bit, **_tried(module, path, run)}
            if tried["raised"] != "raises CheckpointError" or not tried["the path in its message"]:
                break
        tried |= _now_and_next(run)
        put(run, item[2])
        path.write_bytes(data)
        return {"tried": tried, "whole": [*whole, _loaded(module, path, run)]}


def _loaded(module: Any, path: Path | str, run: Run) -> dict[str, object]:
    return {**_tried(module, path, run), **_now_and_next(run)}


def _tried(module: Any, path: Path | str, run: Run) -> dict[str, object]:
    """What became of a load."""
    returned: object = None
    raised, named = "", False
    try:
        returned = module.load_checkpoint(path, run.model, run.optimizer, *_schedule(run))
    except NotImplementedError:
        raise  # a stub is no refusal
    except module.CheckpointError as error:
        raised, named = "raises CheckpointError", str(path) in str(error)
    except Exception as error:
        raised, named = f"raises {type(error).__name__}", str(path) in str(error)
    return {"load_checkpoint": returned, "raised": raised, "the path in its message": named}


def _now_and_next(run: Run) -> dict[str, object]:
    """What the run is now, and after one more step: it has to be what it says that it is."""
    now = everything(run, gradients=True)
    run.train(1)
    return {"run": now, "next": everything(run)}


def latest(
    module: Any, lines: Lines, state: State, as_text: bool, became: dict[str, bytes | None]
) -> dict[str, object]:
    """Look for the latest checkpoint, and again after files were changed; what was found, and what the run is then.

    became: what those files hold for the second look, None for one that is deleted.
    """
    with without_cuda("cpu"):
        run, folder = remade(lines, "cpu", state), Path.cwd() / FOLDER
        given = FOLDER if as_text else folder
        found = _told(module.latest_checkpoint(given), folder)
        again = None
        for name, data in became.items():
            _change(folder / name, data)
            again = _told(module.latest_checkpoint(given), folder)
        return {"latest_checkpoint": found, "again": again, **_now_and_next(run)}


def _change(path: Path, data: bytes | None) -> None:
    """Delete a file, make one, or give one other bytes as a failing disk would: its times stay as they are."""
    if data is None:
        path.unlink()
        return
    before = path.stat() if path.exists() else None
    path.write_bytes(data)
    if before is not None:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _told(found: object, folder: Path) -> str:
    if found is None:
        return "None"
    if not isinstance(found, Path):
        return f"a {type(found).__name__}, which is no Path"
    elsewhere = found.resolve().parent != folder.resolve()
    return told_path(found.name) + ", which is not in the folder" * elsewhere


def told_path(name: str) -> str:
    """A file of the folder, as Python would write it."""
    return f"Path({name!r})"


def _save(module: Any, path: Path, run: Run) -> None:
    module.save_checkpoint(path, run.model, run.optimizer, run.step, *_schedule(run))


def _schedule(run: Run) -> tuple[Any, ...]:
    return () if run.scheduler is None else (run.scheduler,)


def warm_up() -> None:
    """Do once what each part does first, so that no process of a part has to: imports, caches, kernels."""
    lines = ["model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2), nn.Dropout(), nn.Linear(2, 1))"]
    lines += ["optimizer = Adam(model.parameters())", "scheduler = StepLR(optimizer, 2)"]
    run = make(lines, "cpu", 0)
    for parameter in run.model.parameters():
        parameter.grad = torch.zeros_like(parameter)
    run.optimizer.step()
    run.scheduler.step()
    state = state_of(run)
    put(run, state)
    everything(run, gradients=True)
    file = io.BytesIO()
    torch.save({"model": state["model"], "optimizer": state["optimizer"]}, file)
    torch.load(io.BytesIO(file.getvalue()), weights_only=True)
    copy.deepcopy(run.optimizer)
