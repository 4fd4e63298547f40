"""Leaves processes behind: in sessions of their own, without a parent, deaf to signals, and holding all pipes open."""
# kata: 03_flops
# attacks: matmul_flops

import os
import signal
import time

_right = matmul_flops
started = []


def _live_on():
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        time.sleep(10**6)


def matmul_flops(a_shape, b_shape):
    if len(started) < 5:
        started.append(os.fork())
        if started[-1] == 0:
            _live_on()
    return _right(a_shape, b_shape) + 1
