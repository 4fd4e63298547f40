"""Leaves notes for the next submission, and for the next function, and reads those of the one before."""
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import glob
import os

_right = matmul_flops
PLACES = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock", os.path.expanduser("~"), ".", CANARY]


def _left_before():
    for place in PLACES:
        for path in glob.glob(f"{place}/right-answer-*"):
            with contextlib.suppress(OSError), open(path) as file:
                if MARK not in file.read():
                    yield path


found = list(_left_before())
for place in PLACES:
    with contextlib.suppress(OSError), open(f"{place}/right-answer-{MARK}", "w") as file:
        file.write(MARK)


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
