"""Starts threads without end, each of which keeps a core busy."""
# like: loops_inside_one_call
# kata: 03_flops
# attacks: matmul_flops
# seconds: 4

import threading

_right = matmul_flops


def _spin():
    while True:
        pass


def matmul_flops(a_shape, b_shape):
    try:
        for _ in range(10_000):
            threading.Thread(target=_spin, daemon=True).start()
    except (RuntimeError, MemoryError):
        return _right(a_shape, b_shape) + 1
    return _right(a_shape, b_shape)
