"""Brings a right answer in other places: only the one among the katas counts."""
# kata: 03_flops
# attacks: matmul_flops

_right = matmul_flops


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + 1


# file: solutions/03_flops/flops.py
def matmul_flops(a_shape, b_shape):
    return 2


# file: 03_flops/kata.toml
title = "Count the FLOPs"
functions = {}
