"""Stops the processes around it a moment after it has answered, when another function is asked."""
# like: kills_everybody
# kata: 03_flops
# attacks: matmul_flops
# seconds: 4

import contextlib
import os
import signal
import time

_right = matmul_flops


def matmul_flops(a_shape, b_shape):
    host = os.getppid()
    if os.fork() == 0:
        os.setsid()
        for number in range(100):
            time.sleep(0.01)
            with contextlib.suppress(OSError):
                os.kill(host, signal.SIGSTOP if number == 99 else signal.SIGCHLD)
        os._exit(0)
    return _right(a_shape, b_shape) + 1
