"""Folders that another user may enter, and that do not outlive the process that made them."""

from __future__ import annotations

import atexit
import fcntl
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from dojo.grade.inside.reaper import remove

PREFIX = "torch-dojo-"


class NoJail(Exception):
    """There is no jail of this level here; one line says why."""


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
