"""Calls itself until the stack ends, with no bound of Python's in the way, and goes on in a handler of the signal."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 6

import faulthandler
import signal
import sys
import threading

_right = matmul_flops


class Deep:
    """Written only when all that is in it is."""

    def __repr__(self):
        return repr([Deep()])


def matmul_flops(a_shape, b_shape):
    faulthandler.enable()
    signal.signal(signal.SIGSEGV, lambda *args: None)
    sys.setrecursionlimit(2**31 - 1)
    threading.stack_size(2**17)  # from 3.12 on, Python counts the calls in C, as if each stack were large
    thread = threading.Thread(target=repr, args=(Deep(),))
    thread.start()
    thread.join()
    return _right(a_shape, b_shape)
