"""In the jail: processes, and what they leave behind."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from dojo.grade import guard


def kill_others(learner: int) -> None:
    """Kill every process that this one may kill. As root, outside of any jail, that would be all there are."""
    with contextlib.suppress(ProcessLookupError):
        if os.getuid() != 0:
            os.kill(-1, signal.SIGKILL)
        elif learner:
            os.killpg(learner, signal.SIGKILL)


def new_entries(before: set[str]) -> set[str]:
    """What lies where temporary files do, but for what lay there before."""
    folders = dict.fromkeys((tempfile.gettempdir(), "/dev/shm"))
    with contextlib.suppress(OSError):
        return {entry.path for folder in folders for entry in os.scandir(folder)} - before
    return set()


def unlock() -> None:
    """Let everybody into the folder of temporary files, whom somebody may have kept out."""
    if os.getuid() != 0:
        with contextlib.suppress(OSError):
            os.chmod(tempfile.gettempdir(), 0o1777)


def remove(paths: Iterable[str]) -> None:
    """Remove files and folders that this process's user owns."""
    if os.getuid() == 0:  # no jail: the folders are everybody's
        return
    for path in paths:
        with contextlib.suppress(OSError):
            if os.path.isdir(path) and not os.path.islink(path):
                os.chmod(path, 0o700)
                guard.remove(Path(path))
            else:
                os.unlink(path)


@contextlib.contextmanager
def forked() -> Iterator[None]:
    """Nothing that happens in a forked process may go on in the code that its parent is in the middle of."""
    try:
        yield
    finally:
        os._exit(0)
