"""Programs in parts: each part runs in a process of its own, and the judge carries files from one to the next.

A scenario declared with `in_parts=True` runs on the judge's side and gets a `Parts` in place of the learner's module.
It runs parts, one after the other. Each starts in a folder with only the files that it is given. When its process and
all its children are gone, the judge reads what is in the folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from dojo.seam.data import Error
from dojo.seam.faults import NO_FAULT, Fault, Look

Files = Mapping[str, bytes | None]
"""The contents of a folder, by path inside it, from old to new: the bytes of a file, or None for anything else."""

ENTRIES, BYTES = 200, 32 * 2**20
"""The most entries of a folder, and the most bytes of all its files together, that are carried."""
LONG_AGO = 10**9
"""The time of the first file that a part is given, in seconds since 1970; each further file is a second newer."""


GONE = Error("ProcessEnded", ("ProcessEnded",), "its process ended before it answered")
"""The outcome of a part whose process ended by itself."""


class Failed(Exception):
    """A part gave no result, but its program needs one."""

    def __init__(self, error: Error):
        super().__init__(str(error))
        self.error = error


@dataclass(frozen=True)
class Ending:
    """What became of a part.

    outcome: plain data, or the Error that was raised; meaningless if it was `killed`. files: what it left. moments: how
    many there were, if they were counted. seen: the different looks at a watched file.
    """

    outcome: object
    killed: bool
    files: Files
    moments: int = 0
    seen: tuple[Look, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether it raised or was killed."""
        return self.killed or isinstance(self.outcome, Error)

    @property
    def value(self) -> Any:
        """The result; raises Failed if there is none."""
        if self.killed:
            raise Failed(Error("Killed", ("Killed",), "its process was killed"))
        if isinstance(self.outcome, Error):
            raise Failed(self.outcome)
        return self.outcome


@dataclass(frozen=True)
class Part:
    """`function(module, *args)`, run in a process of its own, in a folder with these files, under the fault.

    If the learner's file is trusted and the fault does no harm, the file is executed again in the same process instead,
    unless the part is to run `apart`, in a forked process.
    """

    function: Callable[..., object]
    args: tuple[object, ...]
    files: Files = field(default_factory=dict)
    fault: Fault = NO_FAULT
    apart: bool = False


class Parts(Protocol):
    """Runs parts of a scenario."""

    def __call__(
        self,
        function: Callable[..., object],
        *args: object,
        files: Files = ...,
        fault: Fault = NO_FAULT,
        apart: bool = False,
    ) -> Ending:
        """Run a part and return what became of it; raise Todo if a function that it needs is a stub."""
        ...


def put(folder: Path, files: Files) -> None:
    """Write the files into an empty folder."""
    for place, (name, data) in enumerate(files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if data is None:
            path.mkdir()
        else:
            path.write_bytes(data)
        os.utime(path, (LONG_AGO + place, LONG_AGO + place))


def taken(folder: Path) -> dict[str, bytes | None]:
    """Read what is in a folder, whoever put it there; raise Failed if that is more than can be carried."""
    found: dict[str, bytes | None] = {}
    room = BYTES
    waiting = [(str(folder), "")]
    while waiting:
        place, above = waiting.pop()
        with os.scandir(place) as entries:
            for entry in entries:
                name = above + os.fsencode(entry.name).decode(errors="replace")
                found[name] = data = _file(entry, room)
                room -= len(data or b"")
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, f"{name}/"))
                if len(found) > ENTRIES or room < 0:
                    raise Failed(Error("TooMuch", ("TooMuch",), "its folder holds more than anybody needs"))
    return dict(sorted(found.items()))


def _file(entry: os.DirEntry[str], room: int) -> bytes | None:
    """Return the bytes of a regular file, at most one more than there is room for; None for anything else."""
    if not entry.is_file(follow_symlinks=False):
        return None
    try:
        descriptor = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except PermissionError:
        os.chmod(entry.path, 0o600)
        descriptor = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(room + 1)
