"""Takes its time for each answer: none is slow, all of them together are endless."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 3

import time

_right = matmul_flops


def matmul_flops(a_shape, b_shape):
    time.sleep(1)
    return _right(a_shape, b_shape)
