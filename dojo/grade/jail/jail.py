"""A process that runs untrusted code with access only to what it may use."""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import select
import signal
import socket
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

from dojo.catalog import ROOT
from dojo.forbidden import TABLE
from dojo.grade.inside import landlock
from dojo.grade.inside.reaper import descendants
from dojo.grade.jail import bubblewrap, syscalls, uids, usage
from dojo.grade.jail.boot import BOOT, SHELL, environment_of, inside, rlimits, spawner
from dojo.grade.jail.limits import Limits
from dojo.grade.jail.runtime import Runtime, runtime, sites, torch_parts
from dojo.grade.jail.scratch import NoJail as NoJail
from dojo.grade.jail.scratch import barrier, lock_of, reachable, release, scratch
from dojo.grade.jail.usage import Usage as Usage

REFER_IN = 2
"""The first version of Landlock that can allow moving files between folders, as a right answer may."""
TRUNCATE_IN = 3
"""The first version of Landlock that restricts truncation, needed where no namespace hides files."""


class Jail:
    """A process in a jail. It starts at once, and ends with `kill`, or with this process.

    level: userns, root, basic or none. torch: whether torch can be imported. modules: Python sources by dotted names,
    the only files of this project inside. main: `module:function`, called with the other ends of `requests` and
    `answers`. requests, answers, out, err: descriptors to write requests to, and to read the rest from.
    """

    def __init__(
        self,
        level: str,
        *,
        torch: bool,
        modules: dict[str, str],
        main: str,
        limits: Limits = Limits(),  # noqa: B008  # frozen
        device: str = "cpu",
    ):
        self.level = level
        self.limits = limits
        self._folder: Path | None = None
        self._uid = 0
        self._uid_lock: socket.socket | None = None
        self._lifeline = -1
        self._first: int | None = None
        self._theirs: list[int] = []
        self._ours: list[int] = []
        self._process: subprocess.Popen[bytes] | None = None
        _check(level)
        self.bubble = level in ("userns", "root")
        try:
            self._start(torch, modules, main, device)
        except BaseException:
            self.kill()
            raise
        finally:
            for descriptor in self._theirs:
                os.close(descriptor)

    def _start(self, torch: bool, modules: dict[str, str], main: str, device: str) -> None:
        if os.geteuid() == 0 and self.level != "none":
            self._uid, self._uid_lock = uids.take()
        python = runtime(other_user=self._uid > 0)
        requests, self.requests = self._pipe(read=True)
        answers, self.answers = self._pipe(read=False)
        stdout, self.out = self._pipe(read=False)
        stderr, self.err = self._pipe(read=False)
        spec = {
            **inside(modules),
            "main": main,
            "requests": requests,
            "answers": answers,
            "filter": syscalls.program() if self.level != "none" else b"",
            "last": syscalls.last() if self.level != "none" else b"",
            "rlimits": rlimits(self.limits, torch=torch) if device != "cuda" else [],  # CUDA needs unlimited addresses
            "absent": [] if torch else list(TABLE["torch"].modules),
        }
        passed = [requests, answers]
        if self.bubble:
            spec |= self._bubblewrap_spec(torch)
            options = bubblewrap.arguments(
                self.level,
                python,
                torch=torch,
                files=self.limits.files,
                environment=environment_of(python, bubblewrap.WORK),
            )
            arguments = self._memory(b"".join(b"%s\0" % os.fsencode(argument) for argument in options))
            passed += [arguments, *self._info()]
            command = ["/bin/sh", "-c", SHELL, bubblewrap.program(), "--args", str(arguments)]
            command += ["--info-fd", str(passed[-1]), "--", f"{bubblewrap.PYTHON}/bin/python"]
            environment: dict[str, str] = {}
        else:
            alone, held = self._plain_spec(python, torch)
            spec |= alone
            passed += [alone["lifeline"], *held]
            command = ["/bin/sh", "-c", SHELL, str(python.program)]
            environment = environment_of(python, alone["work"], device)
        stdin = self._memory(marshal.dumps(spec))
        self._process = spawner(os.getpid())(
            [*command, "-s", "-P", "-S", "-B", "-X", "utf8", "-c", BOOT],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=passed,
            env=environment,
            cwd="/",
            start_new_session=True,
            # Before bubblewrap starts: with --uid it would still read what root may read.
            **(
                {"user": self._uid, "group": self._uid, "extra_groups": []}
                if self.level == "userns" and self._uid
                else {}
            ),
        )

    def _bubblewrap_spec(self, torch: bool) -> dict[str, Any]:
        return {
            "lifeline": -1,
            "namespaces": True,
            "uid": self._uid if self.level == "root" else 0,
            "read": bubblewrap.readable(),
            "hidden": bubblewrap.absent(torch),
            "listed": [f"{bubblewrap.PACKAGES}{place}" for place in range(len(sites()))],
            "sites": [f"{bubblewrap.PACKAGES}{place}" for place in range(len(sites()))],
            "devices": [f"/dev/{name}" for name in bubblewrap.DEVICES],
            "write": [bubblewrap.WORK],
            "work": bubblewrap.WORK,
            "environment": {},
        }

    def _plain_spec(self, python: Runtime, torch: bool) -> tuple[dict[str, Any], list[int]]:
        """Describe a jail without namespaces, by the machine's own paths; also return the descriptors of its locks."""
        self._folder = scratch()
        work = self._folder / "work"
        work.mkdir(mode=0o700)
        os.chown(work, self._uid or -1, self._uid or -1)
        end, self._lifeline = os.pipe()
        self._theirs.append(end)
        held = [lock_of(self._folder), *([self._uid_lock.fileno()] if self._uid_lock else [])]
        libraries = {os.path.realpath(path) for path in bubblewrap.LIBRARIES if os.path.isdir(path)}
        read = [*libraries, "/etc/ld.so.cache", *bubblewrap.FACTS, str(python.lib), *map(str, sites())]
        hidden = [python.stdlib / "site-packages", ROOT, *(() if torch else torch_parts())]
        listed = [str(python.stdlib), *map(str, sites())]
        return {
            "lifeline": end,
            "held": held,
            "namespaces": False,
            "uid": self._uid,
            "folder": str(self._folder),
            "read": [path for path in read if os.path.exists(path)] if self.level != "none" else [],
            "hidden": [str(path) for path in hidden if not any(path == site for site in sites())],
            "listed": listed,
            "sites": [str(site) for site in sites()],
            "devices": [f"/dev/{name}" for name in bubblewrap.DEVICES],
            "write": [str(work)],
            "work": str(work),
            "environment": {},
        }, held

    def _pipe(self, *, read: bool) -> tuple[int, int]:
        """Open a pipe; return the jail's end, to read from or to write to, and the end of this process."""
        reading, writing = os.pipe()
        theirs, ours = (reading, writing) if read else (writing, reading)
        self._theirs.append(theirs)
        self._ours.append(ours)
        return theirs, ours

    def _memory(self, data: bytes) -> int:
        """Return a descriptor to read this data from."""
        descriptor = os.memfd_create("jail")
        self._theirs.append(descriptor)
        with open(descriptor, "wb", closefd=False) as file:
            file.write(data)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    def _info(self) -> list[int]:
        """Return the descriptor to which bubblewrap writes the pid of the first process inside."""
        theirs, self._about = self._pipe(read=False)
        os.set_blocking(self._about, False)
        return [theirs]

    def alive(self) -> bool:
        """Return whether its main is still running."""
        self._find_first()
        return self._process is not None and self._process.poll() is None

    def usage(self) -> Usage:
        """Return what all of its processes use together."""
        if self._process is None:
            return Usage(0, 0, 0, 0)
        self._find_first()
        every = descendants(self._process.pid)
        inside = every[1:] if self.bubble else every
        buffers = usage.buffers(inside)
        memory = usage.memory(inside) + buffers
        if memory > self.limits.memory:
            memory = usage.shared_memory(inside) + buffers
        if self.bubble:
            files = usage.mounted(every[0], bubblewrap.WORK) if every else 0
        else:
            files = usage.folder(self._folder / "work", inside) if self._folder else 0
        return Usage(memory, usage.cpu(every), files, len(inside))

    def kill(self) -> None:
        """Kill every process in it, remove its files, and return when all are gone."""
        if self._process is not None:
            if self.bubble:
                self._kill_first()
            elif self._lifeline >= 0:
                os.close(self._lifeline)
                self._lifeline = -1
            self._process.wait()
            self._process = None
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        while self._ours:
            os.close(self._ours.pop())
        if self._folder is not None:
            release(self._folder)
            self._folder = None
        if self._uid_lock is not None:
            self._uid_lock.close()
            self._uid_lock = None

    def _find_first(self) -> None:
        """Open a pidfd of the first process inside while bubblewrap lives, before the pid can be reused."""
        if self.bubble and self._first is None and self._process is not None and self._process.poll() is None:
            with contextlib.suppress(OSError, ValueError):  # it has not written the pid yet
                self._first = os.pidfd_open(json.loads(os.read(self._about, 4096))["child-pid"])

    def _kill_first(self) -> None:
        """Kill the first process inside: the kernel reaps it only after all others, and then bubblewrap ends."""
        assert self._process is not None
        self._find_first()
        if self._first is None:
            self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._first, signal.SIGKILL)
        select.select([self._first], [], [])
        os.close(self._first)
        self._first = None

    def __enter__(self) -> Jail:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.kill()


