"""In the jail: processes, and what they leave behind."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from dojo.grade.inside import reaper
from dojo.grade.inside.confine import confined


def kill_others(learner: int) -> None:
    """Kill every process that this one may kill. Outside of any jail, that would be all of its user's."""
    with contextlib.suppress(ProcessLookupError):
        if confined():
            os.kill(-1, signal.SIGKILL)
        elif learner:
            os.killpg(learner, signal.SIGKILL)


def stop_others(children: Iterable[int]) -> None:
    """Stop them, until they are told to go on; these children have come to a stop, or to their end, when it returns."""
    if confined():
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGSTOP)
        for child in children:
            os.waitid(os.P_PID, child, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def entries() -> set[str]:
    """What lies where temporary files do."""
    found: set[str] = set()
    for folder in {os.path.realpath(folder) for folder in (tempfile.gettempdir(), "/dev/shm")}:
        with contextlib.suppress(OSError):  # at the level basic, /dev/shm is none of the jail's
            found |= {entry.path for entry in os.scandir(folder)}
    return found


def unlock() -> None:
    """Let everybody into the folder of temporary files, whom somebody may have kept out."""
    if confined():
        with contextlib.suppress(OSError):
            os.chmod(tempfile.gettempdir(), 0o1777)


def remove(paths: Iterable[str]) -> None:
    """Remove files and folders that this process's user owns. Outside of any jail, the folders are everybody's."""
    if not confined():
        return
    for path in paths:
        with contextlib.suppress(OSError):
            if os.path.isdir(path) and not os.path.islink(path):
                os.chmod(path, 0o700)
                reaper.remove(Path(path))
            else:
                os.unlink(path)


_mine: set[str] = set()
"""The temporary folders that this process has made, and not removed yet."""


@functools.cache
def know_mine() -> None:
    """Keep note of the temporary folders that this process makes, from now on."""
    sys.addaudithook(_note)


def _note(event: str, told: tuple[Any, ...]) -> None:
    if event == "tempfile.mkdtemp":
        _mine.add(os.path.realpath(told[0]))
    elif event == "shutil.rmtree" and isinstance(told[0], str):
        _mine.discard(os.path.realpath(told[0]))


def remove_all_but_mine() -> None:
    """Remove what others have left where temporary files lie."""
    remove(entries() - _mine)


def fork(serve: Callable[[int, int], None]) -> tuple[int, int, int]:
    """A process, the first of a group of its own, that serves what it reads from one descriptor and answers on another.

    Its number, and the other ends of the two.
    """
    theirs, requests = os.pipe()
    answers, ours = os.pipe()
    process = os.fork()
    with contextlib.suppress(OSError):
        os.setpgid(process, process)  # here and there: who comes first is not known
    if process:
        os.close(theirs)
        os.close(ours)
        return process, requests, answers
    try:
        os.close(requests)
        os.close(answers)
        serve(theirs, ours)
    finally:
        os._exit(0)  # nothing that happens here may go on in the code that the other is in the middle of
