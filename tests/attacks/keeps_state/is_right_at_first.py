"""Is right for the first sixty questions, and wrong from then on."""
# kata: 03_flops
# attacks: matmul_flops
# examples: 100

import itertools

_right = matmul_flops
count = itertools.count()


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (next(count) > 60)
