"""Never returns, in Python."""
# like: loops_without_end
# kata: 03_flops
# attacks: matmul_flops, linear_flops
# seconds: 3

import time


def matmul_flops(a_shape, b_shape):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue


def linear_flops(x_shape, out_features):
    while True:
        time.sleep(10**6)
