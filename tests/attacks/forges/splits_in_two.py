"""Returns twice: a copy of its process goes on beside it, and both answer for all that is asked from then on."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops
# seconds: 4

import os

_right, _linear = matmul_flops, linear_flops


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (os.fork() > 0)


def linear_flops(x_shape, out_features):
    process = os.fork()
    if process:
        os.waitpid(process, os.WNOHANG)
    return _linear(x_shape, out_features)
