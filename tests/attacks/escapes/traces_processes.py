"""Attaches to other processes as a debugger does, reads and writes their memory, and takes their descriptors."""
# kata: 03_flops
# attacks: matmul_flops

import ctypes
import errno
import os
import platform

_right = matmul_flops
libc = ctypes.CDLL(None, use_errno=True)
INTEL = platform.machine() == "x86_64"
PTRACE, READ, WRITE = (101, 310, 311) if INTEL else (117, 270, 271)
PIDFD_OPEN, PIDFD_GETFD, KCMP, PROCESS_MADVISE = 434, 438, 312 if INTEL else 272, 440
ATTACH, SEIZE, TRACEME = 16, 0x4206, 0


def _reached(number, *args):
    """Whether the kernel came to look at the arguments."""
    ctypes.set_errno(0)
    result = libc.syscall(number, *map(ctypes.c_long, args))
    return result >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS, errno.EACCES, errno.ESRCH)


def _calls():
    for process in (os.getppid(), 1):
        for request in (ATTACH, SEIZE):
            yield PTRACE, request, process, 0, 0
        for number in (READ, WRITE):
            yield number, process, 0, 0, 0, 0, 0
        yield KCMP, process, process, 0, 0, 0
    yield PTRACE, TRACEME, 0, 0, 0
    yield PIDFD_GETFD, 0, 0, 0
    yield PROCESS_MADVISE, 0, 0, 0, 0, 0


found = [call for call in _calls() if _reached(*call)]


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
