"""Resource usage of a jail's processes from /proc, since cgroups are not always available."""

from __future__ import annotations

import contextlib
import os
import resource
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ENTRIES = 10_000
"""Maximum number of files counted in a folder; more exceed any limit."""
INODE = 1024
"""Bytes that are charged for an empty file."""
PIPE = 16 * resource.getpagesize()
"""Bytes in a pipe; no code in a jail can set another size."""
SOCKET = 2 * 212_992
"""Maximum bytes in a socket: it takes more as long as it holds less than net.core.wmem_default, which is 212,992 bytes
by default on every processor."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Usage:
    """What a jail uses."""

    memory: int
    """Bytes."""
    cpu: float
    """Seconds so far."""
    files: int
    """Bytes."""
    processes: int


def memory(pids: Iterable[int]) -> int:
    """Sum the resident bytes of these processes; pages that a fork shares with its parent count twice."""
    return sum(_fields(pid, "status", ("RssAnon", "RssShmem", "VmPTE")) for pid in pids)


def shared_memory(pids: Iterable[int]) -> int:
    """Sum the resident bytes with shared pages counted once, which is slower."""
    return sum(
        _fields(pid, "smaps_rollup", ("Pss_Anon", "Pss_Shmem")) + _fields(pid, "status", ("VmPTE",)) for pid in pids
    )


def buffers(pids: Iterable[int]) -> int:
    """Sum the bytes that the kernel may hold for these processes in pipes and sockets, which is their capacity."""
    room = {(about.st_dev, about.st_ino): _room(about.st_mode) for pid in pids for about in _descriptors(pid)}
    return sum(room.values())


def _room(mode: int) -> int:
    return PIPE if stat.S_ISFIFO(mode) else SOCKET if stat.S_ISSOCK(mode) else 0


def cpu(pids: Iterable[int]) -> float:
    """Sum the CPU seconds of these processes and of the children that they have waited for."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError):
            stats = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(map(int, stats[11:15]))
    return ticks / TICKS


def mounted(pid: int, path: str) -> int:
    """Return the bytes of files in a file system, as a process sees it."""
    with contextlib.suppress(OSError):
        fs = os.statvfs(f"/proc/{pid}/root{path}")
        return (fs.f_blocks - fs.f_bfree) * fs.f_frsize + (fs.f_files - fs.f_ffree) * INODE
    return 0


def folder(path: Path, pids: Iterable[int]) -> int:
    """Sum the bytes of files below a folder, and of removed files that are still open or mapped."""
    size = 0
    for count, about in enumerate(_below(path)):
        size += about.st_blocks * 512 + INODE
        if count == ENTRIES:
            return 2**63
    gone = {}
    for pid in pids:
        for about in (*_descriptors(pid), *_removed_maps(pid)):
            if stat.S_ISREG(about.st_mode) and about.st_nlink == 0:
                gone[about.st_dev, about.st_ino] = about.st_blocks * 512
    return size + sum(gone.values())


def _descriptors(pid: int) -> Iterator[os.stat_result]:
    """Yield what a process has open."""
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                yield os.stat(f"/proc/{pid}/fd/{name}")


def _removed_maps(pid: int) -> Iterator[os.stat_result]:
    """Yield the removed files that a process has mapped. One mapped page keeps a whole file."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/maps").read_bytes().splitlines():
            if line.endswith(b" (deleted)"):
                first, last = (int(place, 16) for place in line.split(maxsplit=1)[0].split(b"-"))
                with contextlib.suppress(OSError):
                    yield os.stat(f"/proc/{pid}/map_files/{first:x}-{last:x}")


def _below(path: Path) -> Iterator[os.stat_result]:
    waiting = [str(path)]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                yield entry.stat(follow_symlinks=False)


def _fields(pid: int, file: str, names: tuple[str, ...]) -> int:
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{pid}/{file}").read_text(encoding="utf-8", errors="replace")
        found = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
        return sum(int(found[name].split()[0]) * 1024 for name in names if name in found)
    return 0
