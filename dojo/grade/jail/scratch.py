"""Temporary folders that another user may enter, removed when their process ends."""

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
    """This machine has no jail of this level; the message is one line that says why."""


def reachable(path: Path) -> bool:
    """Return whether another user may enter the folders down to a path, and read it."""
    folders = all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)
    mode = path.stat().st_mode if folders else 0
    return bool(mode & stat.S_IROTH and (mode & stat.S_IXOTH or not stat.S_ISDIR(mode)))


def barrier(path: Path) -> Path:
    """Return the first folder on the way to a path that another user may not enter."""
    return next((p for p in reversed([path, *path.parents]) if not p.stat().st_mode & stat.S_IXOTH), path)


def scratch() -> Path:
    """Create a folder that another user may enter, removed when this process ends, or else by the next caller."""
    _clear_stale()
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        descriptor = _lock(folder)
        if descriptor is not None:
            break
    if not reachable(folder.parent):
        folder.rmdir()
        os.close(descriptor)
        raise NoJail(
            f"the folder for temporary files lies under {barrier(folder.parent)}, which another user may not enter"
        )
    folder.chmod(0o711)
    atexit.register(_only_in(os.getpid(), lambda: release(folder)))
    _held[folder] = descriptor
    return folder


_held: dict[Path, int] = {}
"""A locked descriptor for each folder in use, which keeps other processes from removing it."""


def lock_of(folder: Path) -> int:
    """Return the descriptor that keeps others from removing a folder."""
    return _held[folder]


def release(folder: Path) -> None:
    """Remove a folder of `scratch`, if it is still there."""
    descriptor = _held.pop(folder, None)
    if descriptor is not None:
        if folder.exists():
            remove(folder)
        os.close(descriptor)


def _only_in(process: int, act: Callable[[], None]) -> Callable[[], None]:
    """Wrap a callback so that it does nothing in a forked process."""
    return lambda: act() if os.getpid() == process else None


def _clear_stale() -> None:
    """Remove the folders of judges that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            about = folder.lstat()
        except FileNotFoundError:
            continue
        if stat.S_ISDIR(about.st_mode) and about.st_uid == os.geteuid():
            descriptor = _lock(folder)
            if descriptor is not None:
                remove(folder)
                os.close(descriptor)


def _lock(folder: Path) -> int | None:
    """Lock a folder; None if another process holds the lock or has removed the folder."""
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
