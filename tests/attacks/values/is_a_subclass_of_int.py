"""Returns an int of a class of its own: the number is wrong, the operators say that it is right."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops

_right = matmul_flops


class Answer(int):
    """Equal to every number."""

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return 0

    def __repr__(self):
        return "done"

    __lt__ = __gt__ = __ne__
    __le__ = __ge__ = __eq__


class Plain(int):
    """As right as an int, and none."""


def matmul_flops(a_shape, b_shape):
    return Answer(_right(a_shape, b_shape) + 1)


def linear_flops(x_shape, out_features):
    return Plain(_right((*x_shape,), (x_shape[-1], out_features)))
