"""A uid for each jail when the judge runs as root, so that limits and signals do not reach across jails."""

from __future__ import annotations

import contextlib
import os
import pwd
import random
import socket
from pathlib import Path

FIRST, LAST = 50000, 59998
"""Uids that Debian and systemd do not assign. A jail takes an even one, and its reaper the next."""


def take() -> tuple[int, socket.socket]:
    """Reserve a free uid; return it and its lock, a socket that vanishes when no process has it open."""
    used = _used()
    for uid in random.SystemRandom().sample(range(FIRST, LAST, 2), 200):
        if used & {uid, uid + 1} or _exists(uid) or _exists(uid + 1):
            continue
        lock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            lock.bind(f"\0torch-dojo-{uid}")
            return uid, lock
        except OSError:  # another judge has it
            lock.close()
    raise RuntimeError(f"no free uid between {FIRST} and {LAST}")


def processes_of(uid: int) -> list[int]:
    """List the processes that run as this user."""
    return [pid for pid, theirs in _owners().items() if theirs == uid]


def _used() -> set[int]:
    return set(_owners().values())


def _owners() -> dict[int, int]:
    owners = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                status = Path("/proc", name, "status").read_text(encoding="utf-8", errors="replace")
                owners[int(name)] = int(status.partition("\nUid:")[2].split(maxsplit=1)[0])
    return owners


def _exists(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True
