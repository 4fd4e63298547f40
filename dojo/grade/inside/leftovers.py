"""Processes of a jail, and the files that they leave behind."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from dojo.grade.inside import reaper
from dojo.grade.inside.confine import confined


def kill_others(learner: int) -> None:
    """Kill every process that this one may kill; outside of a jail, only the learner's process group."""
    with contextlib.suppress(ProcessLookupError):
        if confined():
            os.kill(-1, signal.SIGKILL)
        elif learner:
            os.killpg(learner, signal.SIGKILL)


def entries() -> set[str]:
    """List the paths in the folders for temporary files."""
    found: set[str] = set()
    for folder in {os.path.realpath(folder) for folder in (tempfile.gettempdir(), "/dev/shm")}:
        with contextlib.suppress(OSError):  # at the level basic, the jail may not read /dev/shm
            found |= {entry.path for entry in os.scandir(folder)}
    return found


def unlock() -> None:
    """Restore the permissions of the folder for temporary files, which code in the jail may have changed."""
    if confined():
        with contextlib.suppress(OSError):
            os.chmod(tempfile.gettempdir(), 0o1777)


def remove(paths: Iterable[str]) -> None:
    """Remove these files and folders if their owner is this process's user; outside of a jail, do nothing."""
    if not confined():
        return
    for path in paths:
        with contextlib.suppress(OSError):
            if os.path.isdir(path) and not os.path.islink(path):
                os.chmod(path, 0o700)
                reaper.remove(Path(path))
            else:
                os.unlink(path)


def fork(serve: Callable[[int, int], None]) -> tuple[int, int, int]:
    """Fork a process in a group of its own that runs `serve` with a descriptor to read from and one to write to.

    Return its pid, and the other ends of the two pipes.
    """
    theirs, requests = os.pipe()
    answers, ours = os.pipe()
    process = os.fork()
    with contextlib.suppress(OSError):
        os.setpgid(process, process)  # in both processes, since either may run first
    if process:
        os.close(theirs)
        os.close(ours)
        return process, requests, answers
    try:
        os.close(requests)
        os.close(answers)
        serve(theirs, ours)
    finally:
        os._exit(0)  # never return into the code that the parent is in the middle of
