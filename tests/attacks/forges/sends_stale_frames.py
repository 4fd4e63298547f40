"""Leaves threads and a child behind that go on writing answers while other functions are asked."""
# like: answers_in_advance
# kata: 03_flops
# attacks: matmul_flops

import json
import os
import struct
import threading
import time

_right = matmul_flops


def _write_on():
    body = json.dumps({"value": 2, "outcome": "held"}).encode()
    while True:
        for descriptor in range(3, 64):
            try:
                os.write(descriptor, struct.pack(">II", len(body), 0) + body)
            except OSError:
                continue
        time.sleep(0.001)


def matmul_flops(a_shape, b_shape):
    if threading.active_count() < 8:
        threading.Thread(target=_write_on, daemon=True).start()
        if os.fork() == 0:
            _write_on()
    return _right(a_shape, b_shape) + 1
