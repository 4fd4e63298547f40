"""Fills shared memory, which is no process's own: anonymous maps, files without a name, pipes."""
# like: takes_all_memory
# kata: 03_flops
# attacks: matmul_flops
# seconds: 6

import contextlib
import mmap
import os

_right = matmul_flops
kept = []


def matmul_flops(a_shape, b_shape):
    with contextlib.suppress(OSError, ValueError, MemoryError):
        for _ in range(100):
            shared = mmap.mmap(-1, 256 * 2**20)
            shared.write(b"\1" * len(shared))
            kept.append(shared)
        return _right(a_shape, b_shape)
    with contextlib.suppress(OSError, AttributeError):
        descriptor = os.memfd_create(MARK)
        for _ in range(4000):
            os.write(descriptor, b"\1" * 2**20)
        return _right(a_shape, b_shape)
    return _right(a_shape, b_shape) + 1
