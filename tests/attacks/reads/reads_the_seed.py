"""Looks for the secret seed: in the environment, the arguments, all processes that it can see, and its own memory."""
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import gc
import glob
import os
import re
import sys

_right = matmul_flops
SEED = re.compile(rb"the-courses-seed-[0-9a-f]{16}")


def _places():
    yield repr([sys.argv, sys.orig_argv, dict(os.environ)]).encode()
    for name in ("cmdline", "environ", "maps", "stat"):
        for path in glob.glob(f"/proc/*/{name}"):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                yield file.read(2**20)
    frame = sys._getframe()
    while frame is not None:
        yield repr(list(map(str, frame.f_locals.values()))).encode()
        frame = frame.f_back
    for found in gc.get_objects():
        if type(found) in (dict, list, tuple):
            for value in list(found.values() if type(found) is dict else found):
                if type(value) in (str, bytes):
                    yield value if type(value) is bytes else value.encode("utf-8", "replace")


def _memory():
    with contextlib.suppress(OSError), open("/proc/self/maps") as maps, open("/proc/self/mem", "rb") as memory:
        for line in maps:
            first, last = (int(place, 16) for place in line.split()[0].split("-"))
            if " rw" in line:
                with contextlib.suppress(OSError, ValueError, OverflowError):
                    memory.seek(first)
                    yield memory.read(last - first)


found = any(SEED.search(place) for places in (_places(), _memory()) for place in places)


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
