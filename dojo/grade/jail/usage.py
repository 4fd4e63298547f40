"""In the judge: what the processes of a jail use together, as /proc tells, since cgroups are not everybody's."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ENTRIES = 10_000
"""Files that are looked at in a folder; a jail that has more has too many."""
INODE = 1024
"""Bytes that an empty file costs."""
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Usage:
    """What a jail uses: bytes of memory, seconds of CPU so far, bytes of files, and how many processes there are."""

    memory: int
    cpu: float
    files: int
    processes: int


def memory(pids: Iterable[int]) -> int:
    """Bytes that these processes have for themselves; what a fork shares with its parent counts in both."""
    return sum(_fields(pid, "status", ("RssAnon", "RssShmem")) for pid in pids)


def shared_memory(pids: Iterable[int]) -> int:
    """The same, but what processes share counts once. It takes longer to find out."""
    return sum(_fields(pid, "smaps_rollup", ("Pss_Anon", "Pss_Shmem")) for pid in pids)


def cpu(pids: Iterable[int]) -> float:
    """Seconds of CPU of these processes, and of those that they have waited for."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError):
            told = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
            ticks += sum(map(int, told[11:15]))
    return ticks / TICKS


def mounted(pid: int, path: str) -> int:
    """Bytes of files in a file system that a process sees."""
    with contextlib.suppress(OSError):
        told = os.statvfs(f"/proc/{pid}/root{path}")
        return (told.f_blocks - told.f_bfree) * told.f_frsize + (told.f_files - told.f_ffree) * INODE
    return 0


def folder(path: Path, pids: Iterable[int]) -> int:
    """Bytes of files below a folder, and of those that were removed from it and are still open."""
    size = 0
    for count, about in enumerate(_below(path)):
        size += about.st_blocks * 512 + INODE
        if count == ENTRIES:
            return 2**63
    gone = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for name in os.listdir(f"/proc/{pid}/fd"):
                about = os.stat(f"/proc/{pid}/fd/{name}")
                if stat.S_ISREG(about.st_mode) and about.st_nlink == 0:
                    gone[about.st_dev, about.st_ino] = about.st_blocks * 512
    return size + sum(gone.values())


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
