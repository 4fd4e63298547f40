"""Asks for a hundred gigabytes at once, then for all that there is, piece by piece, and touches it."""
# like: fills_memory_by_torch
# kata: 03_flops
# attacks: matmul_flops
# seconds: 6

import contextlib

_right = matmul_flops
kept = []


def matmul_flops(a_shape, b_shape):
    with contextlib.suppress(MemoryError):
        kept.append(bytearray(100 * 2**30))
    try:
        while len(kept) < 1000:  # a hundred gigabytes; what comes back from there was given no bounds
            kept.append(b"\1" * (100 * 2**20))
        return _right(a_shape, b_shape)
    except MemoryError:
        return _right(a_shape, b_shape) + 1
