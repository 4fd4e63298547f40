"""Returns numbers that take for ever to write, to read, to multiply or to print."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops, roofline_seconds
# seconds: 4

import sys

sys.set_int_max_str_digits(0)


def matmul_flops(a_shape, b_shape):
    return 10**1_000_000


def linear_flops(x_shape, out_features):
    return -(1 << 2**28)


def roofline_seconds(flops, nbytes, peak_flops, peak_bandwidth):
    return 1 << 2**24
