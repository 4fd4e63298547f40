"""In the jail: run one part of a program in a process that is gone with all its children before its files are read."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from dojo.grade.inside import landlock, moments, namespaces
from dojo.grade.inside.confine import confine_no_further, confined
from dojo.grade.inside.leftovers import end_others, fork
from dojo.grade.inside.messages import answer_to
from dojo.grade.inside.printed import Printed
from dojo.grade.inside.wire import HEAD, BadFrame, lengths, split
from dojo.seam import faults
from dojo.seam.faults import Fault, Kind, Look
from dojo.seam.parts import Files, put, taken

Serve = Callable[[int, faults.Moments], None]
"""Runs the learner's code, and writes the outcome to the descriptor."""
WATCHED = (Kind.KILLED, Kind.WATCHED)


class Process:
    """The process of one part: its folder, the fault that it meets, and its outcome.

    key: the id of its answer. program: the filter by which the kernel stops it at each change of a file, b"" if Python
    counts the moments.
    """

    def __init__(self, key: str, files: Files, fault: Fault, program: bytes):
        self.key = key
        self.printed = Printed()
        self.fault = fault
        self.program = program if fault.kind in WATCHED else b""
        memory = "/dev/shm"  # if it exists, another file system than that of temporary files
        self.folder = Path(tempfile.mkdtemp(prefix="dojo-", dir=memory if os.access(memory, os.W_OK) else None))
        self.count = 0
        self.seen: dict[Look, None] = {}
        self.killed = False
        put(self.folder, files)

    def run(self, forget: Callable[[], None], serve: Serve, woken: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Run it; return a message that says how it ended, and a value with its result and what it left.

        forget: called first in the process. woken: becomes readable when a child ends. BadFrame if it has sent, and
        Failed or OSError if it has left, something that cannot be transferred.
        """

        def start(_: int, answers: int) -> None:
            forget()
            self.printed.take(answers)
            if confined():
                landlock.keep_signals()
                if self.fault.kind == Kind.UNWRITABLE:
                    landlock.restrict_making()
            elif self.fault.kind == Kind.UNWRITABLE:
                faults.drop_privileges()
            confine_no_further()
            os.chdir(self.folder)
            faults.limit(self.fault)
            if self.fault.kind == Kind.KILLED_IN_WRITE:
                namespaces.end_at(signal.SIGXFSZ)
            by_python = faults.Moments(Fault() if self.program else self.fault, self.folder)
            serve(answers, by_python)

        unconfined = self.fault.kind == Kind.UNWRITABLE and not confined()
        with faults.unwritable(self.folder) if unconfined else contextlib.nullcontext():
            process, answers, listener = self._forked(start)
            self.printed.keep()
            try:
                told, status = self._followed(process, answers, listener, woken)
            finally:
                end_others(process)
                self.printed.close()
                for descriptor in (answers, *([listener] if listener >= 0 else [])):
                    os.close(descriptor)
        return self._ending(told, status)

    def _forked(self, start: Callable[[int, int], None]) -> tuple[int, int, int]:
        """Fork it; return its pid, a descriptor for its answer, and one for its calls that change a file, or -1."""
        answers = -1

        def fork_it() -> int:
            nonlocal answers
            process, requests, answers = fork(start)
            os.close(requests)
            return process

        process, listener = moments.fork(self.program, fork_it) if self.program else (fork_it(), -1)
        return process, answers, listener

    def _followed(self, process: int, answers: int, listener: int, woken: int) -> tuple[bytes | None, int]:
        """Wait for its end; return the frame that it has sent, or None, and its status, negative for a signal."""
        received, listening = bytearray(), [listener] if listener >= 0 else []
        done = False
        while not done:
            ready, _, _ = select.select([answers, woken, *listening, *self.printed.ends], [], [])
            if listener in ready and moments.waits(listener):
                moments.meet(listener, lambda: self._meet(process))
            elif listener in ready:
                listening = []  # no process is left that could call
            self.printed.pass_on()
            if answers in ready:
                part = os.read(answers, 2**18)
                received += part
                done = not part or _is_whole(received)
            elif woken in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(woken, 4096)
                done = os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        ended = os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
        assert ended is not None
        status = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        return (bytes(received) if _is_whole(received) else None), status

    def _meet(self, process: int) -> bool:
        """Do what the fault says at this moment; return whether the process continues."""
        if self.fault.kind == Kind.WATCHED:
            self.seen[faults.look(self.folder, self.fault.name)] = None
        elif self.count == self.fault.number:
            self.killed = True
            os.kill(process, signal.SIGKILL)
            return False
        self.count += 1
        return True

    def _ending(self, told: bytes | None, status: int) -> tuple[dict[str, Any], dict[str, Any]]:
        killed = self.killed or status < 0
        ended: dict[str, Any] = {"kind": "killed" if killed else "ended"}
        value = None
        if told is not None and not self.killed:
            ended = answer_to("act", *split(told))
            value = ended.pop("value")
            if ended.pop("id") != self.key:
                raise BadFrame("an answer that nobody had asked for")
        return {"kind": "part", "ended": ended}, left(value, taken(self.folder), self.count, self.seen)


def left(value: object, files: Files, moments: int, seen: Iterable[Look]) -> dict[str, Any]:
    """Return what a part has left, as it crosses the seam."""
    looks = [[_tensor(data), beside] for data, beside in seen]
    return {
        "value": value,
        "files": {name: _tensor(data) for name, data in files.items()},
        "moments": moments,
        "seen": looks,
    }


def _is_whole(received: bytearray) -> bool:
    """Return whether this is a whole frame; BadFrame if it is more than one."""
    if len(received) < HEAD.size:
        return False
    wanted = HEAD.size + sum(lengths(bytes(received[: HEAD.size])))
    if len(received) > wanted:
        raise BadFrame("more than one answer")
    return len(received) == wanted


def _tensor(data: bytes | None) -> Any:
    """Return bytes as they cross the seam."""
    if data is None:
        return None
    import torch  # which not every jail has

    from dojo.seam.tensors import of_bytes

    return of_bytes(torch.uint8, (len(data),), data)
