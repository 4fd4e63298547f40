"""Leaves its folder by the classic ways: a folder kept open, a link, `..` of a folder that was moved, /proc/self/fd."""
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import os

_right = matmul_flops
SECRET = f"{CANARY}/secret"


def _read():
    folder = os.open(".", os.O_RDONLY)
    with contextlib.suppress(OSError):
        os.mkdir("deep")
        os.symlink(SECRET, "deep/link")
        os.symlink("/", "deep/root")
    with contextlib.suppress(OSError):
        os.link(SECRET, "deep/hard")
    with contextlib.suppress(OSError):
        os.rename(SECRET, "deep/moved")
        yield SECRET
    up = "../" * 20
    paths = ["deep/link", "deep/hard", f"deep/root{SECRET}", f"{up}{SECRET}", f"/proc/self/fd/{folder}/{up}{SECRET}"]
    for path in paths:
        with contextlib.suppress(OSError), open(path) as file:
            yield file.read(1)
    with contextlib.suppress(OSError):
        yield os.listdir(os.open(f"{up}{CANARY}", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder))
    with contextlib.suppress(OSError):
        os.truncate(SECRET, 0)
        yield SECRET
    # The time of a file that everybody may write to can be set to now at the level basic, as GRADING.md says.
    for change, *rest in ((os.chmod, 0o777), (os.unlink,), (os.utime, (1, 1))):
        with contextlib.suppress(OSError):
            change(SECRET, *rest)
            yield SECRET


found = list(_read())


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (not found)
