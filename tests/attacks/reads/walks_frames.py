"""Walks up the stack, and into the frames of all threads and generators, for the right answer."""
# like: searches_memory
# kata: 03_flops
# attacks: matmul_flops

import gc
import sys

_right = matmul_flops
NAMES = ("want", "wanted", "truth", "expected", "counted", "right", "answer")


def _frames():
    yield from sys._current_frames().values()
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back
    for found in gc.get_objects():
        yield from (getattr(found, name, None) for name in ("gi_frame", "cr_frame", "ag_frame"))


def matmul_flops(a_shape, b_shape):
    for frame in _frames():
        found = dict(frame.f_locals) | dict(frame.f_globals) if frame is not None else {}
        for name in NAMES:
            if type(found.get(name)) is int:
                return found[name]
    return _right(a_shape, b_shape) + 1
