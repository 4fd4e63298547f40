"""Writes messages of its own to every descriptor, in the grader's own form and in others that it may have."""
# kata: 03_flops
# attacks: matmul_flops

import json
import os
import struct

_right = matmul_flops
MESSAGES = [
    {"value": True},
    {"id": "", "value": True},
    {"outcome": "held", "value": None},
    {"status": "done", "score": 2, "value": 2},
    {"error": "ValueError", "bases": ["ValueError"], "message": "", "value": None},
]


def _framed(body):
    yield struct.pack(">II", len(body), 0) + body
    yield struct.pack(">I", len(body)) + body
    yield struct.pack("<Q", len(body)) + body
    yield body + b"\n"


def matmul_flops(a_shape, b_shape):
    for descriptor in range(3, 256):
        for message in MESSAGES:
            for frame in _framed(json.dumps(message).encode()):
                try:
                    os.write(descriptor, frame)
                except OSError:
                    break
    return _right(a_shape, b_shape) + 1
