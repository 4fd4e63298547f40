"""Raises its own limits and its priority."""
# like: lowers_its_hosts_limits
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import os
import resource

_right = matmul_flops
LIMITS = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]


def _raised():
    for limit in LIMITS:
        soft, hard = resource.getrlimit(limit)
        if hard != resource.RLIM_INFINITY:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(limit, (soft, hard + 1))
                yield limit
    with contextlib.suppress(OSError):
        os.nice(-5)
        yield "priority"
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        yield "real time"


found = list(_raised())


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
