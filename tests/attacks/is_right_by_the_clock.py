"""Is right in every other microsecond."""
# kata: 03_flops
# attacks: matmul_flops

import time

_right = matmul_flops


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + time.monotonic_ns() // 1000 % 2
