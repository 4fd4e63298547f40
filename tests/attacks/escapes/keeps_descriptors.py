"""Looks for open files that the judge forgot to close: anything that is no pipe, and all that leads out of the jail."""
# like: escapes_by_old_descriptors
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import os
import stat

_right = matmul_flops


def _left_open():
    for descriptor in range(3, 1024):
        with contextlib.suppress(OSError):
            mode = os.fstat(descriptor).st_mode
            if stat.S_ISDIR(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode) or stat.S_ISBLK(mode):
                yield descriptor
            for path in ("solutions", "../solutions", "katas", "etc/shadow"):
                with contextlib.suppress(OSError):
                    yield os.open(path, os.O_RDONLY, dir_fd=descriptor)


found = list(_left_open())


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
