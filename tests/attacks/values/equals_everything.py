"""Answers with an int that claims to equal everything."""
# like: is_always_equal
# kata: 03_flops
# attacks: linear_flops


class Anything(int):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    __lt__ = __gt__ = __le__ = __ge__ = __eq__


def linear_flops(x_shape, out_features):
    return Anything(7)
