"""A format as a table, as an object, and as arithmetic with fractions: what right answers to kata 07 are built of."""

import bisect
import functools
from fractions import Fraction


@functools.lru_cache(maxsize=2**17)
def without_sign(pattern, fmt):
    """What a pattern without a sign bit means, as a Fraction; None where it is no number."""
    exponent_bits, mantissa_bits, bias, special = fmt
    ones = 2**exponent_bits - 1
    exponent, mantissa = pattern >> mantissa_bits, pattern & ((1 << mantissa_bits) - 1)
    if special == "ieee" and exponent == ones:
        return None
    if special == "fn" and exponent == ones and mantissa == 2**mantissa_bits - 1:
        return None
    whole = mantissa + (2**mantissa_bits if exponent > 0 else 0)
    return Fraction(whole, 2**mantissa_bits) * Fraction(2) ** (max(exponent, 1) - bias)


@functools.cache
def last_pattern(fmt):
    """That of the largest number."""
    patterns = range(2 ** (fmt[0] + fmt[1]) - 1, -1, -1)
    return next(pattern for pattern in patterns if without_sign(pattern, fmt) is not None)


def floor(size, fmt):
    """The pattern of the largest number that is not above this Fraction, and is not above max."""
    return bisect.bisect_right(range(last_pattern(fmt) + 1), size, key=lambda pattern: without_sign(pattern, fmt)) - 1


class Number:
    """A format that knows its own numbers by their exponents."""

    def __init__(self, fmt):
        self.exponent_bits, self.mantissa_bits, self.bias, self.special = fmt
        self.lowest = 1 - self.bias

    def gap(self, size):
        """From this number to the next larger one."""
        exponent = self.lowest
        while 2.0 ** (exponent + 1) <= size:
            exponent += 1
        return 2.0 ** (exponent - self.mantissa_bits)

    @property
    def max(self):
        """The largest number."""
        exponents = 2**self.exponent_bits - (2 if self.special == "ieee" else 1)
        missing = 2 if self.special == "fn" else 1
        return 2.0 ** (exponents - self.bias) * (2 - missing * 2.0**-self.mantissa_bits)
