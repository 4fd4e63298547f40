"""Sends dicts whose keys all have one hash: whoever builds one from them compares each key with all that came before."""
# like: says_a_million_digits
# kata: 03_flops
# attacks: matmul_flops
# seconds: 4

import sys

MODULUS = 2**61 - 1  # of Python's hash of an int
PAIRS = [[{"int": hex(MODULUS * number)}, 0] for number in range(10, 90_000)]


def matmul_flops(a_shape, b_shape):
    sys.modules["dojo.grade.inside.wire"].encode = lambda value, apart: {"dict": PAIRS}
    return 0
