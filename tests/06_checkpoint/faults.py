"""Real faults: a process that may write only so many bytes, or not into a folder, or that dies while it writes."""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import random
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

import torch

RETURNED, RAISED, KILLED = "returned", "raised", "killed"
_STATUS = {0: RETURNED, 1: RAISED}


def in_child(action: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> str:
    """What becomes of an action in a forked process, once that is prepared: returned, raised or killed."""
    state = random.getstate()
    process = os.fork()
    if process == 0:
        status = 2
        try:
            random.setstate(state)  # Python seeds it anew in a forked process
            prepare()
            try:
                action()
                status = 0
            except BaseException:
                status = 1
        finally:
            os._exit(status)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if code == 2:
        raise OSError("a process could not be prepared for its fault")
    return _STATUS.get(code, KILLED)


@contextlib.contextmanager
def without_cuda() -> Iterator[None]:
    """A forked process cannot use CUDA; inside, this one has none either, so that a checkpoint fits both."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch("torch.cuda.is_available", return_value=False))
        for module in ("torch.cuda", "torch.cuda.random"):
            stack.enter_context(mock.patch(f"{module}.device_count", return_value=0))
        yield


def full_disk(size: int) -> Callable[[], None]:
    """No file may grow beyond so many bytes: to write more raises OSError, as on a full disk."""

    def prepare() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    return prepare


def killed_at_byte(size: int) -> Callable[[], None]:
    """The kernel kills the process inside the write that would make a file larger than that."""

    def prepare() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    return prepare


def killed_at_call(number: int) -> Callable[[], None]:
    """SIGKILL before or after one of the calls that deal with files: 0 before the first, 1 after it, and so on."""

    def prepare() -> None:
        left = number

        def count() -> None:
            nonlocal left
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1

        sys.setprofile(Watch(count))

    return prepare


def at_each_moment(action: Callable[[], object], look: Callable[[], object]) -> int:
    """Run the action once, and look around at each moment at which killed_at_call can strike; how many there were."""
    seen = 0

    def count() -> None:
        nonlocal seen
        seen += 1
        look()

    before = sys.getprofile()
    sys.setprofile(Watch(count))
    try:
        action()
    finally:
        sys.setprofile(before)
    return seen


class Watch:
    """A profiler that counts each moment at which a call that deals with files begins or ends."""

    def __init__(self, count: Callable[[], None]):
        self.count = count
        self.made_by = Watch

    def __call__(self, frame: FrameType, event: str, function: Any) -> None:
        """Count the moment, if it is one."""
        if event in ("c_call", "c_return", "c_exception") and _deals_with_files(function):
            self.count()


def _deals_with_files(function: Any) -> bool:
    owner, module = getattr(function, "__self__", None), getattr(function, "__module__", None)
    if isinstance(owner, io.IOBase):
        return not isinstance(owner, io.BytesIO | io.StringIO)
    if module == "torch._C":  # torch.save writes by itself, given a path; its methods do not say whose they are
        return hasattr(torch._C.PyTorchFileWriter, function.__name__)
    return module in ("posix", "io", "_io")


@contextlib.contextmanager
def unwritable(folder: Path) -> Iterator[Callable[[], None]]:
    """A folder in which nothing can be made, renamed or removed by a process that is prepared for it."""
    mode = folder.stat().st_mode
    folder.chmod(0o500)
    try:
        yield _drop_privileges
    finally:
        folder.chmod(mode)


def _drop_privileges() -> None:
    """Root may write everywhere, by the capability CAP_DAC_OVERRIDE; without it, root is a user like others."""
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
