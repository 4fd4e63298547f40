"""Sends the frame of its answer byte by byte, each in time, and all of them together never."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 3

import os
import struct
import time


def matmul_flops(a_shape, b_shape):
    for byte in struct.pack(">II", 4 * 2**20, 0) + b'{"id": "' + b" " * 2**20:
        for descriptor in range(3, 16):
            try:
                os.write(descriptor, bytes([byte]))
            except OSError:
                continue
        time.sleep(0.01)
