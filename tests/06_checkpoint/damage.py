"""What may lie where a checkpoint should be: a damaged file, somebody else's, or one that would run code."""

from __future__ import annotations

import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from .checkpoints import NAME, prepare, save
from .training import Run


def flip(path: Path, number: int) -> None:
    """Flip one bit, number / 2**20 of the way through the file."""
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
    "flipped": (f"one bit of {NAME} is flipped, {{:.4%}} of the way through", flip),
    "truncated": (f"{NAME} ends {{:.4%}} of the way through", _truncate),
    "lengthened": (f"{NAME} has some zero bytes after its end", _lengthen),
    "foreign": (f"{NAME} is somebody else's file", _foreign),
    "missing": (f"{NAME} is not there", _remove),
    "empty": (f"{NAME} is empty", _empty),
    "a folder": (f"{NAME} is a folder", _folder_instead),
}


def told_damage(kind: str, number: int) -> str:
    """The damage in words."""
    return DAMAGE[kind][0].format(number / 2**20)


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

    def __deepcopy__(self, memo: object) -> Evil:
        """A copy is none of a file, and who saves one has it in the file all the same."""
        return self

    def undo(self) -> None:
        """Forget what was made: what counts is what loading does."""
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


def evil_zip(module: Any, path: Path, run: Run, evil: Evil) -> None:
    """A file of torch.save that would run code."""
    torch.save({"step": 1, "model": evil}, path)


def _evil_legacy(module: Any, path: Path, run: Run, evil: Evil) -> None:
    torch.save({"step": 1, "model": evil}, path, _use_new_zipfile_serialization=False)


def _evil_member(module: Any, path: Path, run: Run, evil: Evil) -> None:
    prepare(module, path, run)
    if not zipfile.is_zipfile(path):
        return evil_zip(module, path, run, evil)
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
    """In the learner's own format, whatever that is.

    Who refuses to save such a thing has a plain pickle to refuse; and so has who ran it, since what is saved is then
    what came of it.
    """
    try:
        save(module, path, run)
    except NotImplementedError:
        raise
    except Exception:
        _evil_pickle(module, path, run, evil)
    if evil.flag.exists():
        evil.undo()
        _evil_pickle(module, path, run, evil)


EVIL: dict[str, tuple[str, Callable[[Any, Path, Run, Evil], None]]] = {
    "pickle": (f"{NAME} is a pickle that would run code", _evil_pickle),
    "torch.save": (f"{NAME} is a file of torch.save that would run code", evil_zip),
    "legacy": (f"{NAME} is an old file of torch.save that would run code", _evil_legacy),
    "member": (f"the pickle inside {NAME} is another one, which would run code", _evil_member),
    "optimizer": ("save_checkpoint was given an optimizer whose state would run code", _evil_optimizer),
    "schedule": ("save_checkpoint was given a schedule whose state would run code", _evil_schedule),
}
