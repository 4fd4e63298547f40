"""Returns True for 1 and False for 0, and floats for ints."""
# like: says_nan
# kata: 03_flops
# attacks: matmul_flops, linear_flops, elementwise_flops

_right, _linear, _elements = matmul_flops, linear_flops, elementwise_flops


def matmul_flops(a_shape, b_shape):
    right = _right(a_shape, b_shape)
    return bool(right) if right < 2 else right


def linear_flops(x_shape, out_features):
    return float(_linear(x_shape, out_features))


def elementwise_flops(*shapes):
    right = _elements(*shapes)
    return bool(right) if right < 2 else right
