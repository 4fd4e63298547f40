"""Minimal reaper for the processes of a jail without a PID namespace.

Every process of the jail descends from it, and orphans become its children.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import select
import signal
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36


def fork(lifeline: int, held: list[int], uid: int, folder: str) -> None:
    """Return in a child; in this process, wait until the judge or the child ends, then kill the rest and exit.

    lifeline: a pipe of which only the judge has the other end. held: descriptors that this process keeps open. uid: the
    jail's own, or 0 if it has none. folder: the folder to remove at the end, "" for nothing.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    awake, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        return
    try:
        null = os.open(os.devnull, os.O_RDWR)
        for place in range(3):
            os.dup2(null, place)
        _close_but({0, 1, 2, lifeline, awake, wake, *held})
        _wait(child, lifeline, awake)
        _end(uid)
        if folder:
            remove(Path(folder))
    finally:
        os._exit(0)


def _wait(child: int, lifeline: int, awake: int) -> None:
    while True:
        ready, _, _ = select.select([lifeline, awake], [], [])
        if lifeline in ready:
            return
        with contextlib.suppress(BlockingIOError):
            os.read(awake, 4096)
        ended = child
        while ended:  # orphans too
            ended = os.waitpid(-1, os.WNOHANG)[0]
            if ended == child:
                return


def _end(uid: int) -> None:
    """Kill every process of the jail, and wait until none is left."""
    with contextlib.suppress(ChildProcessError):
        while True:
            if uid:
                _kill_all_of(uid)
            else:
                for pid in descendants(os.getpid()):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)


def _kill_all_of(uid: int) -> None:
    """Kill all at once, so that no fork escapes. The killer's other real uid keeps it from being killed first."""
    killer = os.fork()
    if killer == 0:
        try:
            os.setgroups([])
            os.setresuid(uid + 1, uid, uid + 1)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(killer, 0)


def descendants(pid: int) -> list[int]:
    """List a process's children, their children, and so on, from /proc."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{task}/children", encoding="ascii") as file:
                    waiting += map(int, file.read().split())
        found.append(parent)
    return found[1:]


def remove(folder: Path) -> None:
    """Remove a folder of untrusted code, which may be deeper than Python's stack or the longest path."""
    waiting = True
    while waiting:
        waiting = False
        with os.scandir(folder) as entries:
            for entry in list(entries):
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry)
                    continue
                os.chmod(entry, 0o700)
                with os.scandir(entry) as inside:
                    for below in list(inside):
                        if below.is_dir(follow_symlinks=False):
                            os.chmod(below, 0o700)  # moving a folder writes to its ..
                            os.rename(below, folder / secrets.token_hex(16))  # a random name, which is free
                            waiting = True
                        else:
                            os.unlink(below)
                os.rmdir(entry)
    os.rmdir(folder)


def _close_but(held: set[int]) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in held:
            with contextlib.suppress(OSError):
                os.close(int(name))
