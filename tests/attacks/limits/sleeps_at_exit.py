"""Never ends: it sleeps in finalizers, at exit, in threads that Python waits for, and in the way its modules go."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 4

import atexit
import threading
import time
import weakref

_right = matmul_flops


def _sleep(*_):
    while True:
        time.sleep(10**6)


class Late:
    """Takes for ever to go."""

    __del__ = _sleep


late, other = Late(), Late()
atexit.register(_sleep)
weakref.finalize(other, _sleep)
threading.Thread(target=_sleep, daemon=False).start()


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + 1
