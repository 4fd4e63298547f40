"""Returns dicts in which a key stands twice, or keys that are not strings, or that never end."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops, mlp_flops


class Key(str):
    """Different from itself."""

    def __eq__(self, other):
        return False

    def __hash__(self):
        return 0


class Endless(dict):
    """Never ends."""

    def items(self):
        while True:
            yield "value", 2

    __iter__ = keys = items


def matmul_flops(a_shape, b_shape):
    return {Key("value"): 2, Key("value"): 4, None: 1, 1: 2, (1,): 4}


def linear_flops(x_shape, out_features):
    return Endless()


def mlp_flops(batch, dims):
    return {float("nan"): 1, float("nan"): 2}
