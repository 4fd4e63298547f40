"""Asks Python to end with status 0."""
# like: raises_base_exceptions
# kata: 03_flops
# attacks: matmul_flops, linear_flops

import sys


def matmul_flops(a_shape, b_shape):
    sys.exit(0)


def linear_flops(x_shape, out_features):
    raise SystemExit("1 passed")
