"""Sends frames whose tensors lie about themselves: offsets outside the data, holes, wrong shapes, a huge header."""
# kata: 04_backward_flops
# attacks: matmul_backward

import json
import os
import struct

HEADERS = [
    {"0": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 4]}},
    {"0": {"dtype": "F32", "shape": [1], "data_offsets": [0, 2**40]}},
    {"0": {"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]}},
    {"0": {"dtype": "F32", "shape": [2**32, 2**32], "data_offsets": [0, 0]}},
    {"0": {"dtype": "X99", "shape": [1], "data_offsets": [0, 4]}},
    {"__metadata__": {"0": "1"}, "0": [], "1": None},
]
BODY = json.dumps({"value": {"tuple": [{"tensor": ["0", "cpu"]}, {"tensor": ["0", "cuda"]}]}}).encode()


def matmul_backward(a, b, grad_out):
    for header in HEADERS:
        told = json.dumps(header).encode()
        for length in (len(told), 2**63, 2**24):
            tensors = struct.pack("<Q", length) + told + b"\0" * 4
            for descriptor in range(3, 64):
                try:
                    os.write(descriptor, struct.pack(">II", len(BODY), len(tensors)) + BODY + tensors)
                except OSError:
                    continue
    return grad_out, grad_out
