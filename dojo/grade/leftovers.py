"""In the jail: processes, and what they leave behind."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

from dojo.grade.confine import confined


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
    folders = {os.path.realpath(folder) for folder in (tempfile.gettempdir(), "/dev/shm")}
    with contextlib.suppress(OSError):
        return {entry.path for folder in folders for entry in os.scandir(folder)}
    return set()


def remove(paths: Iterable[str]) -> None:
    """Remove files and folders that this process's user owns. Outside of any jail, the folders are everybody's."""
    if not confined():
        return
    for path in paths:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
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


@contextlib.contextmanager
def forked() -> Iterator[None]:
    """Nothing that happens in a forked process may go on in the code that its parent is in the middle of."""
    try:
        yield
    finally:
        os._exit(0)
