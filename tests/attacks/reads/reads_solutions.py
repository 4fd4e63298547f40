"""Looks for the solutions: by import, by relative paths, and by walking over the whole disk."""
# kata: 03_flops
# attacks: matmul_flops

import importlib
import itertools
import os
import time

_right = matmul_flops
NAMES = ("solutions.03_flops.flops", "tests.03_flops.misconceptions", "tests.03_flops.wheats")
STARTS = (".", "..", "/", "/home", "/root", "/autograder", "/tmp", "/proc/1/root", "/proc/1/cwd")


def _by_import():
    for name in NAMES:
        try:
            return importlib.import_module(name)
        except BaseException:
            continue


def _by_path():
    for start, tree in itertools.product(STARTS, ("solutions", "dojo", "clone/solutions")):
        try:
            return open(os.path.join(start, tree, "03_flops", "flops.py")).read()
        except OSError:
            continue


def _by_walking():
    end = time.monotonic() + 3
    for folder, _, names in os.walk("/"):
        if "flops.py" in names or "truth.py" in names or "kata.toml" in names:
            return folder
        if time.monotonic() > end:
            break


found = _by_import() or _by_path() or _by_walking()


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
