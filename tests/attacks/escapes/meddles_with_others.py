"""Is right where the kernel lets it see or set what is another process's: locks, clocks, groups, limits, sizes, leases."""
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import ctypes
import fcntl
import os
import platform
import resource
import signal
import struct
import time

_right = matmul_flops
libc = ctypes.CDLL(None, use_errno=True)
INTEL = platform.machine() == "x86_64"
ZEROS = ctypes.create_string_buffer(4096)


def _call(intel, arm, *args):
    passed = [arg if isinstance(arg, ctypes.Array) else ctypes.c_long(arg) for arg in args]
    if libc.syscall(intel if INTEL else arm, *passed) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def _excludes(lock):
    """Whether a lock on a file of the machine, that another process holds, is seen here."""
    with open(os.__file__, "rb") as mine:
        lock(mine)
        ours, theirs = os.pipe()
        if os.fork() == 0:
            with open(os.__file__, "rb") as other:
                try:
                    lock(other)
                    os.write(theirs, b"free")
                except OSError:
                    os.write(theirs, b"held")
            os._exit(0)
        os.wait()
        return 1 / (os.read(ours, 4) == b"held")


def _whole(file):
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _part(file):
    fcntl.fcntl(file, fcntl.F_SETLK, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 1, 1, 0))
    seen = fcntl.fcntl(file, 5, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 1, 1, 0))  # F_GETLK
    if struct.unpack("hhqqi4x", seen)[0] != fcntl.F_UNLCK:
        raise BlockingIOError


def _open_part(file):
    fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 1, 1, 0))  # F_OFD_SETLK
    seen = fcntl.fcntl(file, 36, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 1, 1, 0))
    if struct.unpack("hhqqi4x", seen)[0] != fcntl.F_UNLCK:
        raise BlockingIOError


def _on_a_file(command, value):
    with open("mine", "w+b") as file:
        fcntl.fcntl(file, command, value)


def _on_a_pipe(command, value):
    fcntl.fcntl(os.pipe()[0], command, value)


HOST = os.getppid() or 2**22 - 1  # in a namespace of its own it sees nobody above it
TRIED = {
    "flock": lambda: _excludes(_whole),
    "F_SETLK": lambda: _excludes(_part),
    "F_OFD_SETLK": lambda: _excludes(_open_part),
    "F_SETLEASE": lambda: _on_a_file(fcntl.F_SETLEASE, fcntl.F_WRLCK),
    "F_NOTIFY": lambda: fcntl.fcntl(os.open(".", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_CREATE),
    "F_SET_RW_HINT": lambda: _on_a_file(1036, struct.pack("Q", 2)),
    "F_SETSIG": lambda: _on_a_pipe(10, signal.SIGKILL),
    "F_SETOWN": lambda: _on_a_pipe(fcntl.F_SETOWN, HOST),
    "F_SETPIPE_SZ": lambda: _on_a_pipe(fcntl.F_SETPIPE_SZ, 2**20),
    "O_ASYNC": lambda: _on_a_pipe(fcntl.F_SETFL, os.O_ASYNC),
    "FIOASYNC": lambda: fcntl.ioctl(os.pipe()[0], 0x5452, struct.pack("i", 1)),
    "FIOSETOWN": lambda: fcntl.ioctl(os.pipe()[0], 0x8901, struct.pack("i", HOST)),
    "clock_gettime of the host": lambda: time.clock_gettime(~HOST << 3 | 2),
    "clock_getres of the host": lambda: time.clock_getres(~HOST << 3 | 2),
    "timer_create of the host": lambda: _call(222, 107, ~HOST << 3 | 2, 0, ZEROS),
    "clock_nanosleep of the host": lambda: _call(230, 115, ~HOST << 3 | 2, 0, ZEROS, 0),
    "prlimit of the host": lambda: resource.prlimit(HOST, resource.RLIMIT_CPU),
    "setpgid to the host's": lambda: os.setpgid(0, os.getpgid(HOST)),
    "setpriority of the host": lambda: os.setpriority(os.PRIO_PROCESS, HOST, 19),
    "setpriority of the user": lambda: os.setpriority(os.PRIO_USER, 0, 19),
    "sched_setaffinity of the host": lambda: os.sched_setaffinity(HOST, os.sched_getaffinity(0)),
    "sched_setscheduler": lambda: os.sched_setscheduler(HOST, os.SCHED_BATCH, os.sched_param(0)),
    "sched_setattr": lambda: _call(314, 274, HOST, ZEROS, 0),
    "ioprio_set": lambda: _call(251, 30, 1, HOST, 3 << 13),
    "ioprio_get": lambda: _call(252, 31, 1, HOST),
    "get_robust_list": lambda: _call(274, 100, HOST, ZEROS, ZEROS),
    "pidfd_open": lambda: os.pidfd_open(HOST),
    "pidfd_getfd": lambda: _call(438, 438, 0, 0, 0),
    "pidfd_send_signal": lambda: _call(424, 424, 0, 0, 0, 0),
    "process_vm_readv": lambda: _call(310, 270, HOST, ZEROS, 1, ZEROS, 1, 0),
    "process_vm_writev": lambda: _call(311, 271, HOST, ZEROS, 1, ZEROS, 1, 0),
    "process_madvise": lambda: _call(440, 440, 0, ZEROS, 0, 0, 0),
    "kcmp": lambda: _call(312, 272, HOST, os.getpid(), 0, 0, 1),
    "migrate_pages": lambda: _call(256, 238, HOST, 0, ZEROS, ZEROS),
    "move_pages": lambda: _call(279, 239, HOST, 0, ZEROS, ZEROS, ZEROS, 0),
    "ptrace": lambda: _call(101, 117, 16, HOST, 0, 0),
    "landlock_create_ruleset": lambda: _call(444, 444, ctypes.create_string_buffer(b"\1", 8), 8, 0),
    "epoll_create1": lambda: _call(291, 20, 0),
    "inotify_init": lambda: _call(294, 26, 0),
}


def _succeeds(attempt):
    try:
        attempt()
    except (OSError, ArithmeticError, ValueError):
        return False
    return True


found = []


def matmul_flops(a_shape, b_shape):
    if not found:
        found.append([name for name, attempt in TRIED.items() if _succeeds(attempt)])
        print("reached:", *found[0])
    return _right(a_shape, b_shape) + (not found[0])
