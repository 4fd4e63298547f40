"""Returns more than can be carried: long strings, long lists, many keys."""
# like: says_a_million_digits
# kata: 03_flops
# attacks: matmul_flops, linear_flops, elementwise_flops, mlp_flops
# seconds: 4


def matmul_flops(a_shape, b_shape):
    return "\x00" * 2**26


def linear_flops(x_shape, out_features):
    return [0] * 2**22


def elementwise_flops(*shapes):
    return dict.fromkeys(range(2**18))


def mlp_flops(batch, dims):
    return "\ud800\udfff" * 2**10
