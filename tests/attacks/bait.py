"""What lies about on the machine for an attack to find, and what shows that one has found it."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dojo.catalog import ROOT

FOLDERS = ("/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/home", "/autograder", "/autograder/results", ".")
"""Where an attack could write, if it could write outside."""
LONGEST = 2**20
"""Bytes of a file that is looked at."""


@dataclass(frozen=True)
class Bait:
    """A folder that everybody may write to, with a secret that everybody may read, and sockets that anybody may call.

    mark: a word that only this attack knows. before: what the folder held at first. known: what lay elsewhere.
    """

    folder: Path
    mark: str
    sockets: tuple[socket.socket, ...]
    before: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    known: frozenset[str] = frozenset()

    def told(self) -> str:
        """As lines of Python."""
        port = self.sockets[0].getsockname()[1]
        return f"MARK, CANARY, PORT = {self.mark!r}, {str(self.folder)!r}, {port}"

    def filled(self, text: str) -> str:
        """Text with the values in the place of the names."""
        values = {"MARK": repr(self.mark), "CANARY": repr(str(self.folder))}
        return re.sub(r"\b(MARK|CANARY)\b", lambda name: values[name[0]], text)

    def touched(self) -> list[str]:
        """What an attack has changed or left outside of its jail, or that it has called somebody there."""
        found = ["a call" for listening in self.sockets if _was_called(listening)]
        after = _held(self.folder)
        names = sorted(after.keys() | self.before.keys())
        found += [f"{self.folder}/{name}" for name in names if after.get(name) != self.before.get(name)]
        return found + [path for path in sorted(_entries() - self.known) if self._is_marked(path)]

    def _is_marked(self, path: str) -> bool:
        if self.mark in path:
            return True
        with contextlib.suppress(OSError):
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    return self.mark.encode() in file.read(LONGEST)
        return False


@contextlib.contextmanager
def bait() -> Iterator[Bait]:
    """Lay it out; it is gone afterwards."""
    with contextlib.ExitStack() as stack:
        folder = Path(tempfile.mkdtemp(prefix="canary-"))
        stack.callback(shutil.rmtree, folder)
        folder.chmod(0o777)
        (folder / "secret").write_text("a secret that everybody on the machine may read\n", encoding="utf-8")
        (folder / "secret").chmod(0o666)
        sockets = [
            _listening(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            _listening(socket.AF_UNIX, socket.SOCK_STREAM, f"\0{folder.name}"),
            _listening(socket.AF_UNIX, socket.SOCK_DGRAM, str(folder / "socket")),
        ]
        for listening in sockets:
            stack.enter_context(listening)
        (folder / "socket").chmod(0o777)
        yield Bait(folder, f"mark-{secrets.token_hex(8)}", tuple(sockets), _held(folder), frozenset(_entries()))


def _listening(family: int, kind: int, address: tuple[str, int] | str) -> socket.socket:
    made = socket.socket(family, kind)
    made.setblocking(False)
    made.bind(address)
    if kind == socket.SOCK_STREAM:
        made.listen()
    return made


def _was_called(listening: socket.socket) -> bool:
    try:
        if listening.type == socket.SOCK_DGRAM:
            listening.recv(1)
        else:
            listening.accept()[0].close()
        return True
    except BlockingIOError:
        return False


def _held(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Name, mode and content of all that lies there."""
    return {
        path.name: (path.lstat().st_mode, path.read_bytes() if path.is_file() else b"") for path in folder.iterdir()
    }


def _entries() -> set[str]:
    """What lies where an attack could write, but not below it; with the time of its last change."""
    found = set()
    for folder in (*FOLDERS, Path.home(), ROOT):
        with contextlib.suppress(OSError):
            found |= {entry.path for entry in os.scandir(folder)}
    return found
