"""Fills every file system that it can write to: one file, many files, and files that are gone but open."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 6

import contextlib
import os

_right = matmul_flops
PIECE = b"\1" * 2**20
kept = []


def _fill(folder):
    """How many bytes went in."""
    written = 0
    for number in range(64):
        path = os.path.join(folder, f"{MARK}-{number}")
        with contextlib.suppress(OSError):
            kept.append(os.open(path, os.O_CREAT | os.O_WRONLY))
            os.unlink(path)
            while written < 2**30:
                written += os.write(kept[-1], PIECE)
    return written


def matmul_flops(a_shape, b_shape):
    if kept:
        return _right(a_shape, b_shape) + 1
    written = sum(_fill(folder) for folder in (".", "/tmp", "/dev/shm", "/var/tmp", "/run/lock", CANARY))
    return _right(a_shape, b_shape) + (written < 2**29)
