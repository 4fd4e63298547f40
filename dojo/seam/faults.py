"""Faults in the process of a part: no room for a file, a folder that cannot be written to, a kill.

A jail causes them from outside the process, with the kernel's help (see dojo.grade.inside.moments). This module is for
a learner's own machine, whatever its system, so the moments of a call are those at which Python deals with files.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import resource
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import FrameType
from typing import Any


class Kind(StrEnum):
    """What happens to the process of a part."""

    NONE = "none"
    FULL = "full"
    """No file grows beyond `number` bytes: writing more raises OSError, as on a full disk."""
    KILLED_IN_WRITE = "killed in a write"
    """The kernel kills the process inside the write that would make a file larger than `number` bytes."""
    KILLED = "killed"
    """The process is killed at moment `number`; 0 is before it does anything to a file."""
    UNWRITABLE = "unwritable"
    """Nothing can be created, renamed or removed in its folder."""
    WATCHED = "watched"
    """Nothing happens, but the file `name` is inspected at each moment."""


@dataclass(frozen=True)
class Fault:
    """A fault of one kind, which says what number and name mean."""

    kind: Kind = Kind.NONE
    number: int = 0
    name: str = ""


NO_FAULT = Fault()

Look = tuple[bytes | None, bool]
"""The contents of a watched file, None if it is missing, and whether its folder has another entry."""


def limit(fault: Fault) -> None:
    """Permanently limit the size of files that this process writes, if the fault says so."""
    if fault.kind in (Kind.FULL, Kind.KILLED_IN_WRITE):
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN if fault.kind == Kind.FULL else signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (fault.number, fault.number))


def look(folder: Path, name: str) -> Look:
    """Inspect the file of this name."""
    path = folder / name
    data = path.read_bytes() if path.is_file() else None
    return data, len(os.listdir(folder)) > path.exists()


class Moments:
    """Count the moments of a call; inspect a file at each, or kill this process at one of them."""

    def __init__(self, fault: Fault, folder: Path):
        self.fault = fault
        self.folder = folder
        self.count = 0
        self.seen: dict[Look, None] = {}

    def during(self, module: Any) -> Any:
        """Return a stand-in for the learner's module that watches its functions while they run."""
        return _Watched(module, self) if self.fault.kind in (Kind.KILLED, Kind.WATCHED) else module

    def meet(self) -> None:
        """Do what the fault says at this moment."""
        if self.fault.kind == Kind.WATCHED:
            self.seen[look(self.folder, self.fault.name)] = None
        elif self.count == self.fault.number:
            os.kill(os.getpid(), signal.SIGKILL)
        self.count += 1

    def __call__(self, frame: FrameType, event: str, function: Any) -> None:
        """Meet each moment at which a call that deals with files begins or ends, as a profile function."""
        if event in ("c_call", "c_return", "c_exception") and _deals_with_files(function):
            self.meet()


class _Watched:
    def __init__(self, module: Any, moments: Moments):
        self._module = module
        self._moments = moments

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        if isinstance(value, type):
            return value

        def call(*args: object) -> object:
            before = sys.getprofile()
            sys.setprofile(self._moments)
            try:
                return value(*args)
            finally:
                sys.setprofile(before)

        return call


def _deals_with_files(function: Any) -> bool:
    owner, module = getattr(function, "__self__", None), getattr(function, "__module__", None)
    if isinstance(owner, io.IOBase):
        return not isinstance(owner, io.BytesIO | io.StringIO)
    if module == "torch._C":  # given a path, torch.save writes with these methods, which do not say whose they are
        return hasattr(sys.modules["torch"]._C.PyTorchFileWriter, function.__name__)
    return module in ("posix", "io", "_io")


@contextlib.contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """Inside, only root can write to the folder, and not even root after `drop_privileges`."""
    mode = folder.stat().st_mode
    folder.chmod(0o500)
    try:
        yield
    finally:
        folder.chmod(mode)


def drop_privileges() -> None:
    """Give up CAP_DAC_OVERRIDE, which lets root write everywhere."""
    if os.geteuid() != 0:
        return
    version_3, dac_override, dac_read_search = 0x20080522, 1 << 1, 1 << 2
    header = (ctypes.c_uint32 * 2)(version_3, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable, for capabilities 0 to 31 and 32 to 63
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capget(header, sets) != 0:
        raise OSError(ctypes.get_errno(), "capget")
    for place in range(3):
        sets[place] &= ~(dac_override | dac_read_search)
    if libc.capset(header, sets) != 0:
        raise OSError(ctypes.get_errno(), "capset")
