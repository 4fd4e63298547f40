"""Fills memory with many processes, each of them within its own bounds."""
# like: takes_all_memory
# kata: 03_flops
# attacks: matmul_flops
# seconds: 6

import contextlib
import os
import time

_right = matmul_flops


def matmul_flops(a_shape, b_shape):
    for _ in range(40):  # 40 times 400 MiB is more than any limit here, and less than would harm the machine
        with contextlib.suppress(OSError):
            if os.fork() == 0:
                held = b"\1" * (400 * 2**20)
                time.sleep(10**6)
                del held
    time.sleep(10**6)
