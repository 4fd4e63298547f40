"""Raises what `except Exception` lets through, a group of them, and a generator's own."""
# kata: 03_flops
# attacks: matmul_flops, linear_flops, elementwise_flops


class Passed(BaseException):
    """No Exception."""


def matmul_flops(a_shape, b_shape):
    raise Passed("1 passed")


def linear_flops(x_shape, out_features):
    raise BaseExceptionGroup("passed", [Passed(), SystemExit(0), KeyboardInterrupt()])


def elementwise_flops(*shapes):
    raise GeneratorExit
