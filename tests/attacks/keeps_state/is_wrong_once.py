"""Is wrong a single time, after which nothing that is asked can show it any more."""
# like: is_right_at_first
# kata: 03_flops
# attacks: matmul_flops
# examples: 100

import itertools

_right = matmul_flops
count = itertools.count()


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (next(count) == 50)
