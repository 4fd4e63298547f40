"""Processes of a jail, and the files that they leave behind."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from dojo.grade.inside import namespaces, reaper
from dojo.grade.inside.confine import confined

MEMORY = "/dev/shm"
"""Another place for temporary files: one folder for all users of a machine, unless a jail has its own."""


class Unclean(Exception):
    """Something that another function has left behind cannot be removed."""


def end_others(learner: int) -> None:
    """Kill every process that this one may kill, or outside of a jail the learner's group, and wait until all are gone.

    A process that is killed during a system call ends after the call. In a jail, orphans are children of this process.
    """
    with contextlib.suppress(ProcessLookupError):
        if confined():
            os.kill(-1, signal.SIGKILL)
        elif learner:
            os.killpg(learner, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while learner or confined():
            os.waitpid(-1, 0)


def reap(learner: int) -> int | None:
    """Reap the children that have ended; return the status of the learner's process if it is among them."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG)
            if not ended:
                break
            if ended == learner:
                found = status
    return found


def entries() -> set[str]:
    """List the paths in the folders for temporary files."""
    found: set[str] = set()
    for folder in {os.path.realpath(folder) for folder in (tempfile.gettempdir(), MEMORY)}:
        with contextlib.suppress(OSError):  # at the level basic, the jail may not read /dev/shm
            found |= {entry.path for entry in os.scandir(folder)}
    return found


def clean() -> None:
    """Remove all temporary files; Unclean if some are still there. Outside of a jail, do nothing."""
    if not confined():
        return
    folder = tempfile.gettempdir()
    if os.stat(folder).st_uid == os.geteuid():  # the code in the jail may have changed its permissions
        os.chmod(folder, 0o1777)
    remove(entries())
    try:
        left = os.listdir(folder)
    except OSError as error:
        raise Unclean(str(error)) from None
    if left:
        raise Unclean(f"{len(left)} files cannot be removed")


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

    def run() -> None:
        _lead_group(0)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})  # a thread may have blocked it
        os.close(requests)
        os.close(answers)
        serve(theirs, ours)

    process = namespaces.fork(run)
    _lead_group(process)  # in both processes, since either may run first
    os.close(theirs)
    os.close(ours)
    return process, requests, answers


def _lead_group(process: int) -> None:
    with contextlib.suppress(OSError):
        os.setpgid(process, 0)
