"""Closes all descriptors, moves them to other numbers, and makes the pipes block or not block."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops
# seconds: 4

import os

_right = matmul_flops


def matmul_flops(a_shape, b_shape):
    os.closerange(0, 256)
    return _right(a_shape, b_shape) + 1


def linear_flops(x_shape, out_features):
    for descriptor in range(256):
        try:
            os.set_blocking(descriptor, not os.get_blocking(descriptor))
            os.dup2(descriptor, 255 - descriptor)
        except OSError:
            continue
    return 0
