"""Puts links where results may be written, so that the grader itself writes somewhere else, and hard links to files."""
# like: writes_result_files
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import itertools
import os

_right = matmul_flops

FOLDERS = [CANARY, ".", "/tmp", "/var/tmp", "/dev/shm", "/autograder/results"]
NAMES = ["result.json", "results.json", "junit.xml", "grade.md", MARK]
TARGETS = [f"{CANARY}/secret", "/etc/passwd", "/proc/self/fd/1"]


def matmul_flops(a_shape, b_shape):
    for make, folder, name, target in itertools.product((os.symlink, os.link), FOLDERS, NAMES, TARGETS):
        with contextlib.suppress(OSError):
            make(target, os.path.join(folder, name))
    return _right(a_shape, b_shape) + 1
