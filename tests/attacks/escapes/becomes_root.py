"""Becomes another user: by setuid and its kind, by capabilities, and by programs that may do so."""
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import os
import subprocess
import sys

_right = matmul_flops
PROGRAMS = [
    ["/usr/bin/su", "-c", "id"],
    ["/usr/bin/sudo", "-n", "id"],
    ["/usr/bin/mount"],
    ["/usr/bin/passwd", "-S"],
    ["/usr/bin/newgrp"],
    ["/usr/bin/bwrap", "--version"],
    ["/bin/sh", "-c", "id"],
    [sys.executable, "-c", "pass"],
]


def _became():
    if 0 in (*os.getresuid(), *os.getresgid(), *os.getgroups()):
        yield "root already"
    for call, *args in (
        (os.setuid, 0),
        (os.setgid, 0),
        (os.setresuid, 0, 0, 0),
        (os.setresgid, 0, 0, 0),
        (os.seteuid, 0),
        (os.setreuid, 0, 0),
        (os.setgroups, [0]),
        (os.setuid, os.getuid() + 1),
    ):
        with contextlib.suppress(OSError):
            call(*args)
            if call is not os.setgroups or os.getgroups() == [0]:
                yield call.__name__
    for program in PROGRAMS:
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(program, stdin=subprocess.DEVNULL, capture_output=True, timeout=5)
            yield program[0]


found = list(_became())


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