def _check(level: str) -> None:
    """Raise NoJail if a precondition of this level is missing."""
    if level not in ("userns", "root", "basic", "none"):
        raise NoJail(f"there is no level {level!r}")
    if level in ("root", "basic") and os.geteuid() != 0:
        raise NoJail("only root can start a process as another user")
    if level in ("userns", "root"):
        bubblewrap.program()
    if level == "none":
        return
    try:
        syscalls.program()
    except (ImportError, OSError) as error:
        raise NoJail(f"seccomp is missing: {error}") from None
    try:
        landlock_version = landlock.version()
    except OSError as error:
        raise NoJail(f"Landlock is missing: {error}") from None
    if landlock_version < REFER_IN:
        raise NoJail("Landlock of this kernel cannot allow moves of files into another folder: Linux 5.19 or later can")
    if level == "basic" and landlock_version < TRUNCATE_IN:
        raise NoJail("Landlock of this kernel cannot refuse to truncate files: Linux 6.2 or later can")
    if os.geteuid() == 0 and level != "root":
        for site in sites():
            if not reachable(site):
                raise NoJail(f"torch lies under {barrier(site)}, which another user may not enter")
            if level == "basic" and ROOT.is_relative_to(site):
                raise NoJail(f"{ROOT} lies in {site}, which the jail has to read")
