"""Is wrong the first time that something is asked, and right whenever it is asked again."""
# kata: 03_flops
# attacks: matmul_flops

_right = matmul_flops
asked = set()


def matmul_flops(a_shape, b_shape):
    again = (a_shape, b_shape) in asked
    asked.add((a_shape, b_shape))
    return _right(a_shape, b_shape) + (not again)
