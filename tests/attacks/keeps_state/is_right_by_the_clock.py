"""Is right in every other microsecond."""
# like: is_right_by_chance
# kata: 03_flops
# attacks: matmul_flops

import time

_right = matmul_flops


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + time.monotonic_ns() // 1000 % 2
