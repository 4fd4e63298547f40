"""Ignores and blocks every signal that can be, and never returns."""
# like: loops_inside_one_call
# kata: 03_flops
# attacks: matmul_flops
# seconds: 3

import contextlib
import signal


def matmul_flops(a_shape, b_shape):
    for number in signal.valid_signals():
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        with contextlib.suppress(BaseException):
            signal.pause()
