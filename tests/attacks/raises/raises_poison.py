"""Raises errors that cannot be looked at: their text raises, ends the process, is endless, or is no text."""
# like: raises_base_exceptions
# kata: 03_flops
# attacks: matmul_flops, linear_flops, elementwise_flops, mlp_flops
# seconds: 4

import os


class Raising(Exception):
    """Cannot be written."""

    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


class Ending(Exception):
    """Ends whoever writes it."""

    def __str__(self):
        os._exit(0)


class Long(Exception):
    """A text of a gigabyte, and a traceback as long."""

    def __str__(self):
        return "x" * 2**30


class Endless(Exception):
    """A text that never comes."""

    def __str__(self):
        while True:
            pass

    @property
    def __traceback__(self):
        while True:
            pass


def matmul_flops(a_shape, b_shape):
    raise Raising


def linear_flops(x_shape, out_features):
    raise Ending


def elementwise_flops(*shapes):
    raise Long


def mlp_flops(batch, dims):
    raise Endless
