"""A PID namespace for each process that runs untrusted code, so that no pid tells it how many ran before.

The process that the judge talks to keeps one capability for it, CAP_SYS_ADMIN. See pid_namespaces(7), capabilities(7).
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable
from typing import TypeVar

CLONE_NEWPID = 0x20000000
PR_SET_KEEPCAPS = 8
CAP_SYS_ADMIN = 1 << 21
VERSION = 0x20080522
"""The version of the structures that capset(2) takes."""

_libc = ctypes.CDLL(None, use_errno=True)
_kept: list[bool] = []
Forked = TypeVar("Forked")


def keep_capabilities() -> None:
    """Keep this process's capabilities when it becomes another user."""
    _checked(_libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0), "prctl")


def keep() -> None:
    """Keep the capability that a new namespace needs, and no other one."""
    _set_capabilities(CAP_SYS_ADMIN)
    _kept.append(True)


def end_at(signal_number: int) -> None:
    """Let this signal end this process, even if it is the first of its namespace.

    There the kernel skips the default action of a signal, but not that of the fault by which abort(3) finally ends.
    """
    _libc.signal(signal_number, ctypes.cast(_libc.abort, ctypes.c_void_p))


def fork(run: Callable[[], object]) -> int:
    """Fork a process that runs this and ends. If allowed, it is the first of a new namespace, without capabilities.

    Another thread forks it, since a thread that has a new namespace for its children cannot get a second one.
    """
    if not _kept:
        return _forked(run)

    def fork_in_namespace() -> int:
        _checked(_libc.unshare(CLONE_NEWPID), "unshare")
        return _forked(run)

    return in_thread(fork_in_namespace)


def in_thread(fork_it: Callable[[], Forked]) -> Forked:
    """Fork in another thread, so that what it changes affects only that thread; OSError if it returns nothing."""
    made: list[Forked] = []
    # With a name: Python numbers threads without one, and a fork keeps the count.
    thread = threading.Thread(target=lambda: made.append(fork_it()), name="fork")
    thread.start()
    thread.join()
    if not made:
        raise OSError("a process could not be forked")
    return made[0]


def _forked(run: Callable[[], object]) -> int:
    process = os.fork()
    if process:
        return process
    try:
        if _kept:
            _set_capabilities(0)
            _kept.clear()
        run()
    finally:
        os._exit(0)  # never return into the code that the parent is in the middle of


def _set_capabilities(permitted: int) -> None:
    """Keep only these capabilities, in effect but not for programs that are run."""
    header = (ctypes.c_uint32 * 2)(VERSION, 0)
    data = (ctypes.c_uint32 * 6)(permitted, permitted)
    _checked(_libc.capset(header, data), "capset")


def _checked(result: int, what: str) -> None:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
