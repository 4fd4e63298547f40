"""Returns numpy's and ctypes' numbers, arrays of one element, fractions and decimals of the right value."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops, elementwise_flops, mlp_flops, attention_flops

import ctypes
import decimal
import fractions

import numpy as np

_matmul, _linear, _elements, _mlp, _attention = (
    matmul_flops,
    linear_flops,
    elementwise_flops,
    mlp_flops,
    attention_flops,
)


def matmul_flops(a_shape, b_shape):
    return np.int64(_matmul(a_shape, b_shape) % 2**63)


def linear_flops(x_shape, out_features):
    return np.array(_linear(x_shape, out_features), dtype=object)


def elementwise_flops(*shapes):
    return fractions.Fraction(_elements(*shapes))


def mlp_flops(batch, dims):
    return decimal.Decimal(_mlp(batch, dims))


def attention_flops(batch, heads, q_len, kv_len, head_dim):
    return ctypes.c_int64(_attention(batch, heads, q_len, kv_len, head_dim) % 2**63)
