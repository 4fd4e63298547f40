"""Announces frames of four gigabytes, and frames whose tensors are longer than themselves."""
# like: drips_a_frame
# kata: 03_flops
# attacks: matmul_flops
# seconds: 3

import os

_right = matmul_flops
HEADS = [b"\xff" * 8, b"\0\0\0\2\xff\xff\xff\xff{}", b"\x7f\xff\xff\xff\0\0\0\0{", b"\0" * 8]


def matmul_flops(a_shape, b_shape):
    for descriptor in range(3, 256):
        for head in HEADS:
            try:
                os.write(descriptor, head)
            except OSError:
                break
    return _right(a_shape, b_shape) + 1
