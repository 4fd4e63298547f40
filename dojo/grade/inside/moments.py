"""In the jail: a process that the kernel stops at each system call that changes a file.

A seccomp filter notifies this process of each such call, which waits for the answer. Nothing that runs under the filter
can remove it, and calls made by C code count too. See seccomp_unotify(2).
"""

from __future__ import annotations

import ctypes
import fcntl
import platform
import select
import signal
import struct
from collections.abc import Callable

from dojo.grade.inside import namespaces

SECCOMP = {"x86_64": 317, "aarch64": 277}
SET_MODE_FILTER, NEW_LISTENER = 1, 8
RECEIVE, SEND = 0xC0502100, 0xC0182101
CONTINUE = 1
NOTIFICATION = struct.Struct("=QII64s")
"""id, pid, flags, and the call: 80 bytes."""
ANSWER = struct.Struct("=QqiI")
"""id, value, error, flags."""

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def fork(program: bytes, fork_it: Callable[[], int]) -> tuple[int, int]:
    """Fork a process under a filter; return its pid, and the descriptor by which the kernel reports its calls.

    A thread installs the filter for itself and forks, so that this process gets the descriptor without being under it.
    """

    def under_filter() -> tuple[int, int]:
        # Python writes to a descriptor when a child ends. Under the filter, that call would wait for an answer.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        code = _Program(len(program) // 8, program)
        listener = _libc.syscall(SECCOMP[platform.machine()], SET_MODE_FILTER, NEW_LISTENER, ctypes.byref(code))
        if listener < 0:
            raise OSError(ctypes.get_errno(), "seccomp")
        return fork_it(), listener

    return namespaces.in_thread(under_filter)


def meet(listener: int, do: Callable[[], bool]) -> None:
    """Answer the call that waits: it continues if `do` returns True, else it waits forever."""
    notification = bytearray(NOTIFICATION.size)
    try:
        fcntl.ioctl(listener, RECEIVE, notification)
        key, *_ = NOTIFICATION.unpack(notification)
        if do():
            fcntl.ioctl(listener, SEND, ANSWER.pack(key, 0, 0, CONTINUE))
    except (FileNotFoundError, InterruptedError):  # the process was killed meanwhile
        return


def waits(listener: int) -> bool:
    """Return whether a call waits now."""
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    return any(event & select.POLLIN for _, event in poll.poll(0))
