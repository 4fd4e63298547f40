"""A PID namespace for each process that runs untrusted code, so that no number tells it how many there were before.

The process that the judge talks to keeps one capability for it, CAP_SYS_ADMIN. See pid_namespaces(7), capabilities(7).
"""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socket import socket

CLONE_NEWPID = 0x20000000
PR_SET_KEEPCAPS = 8
CAP_SYS_ADMIN = 1 << 21
VERSION = 0x20080522
"""Of the structures that capset(2) takes."""

_libc = ctypes.CDLL(None, use_errno=True)
_kept: list[bool] = []


def keep_capabilities() -> None:
    """Keep this process's capabilities when it becomes another user."""
    _checked(_libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0), "prctl")


def keep() -> None:
    """Keep the capability that a new namespace needs, and no other one."""
    _set_capabilities(CAP_SYS_ADMIN)
    _kept.append(True)


def fork() -> int:
    """Fork a process, as os.fork does; where this one may, as the first one of a new namespace, without capabilities.

    A process in between, which ends at once, enters the namespace for its children: this one then is their parent.
    """
    if not _kept:
        return os.fork()
    from socket import socketpair  # under the filter: selectors sees at its import that there is no epoll

    ours, theirs = socketpair()
    between = os.fork()
    if between == 0:
        _fork_in_between(theirs)  # returns in the new process alone
    else:
        os.waitpid(between, 0)
    theirs.close()
    with ours:
        process = int.from_bytes(ours.recv(8), "little") if between else 0
    if between and not process:
        raise OSError("a process could not be forked in a namespace of its own")
    return process


def _fork_in_between(parent: socket) -> None:
    """Fork into a new namespace, tell the parent which process it is, and end; return in that process."""
    try:
        _checked(_libc.unshare(CLONE_NEWPID), "unshare")
        process = os.fork()
        if process == 0:
            _set_capabilities(0)
            _kept.clear()
            return
        parent.send(process.to_bytes(8, "little"))  # no write, for which a filter might stop it
    except OSError:
        os._exit(1)
    os._exit(0)


def _set_capabilities(permitted: int) -> None:
    """Have these capabilities and no others, in effect and not for programs that are run."""
    header = (ctypes.c_uint32 * 2)(VERSION, 0)
    data = (ctypes.c_uint32 * 6)(permitted, permitted)
    _checked(_libc.capset(header, data), "capset")


def _checked(result: int, what: str) -> None:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
