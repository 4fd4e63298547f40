"""Run a part on the learner's own machine: in this process, or in a forked one if it may not survive."""

from __future__ import annotations

import contextlib
import os
import pickle
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dojo.seam import faults
from dojo.seam.deadline import Gone
from dojo.seam.faults import Fault, Kind, Moments
from dojo.seam.parts import GONE, Ending, Part, put, taken

Act = Callable[[Moments], object]
"""Runs the learner's code and returns plain data or an Error. An exception stops the program."""


@contextlib.contextmanager
def fresh_folder() -> Iterator[Path]:
    """Make a temporary folder, if possible on another file system than other temporary files."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="dojo-", dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name).resolve()


def run(act: Act, part: Part) -> Ending:
    """Run the code of a part, and return what became of it.

    A fork costs as much as ten parts, so a part without a fault, or one that is only watched, runs in this process. A
    forked process cannot use CUDA if this one has.
    """
    with fresh_folder() as folder:
        put(folder, part.files)
        if part.fault.kind in (Kind.NONE, Kind.WATCHED) and not part.apart:
            moments = Moments(part.fault, folder)
            with contextlib.chdir(folder):
                outcome = act(moments)
            return Ending(outcome, False, taken(folder), moments.count, tuple(moments.seen))
        with faults.unwritable(folder) if part.fault.kind == Kind.UNWRITABLE else contextlib.nullcontext():
            told = _forked(act, part.fault, folder)
        if told is None:
            return Ending(None, True, taken(folder))
        outcome, stopped = told
        if stopped is not None:
            raise stopped
        return Ending(outcome, False, taken(folder))


def _forked(act: Act, fault: Fault, folder: Path) -> Any:
    """Return what a forked process reports; None if it was killed. Raise OSError if it could not be prepared."""
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        status = 2
        try:
            os.close(reader)
            os.chdir(folder)
            if fault.kind == Kind.UNWRITABLE:
                faults.drop_privileges()
            faults.limit(fault)
            status = 1
            with os.fdopen(writer, "wb") as file:
                file.write(pickle.dumps(_told(act, Moments(fault, folder))))
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        data = file.read()
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if status == 2:
        raise OSError("a process could not be prepared for its fault")
    if status == 0 and data:
        return pickle.loads(data)
    if status < 0:
        return None
    return GONE, None


def _told(act: Act, moments: Moments) -> tuple[object, BaseException | None]:
    try:
        return act(moments), None
    except (Exception, Gone) as error:
        return None, error
