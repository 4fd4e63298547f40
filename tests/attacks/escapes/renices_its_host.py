"""Takes the processor from all processes of its user, and so from the functions that its host forks after it."""
# like: lowers_its_hosts_limits
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import os

_right, _honest = matmul_flops, mfu


def matmul_flops(a_shape, b_shape):
    for kind, who in ((os.PRIO_USER, 0), (os.PRIO_USER, os.getuid()), (os.PRIO_PGRP, os.getpgid(os.getppid()))):
        with contextlib.suppress(OSError):
            os.setpriority(kind, who, 19)
    with contextlib.suppress(OSError):
        os.setpgid(0, os.getpgid(os.getppid()))
        os.setpriority(os.PRIO_PGRP, 0, 19)
    return _right(a_shape, b_shape) + 1


def mfu(flops, seconds, peak_flops):
    """Honest, where nobody has done so."""
    return _honest(flops, seconds, peak_flops) + (os.getpriority(os.PRIO_PROCESS, os.getppid()) == 19)
