"""Reads what /proc tells of other processes: their memory, environment, folders, descriptors and arguments."""
# like: reads_the_seed
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import os

_right = matmul_flops
NAMES = ("environ", "maps", "mem", "cmdline", "stack", "syscall", "io", "status", "comm", "task")


def _read():
    with contextlib.suppress(OSError):
        if [entry for entry in os.listdir("/proc") if entry.isdecimal()]:
            yield "a list of processes"
    for process in {os.getppid(), 1, 2, os.getpid() - 1, *range(os.getpid() - 20, os.getpid())}:
        for name in NAMES:
            with contextlib.suppress(OSError), open(f"/proc/{process}/{name}", "rb") as file:
                yield file.read(1)
        for name in ("root", "cwd", "exe", "fd/0", "ns/user"):
            with contextlib.suppress(OSError):
                yield os.readlink(f"/proc/{process}/{name}")


found = next(_read(), None)


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (found is None)
