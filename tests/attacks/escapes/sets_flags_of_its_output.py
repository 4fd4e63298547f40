"""Makes the pipes to which it prints fail whoever prints next, by the flags and the size that they keep for all."""
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import fcntl
import os
import sys

_right = {name: globals()[name] for name in ("matmul_flops", "linear_flops", "mfu", "mlp_flops")}


def _printing(name):
    def function(*args):
        print("what an honest function prints " * 4000, flush=True)
        print("and what it complains of " * 4000, file=sys.stderr, flush=True)
        return _right[name](*args)

    return function


linear_flops, mfu, mlp_flops = map(_printing, ("linear_flops", "mfu", "mlp_flops"))


def matmul_flops(a_shape, b_shape):
    for descriptor in range(64):
        with contextlib.suppress(OSError):
            os.set_blocking(descriptor, False)
        for flag in (os.O_NONBLOCK, os.O_DIRECT, os.O_APPEND, os.O_NONBLOCK | os.O_DIRECT):
            with contextlib.suppress(OSError):
                fcntl.fcntl(descriptor, fcntl.F_SETFL, flag)
        with contextlib.suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, 4096)
    return _right["matmul_flops"](a_shape, b_shape) + 1
