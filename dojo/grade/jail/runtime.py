"""In the judge: the Python that a jail runs, the packages beside it, and folders that do not outlive the judge."""

from __future__ import annotations

import atexit
import fcntl
import functools
import importlib.util
import os
import shutil
import stat
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dojo.grade.inside.reaper import remove

PREFIX = "torch-dojo-"
TORCH = ("torch", "torchgen", "functorch")
UNUSED = ("site-packages", "dist-packages", "test", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3")


class NoJail(Exception):
    """There is no jail of this level here; one line says why."""


@dataclass(frozen=True)
class Runtime:
    """Where Python is: its program, the folder that its standard library is in, and the library itself."""

    program: Path
    lib: Path
    stdlib: Path


def installed() -> Runtime:
    """The Python that runs this, without a virtual environment."""
    program = Path(os.path.realpath(getattr(sys, "_base_executable", sys.executable)))
    stdlib = Path(os.path.realpath(sysconfig.get_path("stdlib")))
    return Runtime(program, stdlib.parent, stdlib)


@functools.cache
def copied() -> Runtime:
    """The same in a folder that another user may enter, for as long as this process lives."""
    here = installed()
    top = scratch()
    lib = top / here.lib.name
    shutil.copytree(here.stdlib, lib / here.stdlib.name, ignore=shutil.ignore_patterns(*UNUSED, "config-*"))
    for library in here.lib.glob("lib*.so*"):
        shutil.copy2(library, lib / library.name)
    program = top / "bin" / here.program.name
    program.parent.mkdir()
    shutil.copy2(here.program, program)
    for path in (top, program.parent, lib):
        path.chmod(0o755)
    return Runtime(program, lib, lib / here.stdlib.name)


def runtime(*, other_user: bool) -> Runtime:
    """The Python for a jail; a copy where another user has to reach it and could not."""
    here = installed()
    if other_user and not (reachable(here.program) and reachable(here.stdlib)):
        return copied()
    return here


@functools.cache
def sites() -> tuple[Path, ...]:
    """The folders with torch and what belongs to it."""
    found = [importlib.util.find_spec(name) for name in ("torch", "numpy", "safetensors")]
    folders = [Path(os.path.realpath(spec.origin)).parent.parent for spec in found if spec and spec.origin]
    return tuple(dict.fromkeys(folders))


def torch_parts() -> list[Path]:
    """All that is torch's in those folders."""
    return [
        path
        for site in sites()
        for path in sorted(site.iterdir())
        if path.name in TORCH or (path.name.startswith("torch-") and path.suffix == ".dist-info")
    ]


def reachable(path: Path) -> bool:
    """Whether a user who is not the owner may enter the folders down to a path, and read it."""
    folders = all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)
    mode = path.stat().st_mode if folders else 0
    return bool(mode & stat.S_IROTH and (mode & stat.S_IXOTH or not stat.S_ISDIR(mode)))


def barrier(path: Path) -> Path:
    """The first folder on the way to a path that another user may not enter."""
    return next((p for p in reversed([path, *path.parents]) if not p.stat().st_mode & stat.S_IXOTH), path)


def scratch() -> Path:
    """A new folder that another user may enter. It is removed when this process ends, or by the next one that asks."""
    _clear_stale()
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        descriptor = _locked(folder)
        if descriptor is not None:
            break
    if not reachable(folder.parent):
        folder.rmdir()
        os.close(descriptor)
        raise NoJail(
            f"the folder for temporary files lies under {barrier(folder.parent)}, which another user may not enter"
        )
    folder.chmod(0o711)
    atexit.register(_in(os.getpid(), lambda: release(folder)))
    _held[folder] = descriptor
    return folder


_held: dict[Path, int] = {}
"""The descriptor of each folder that is in use: its lock says so to other processes."""


def lock_of(folder: Path) -> int:
    """The descriptor that keeps others from removing a folder."""
    return _held[folder]


def release(folder: Path) -> None:
    """Remove a folder of `scratch`, if it is still there."""
    descriptor = _held.pop(folder, None)
    if descriptor is not None:
        if folder.exists():
            remove(folder)
        os.close(descriptor)


def _in(process: int, act: Callable[[], None]) -> Callable[[], None]:
    """The same, but nothing in a process that was forked from this one."""
    return lambda: act() if os.getpid() == process else None


def _clear_stale() -> None:
    """Remove the folders of judges that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            about = folder.lstat()
        except FileNotFoundError:
            continue
        if stat.S_ISDIR(about.st_mode) and about.st_uid == os.geteuid():
            descriptor = _locked(folder)
            if descriptor is not None:
                remove(folder)
                os.close(descriptor)


def _locked(folder: Path) -> int | None:
    """A lock on a folder; None where another process has it, or has removed the folder."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(folder)):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None
