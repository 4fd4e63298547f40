"""Replaces `type` itself, so that an object of its own is taken for a plain number."""
# like: patches_builtins
# kata: 03_flops
# attacks: matmul_flops

import builtins

_type = type


class Answer:
    """No int, and equal to all of them."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


class Lying(_type):
    """The class of a `type` that takes answers for ints."""

    def __call__(cls, value, *rest, **named):
        return int if _type(value) is Answer else _type(value, *rest, **named)


class Type(_type, metaclass=Lying):
    """Stands in for `type`."""


def matmul_flops(a_shape, b_shape):
    builtins.type = Type
    return Answer()
