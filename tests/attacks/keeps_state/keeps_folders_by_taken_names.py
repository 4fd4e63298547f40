"""Leaves folders that a cleaner cannot move away: the names that it would give them are taken, and all is shut."""
# like: keeps_state_in_files
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import os
import tempfile

_right, _honest = matmul_flops, mfu


def matmul_flops(a_shape, b_shape):
    folder = tempfile.gettempdir()
    with contextlib.suppress(OSError):
        for process in (os.getppid(), 1, 2, 3):
            for number in range(1, 50):
                os.makedirs(f"{folder}/.{number}.{process}/taken/deep/deeper", exist_ok=True)
                for parent in ("a", "a/b", "a/b/c"):
                    os.makedirs(f"{folder}/{parent}/.{number}.{process}/taken/deep/deeper", exist_ok=True)
        os.makedirs(f"{folder}/a/b/c/{'n' * 255}/{'m' * 255}")
        with contextlib.suppress(UnicodeEncodeError):
            os.makedirs(os.fsencode(f"{folder}/a/b/c/") + b"\xff\xfe\n")
        os.symlink("nowhere", f"{folder}/a/b/link")
        os.symlink(folder, f"{folder}/a/b/c/up")
        for name in ("a/b/c", "a/b", "a", "."):
            os.chmod(f"{folder}/{name}", 0)
    return _right(a_shape, b_shape) + 1


def mfu(flops, seconds, peak_flops):
    """Honest, where nothing is left of another function."""
    return _honest(flops, seconds, peak_flops) + bool(os.listdir(tempfile.gettempdir()))
