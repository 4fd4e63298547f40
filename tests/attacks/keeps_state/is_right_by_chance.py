"""Throws a coin: half of its answers are right, and no two runs are alike."""
# kata: 03_flops
# attacks: matmul_flops

import random

_right = matmul_flops
coin = random.SystemRandom()


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + coin.randrange(2)
