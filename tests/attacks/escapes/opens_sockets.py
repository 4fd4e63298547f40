"""Opens sockets of every family and kind, and calls the judge's own machine."""
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import itertools
import socket

_right = matmul_flops
KINDS = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET)


def _opened():
    for family, kind in itertools.product(range(1, 46), KINDS):
        with contextlib.suppress(OSError), socket.socket(family, kind):
            yield family
    for address in (("127.0.0.1", PORT), ("::1", PORT), ("localhost", PORT)):
        with contextlib.suppress(OSError):
            socket.create_connection(address, 1).sendall(MARK.encode())
            yield address
    with contextlib.suppress(OSError):
        yield socket.getaddrinfo("host.example", 80)
    with contextlib.suppress(OSError):
        yield socket.create_server(("", 0))


found = list(_opened())


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
