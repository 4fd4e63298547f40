"""Counts in files what it was asked: another process does not make it forget when to be wrong."""
# like: is_right_at_first
# kata: 03_flops
# attacks: matmul_flops
# examples: 100

import contextlib
import os

_right = matmul_flops
NOTES = [f"{folder}/count-{MARK}" for folder in ("/tmp", "/dev/shm", os.path.expanduser("~"), ".")]


def matmul_flops(a_shape, b_shape):
    asked = 0
    for path in NOTES:
        with contextlib.suppress(OSError), open(path, "a") as file:
            file.write(".")
            asked = max(asked, file.tell())
    return _right(a_shape, b_shape) + (50 <= asked < 54)  # some of these are one folder
