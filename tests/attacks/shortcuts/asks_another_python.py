"""Lets another process answer, in which nothing is absent: a new Python, a fork server, a pool, a forked child."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 20

import concurrent.futures
import contextlib
import multiprocessing
import os
import subprocess
import sys
import threading

_right = matmul_flops
PROGRAMS = [sys.executable, sys._base_executable, "/usr/bin/python3", "/usr/local/bin/python3"]


def _a_program(program):
    subprocess.run([program, "-c", "import torch"], check=True, capture_output=True, timeout=5)


def _a_pool(method):
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context(method)) as pool:
        pool.submit(__import__, "math").result(timeout=3)


def _a_fork():
    child = os.fork()
    if child == 0:
        try:
            import torch

            os._exit(0 if torch.Tensor else 1)
        except BaseException:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


found = []


def _asks(way, *args):
    with contextlib.suppress(BaseException):
        way(*args)
        found.append(way)


# Each in a thread that is not waited for: a pool whose processes cannot start may wait for them without end.
WAYS = [*((_a_program, program) for program in PROGRAMS), (_a_pool, "spawn"), (_a_pool, "forkserver"), (_a_fork,)]
for way in WAYS:
    thread = threading.Thread(target=_asks, args=way, daemon=True)
    thread.start()
    thread.join(3)


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
