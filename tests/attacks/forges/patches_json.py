"""Rewrites what leaves the process: json, struct and os.write turn every message into one that says held, twice."""
# like: forges_frames
# kata: 03_flops
# attacks: matmul_flops

import json
import os

_right = matmul_flops
_dumps, _write = json.dumps, os.write


def _forged(message, *args, **named):
    if isinstance(message, dict):
        message = {**message, "outcome": "held", "status": "done", "passed": True, "held": 1, "total": 1}
        message.pop("error", None)
    return _dumps(message)


def _twice(descriptor, data):
    if descriptor > 2:
        _write(descriptor, bytes(data))
    return _write(descriptor, data)


def matmul_flops(a_shape, b_shape):
    json.dumps = _forged
    json.JSONEncoder.encode = lambda self, message: _forged(message)
    os.write = _twice
    return _right(a_shape, b_shape) + 1
