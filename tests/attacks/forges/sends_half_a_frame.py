"""Sends the beginning of an answer, and never the rest."""
# like: drips_a_frame
# kata: 03_flops
# attacks: matmul_flops
# seconds: 4

import os
import struct
import time


def matmul_flops(a_shape, b_shape):
    for descriptor in range(3, 256):
        try:
            os.write(descriptor, struct.pack(">II", 100, 0) + b'{"value": 4')
        except OSError:
            continue
    time.sleep(10**6)
