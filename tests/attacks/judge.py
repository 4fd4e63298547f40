"""The judge's own process and machine, before an attack and after it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import resource
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hypothesis import settings

from dojo.catalog import ROOT

TREES = ("dojo", "katas", "solutions", "tests")


def state() -> dict[str, object]:
    """What of this process an attack could have changed, or what the grader could have left open."""
    kinds = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]
    return {
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "path": list(sys.path),
        "finders": list(sys.meta_path),
        "limits": {kind: resource.getrlimit(kind) for kind in kinds},
        "signals": {number: signal.getsignal(number) for number in signal.valid_signals()},
        "blocked": signal.pthread_sigmask(signal.SIG_BLOCK, ()),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "settings": repr(settings.default),
    }


def sources() -> dict[str, str]:
    """Every source file of the clone, and the digest of what it holds."""
    paths = [path for tree in TREES for path in (ROOT / tree).rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


@dataclass(frozen=True)
class Process:
    """One process of this machine."""

    pid: int
    parent: int
    uid: int


def running() -> dict[int, Process]:
    """The processes that there are, by their numbers, but for those that are over."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError):
                text = Path(f"/proc/{name}/status").read_text(encoding="utf-8", errors="replace")
                fields = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
                if fields["State"][0] not in "ZX":
                    found[int(name)] = Process(int(name), int(fields["PPid"]), int(fields["Uid"].split()[1]))
    return found


def left(before: dict[int, Process], mark: str) -> list[str]:
    """What still runs of an attack: descendants of this process, and orphans that hold its mark in their memory."""
    known = running()
    new = [process for process in known.values() if process.pid not in before]
    mine = [process for process in new if os.getpid() in _ancestors(process, known)]
    others = [process for process in new if process not in mine and not _is_anothers(process, known, before)]
    return [_told(process) for process in mine + [process for process in others if _holds(process.pid, mark.encode())]]


def _ancestors(process: Process, known: dict[int, Process]) -> Iterator[int]:
    while process.parent in known:
        yield process.parent
        process = known[process.parent]


def _is_anothers(process: Process, known: dict[int, Process], before: dict[int, Process]) -> bool:
    """Whether it descends from another Python like this one: a judge that meets another attack at the same time."""
    program = _program(os.getpid())
    return any(pid in before and _program(pid) == program for pid in _ancestors(process, known))


def _program(pid: int) -> str:
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{pid}/exe")
    return ""


def _holds(pid: int, mark: bytes) -> bool:
    with contextlib.suppress(OSError, ValueError, OverflowError):
        maps = Path(f"/proc/{pid}/maps").read_text(encoding="utf-8", errors="replace")
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
            for line in maps.splitlines():
                first, last = (int(place, 16) for place in line.partition(" ")[0].split("-"))
                if " rw" in line:
                    memory.seek(first)
                    if mark in memory.read(last - first):
                        return True
    return False


def _told(process: Process) -> str:
    with contextlib.suppress(OSError):
        command = Path(f"/proc/{process.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        return f"{process.pid} of user {process.uid}: {command[:100]}"
    return f"{process.pid} of user {process.uid}"
