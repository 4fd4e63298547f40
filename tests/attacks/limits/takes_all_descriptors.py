"""Opens files until there are no descriptors left, here and on the whole machine."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 4

import contextlib
import os
import resource

_right = matmul_flops
kept = []


def matmul_flops(a_shape, b_shape):
    with contextlib.suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with contextlib.suppress(OSError):
        while len(kept) < 2**20:
            kept.extend(os.pipe())
    return _right(a_shape, b_shape) + (len(kept) < 2**20)
