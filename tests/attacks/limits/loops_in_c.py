"""Never returns from one call of C code, in which Python handles no signal."""
# like: loops_inside_one_call
# kata: 03_flops
# attacks: matmul_flops, linear_flops, mlp_flops
# seconds: 3

import re


def matmul_flops(a_shape, b_shape):
    return sum(range(10**18))


def linear_flops(x_shape, out_features):
    return len(re.findall(r"(a*)*b", "a" * 60))


def mlp_flops(batch, dims):
    return 10**10**10
