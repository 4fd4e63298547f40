"""Says what is no text, half a character, in answers, errors, names, keys and output: no file could hold it."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops, mlp_flops, mfu

import os

HALF = "\ud800\udfff\udcff\0"


def matmul_flops(a_shape, b_shape):
    os.write(1, b"\xed\xa0\x80\xff\n")
    return HALF


def linear_flops(x_shape, out_features):
    raise type(f"Odd{HALF[:-1]}", (ValueError,), {})(HALF)


def mlp_flops(batch, dims):
    return type(f"Odd{HALF[:-1]}", (), {"__module__": HALF})()


def mfu(flops, seconds, peak_flops):
    return {HALF: HALF}
