"""Landlock rules, which limit a process and its children for good, whatever their uid is.

The system calls go through ctypes: PyPI's `landlock` 1.0.0.dev5 supports no scopes, and leaves its descriptors open.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Iterator, Sequence

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every processor
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
MAKE_DEVICES = 1 << 6 | 1 << 11
MAKING = 0x1FF0
"""The rights to make, rename or remove anything that a folder can hold."""
REFER = 1 << 13
"""The right to move or link a file between folders, which every ruleset refuses unless it allows it."""
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL
READ = READ_FILE | READ_DIR
WORK = 0x7FFF & ~(EXECUTE | MAKE_DEVICES)
"""All rights in a work folder, except running programs and creating devices."""
HANDLED = {2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF}
"""The rights to files that the first versions handle; later ones handle 0xFFFF."""

_libc = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Path(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """Return the version of this kernel's Landlock; OSError if it has none."""
    return _checked(_libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1), "Landlock")


def restrict(rules: Iterable[tuple[str, int]]) -> None:
    """Refuse everything that Landlock can (files, TCP, signals to others) except these rights below these paths."""
    abi = version()
    files = HANDLED.get(abi, 0xFFFF)
    _enter(abi, _Ruleset(files, 3 if abi >= 4 else 0, 3 if abi >= 6 else 0), rules)


def restrict_reading(paths: Iterable[str]) -> None:
    """Refuse to read files, except these and those below them, and refuse nothing else."""
    _enter(version(), _Ruleset(READ_FILE | REFER, 0, 0), [*((path, READ_FILE) for path in paths), ("/", REFER)])


def restrict_making() -> None:
    """Refuse to make, rename or remove anything."""
    _enter(version(), _Ruleset(MAKING | REFER, 0, 0), [])


def keep_signals() -> None:
    """Refuse signals to processes other than this one's children, from Linux 6.12 on."""
    if (abi := version()) >= 6:
        _enter(abi, _Ruleset(REFER, 0, 2), [("/", REFER)])


def _enter(abi: int, wanted: _Ruleset, rules: Iterable[tuple[str, int]]) -> None:
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = _checked(_libc.syscall(CREATE_RULESET, ctypes.byref(wanted), ctypes.c_size_t(size), 0), "Landlock")
    try:
        for path, rights in rules:
            _allow(ruleset, path, rights & wanted.files)
        _checked(_libc.syscall(RESTRICT_SELF, ruleset, 0), "to enter Landlock")
    finally:
        os.close(ruleset)


def around(path: str, hidden: Sequence[str]) -> Iterator[str]:
    """Yield the largest files and folders below a path with nothing hidden inside, as Landlock has no deny rules."""
    if path in hidden:
        return
    if not any(other.startswith(f"{path.rstrip('/')}/") for other in hidden):
        yield path
        return
    with os.scandir(path) as entries:
        below = [entry.path for entry in entries if not entry.is_symlink()]  # the target of a link has its own rule
    for entry in below:
        yield from around(entry, hidden)


def _allow(ruleset: int, path: str, rights: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            rights &= OF_A_FILE
        if rights:
            rule = _Path(rights, fd)
            _checked(_libc.syscall(ADD_RULE, ruleset, 1, ctypes.byref(rule), 0), f"a rule of Landlock for {path}")
    finally:
        os.close(fd)


def _checked(result: int, what: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result
