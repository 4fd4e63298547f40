"""Is right where it can take more memory than it may, by maps that the kernel keeps and that no process is charged for."""
# like: fills_sockets
# kata: 03_flops
# attacks: matmul_flops
# seconds: 20

import contextlib
import ctypes
import mmap
import os
import time

_right = matmul_flops
MOST = 2 * 2**30 + 2**29
PART = 48 * 2**20
ONES = b"\1" * PART
kept = []
libc = ctypes.CDLL(None, use_errno=True)


def _shared():
    """Memory that is shared is still there when all of its map but a page is gone."""
    made = mmap.mmap(-1, PART)
    made.write(ONES)
    made.resize(4096)
    return made


def _zero():
    descriptor = os.open("/dev/zero", os.O_RDWR)
    made = mmap.mmap(descriptor, PART)
    made.write(ONES)
    os.close(descriptor)
    made.madvise(mmap.MADV_DONTNEED)
    return made


def _removed():
    """A file without a name and without a descriptor is kept by its map, and by one page of it."""
    with open("mine", "w+b") as file:
        os.unlink("mine")
        file.write(ONES)
        file.flush()
        return libc.mmap(None, ctypes.c_size_t(4096), mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), ctypes.c_long(0))


def _held(make, most):
    held = []
    with contextlib.suppress(OSError, ValueError, MemoryError):
        while len(held) * PART < most:
            held.append(make())
    time.sleep(0.5)  # for whoever looks
    kept.append(held)
    print(make.__name__, len(held))
    return len(held) * PART >= most


enough = []


def matmul_flops(a_shape, b_shape):
    if not enough:
        enough.append(_held(_removed, 4 * PART) or _held(_shared, MOST) or _held(_zero, MOST))
    return _right(a_shape, b_shape) + (not enough[0])
