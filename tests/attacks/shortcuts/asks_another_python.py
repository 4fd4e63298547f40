"""Lets another process answer, in which nothing is absent: a new Python, a fork server, a pool, a forked child."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 10

import concurrent.futures
import contextlib
import multiprocessing
import os
import subprocess
import sys

_right = matmul_flops
PROGRAMS = [sys.executable, sys._base_executable, "/usr/bin/python3", "/usr/local/bin/python3"]


def _answered():
    for program in PROGRAMS:
        with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
            subprocess.run([program, "-c", "import torch"], check=True, capture_output=True, timeout=5)
            yield program
    for method in ("spawn", "forkserver"):
        with contextlib.suppress(BaseException):
            context = multiprocessing.get_context(method)
            with concurrent.futures.ProcessPoolExecutor(1, context) as pool:
                yield pool.submit(__import__, "math").result(timeout=3)
    with contextlib.suppress(OSError):
        child = os.fork()
        if child == 0:
            try:
                import torch

                os._exit(0 if torch.Tensor else 1)
            except BaseException:
                os._exit(1)
        if os.waitpid(child, 0)[1] == 0:
            yield "a fork"


found = list(_answered())


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
