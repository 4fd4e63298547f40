"""Where a grader's CPU time goes: the judge, starting jails, the process between judge and learner, and learners' code.

The process between the two can be told from others only at the level userns, where bubblewrap starts it.
"""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass

import psutil

EVERY = 0.1
"""Seconds between two samples."""
JUDGING, STARTING, BETWEEN, LEARNERS = "judging", "jails that start", "between both", "learners' code"
ROWS = (JUDGING, STARTING, BETWEEN, LEARNERS)


@dataclass
class Seen:
    """CPU seconds of a process: its own, its own before its first fork, and those of all children it has waited for."""

    kind: str
    own: float = 0.0
    before: float = 0.0
    waited_for: float = 0.0


class Watch(threading.Thread):
    """Samples a process and its descendants until `end`. What a process uses after its last sample is missed."""

    def __init__(self, pid: int):
        super().__init__(daemon=True)
        self.root = psutil.Process(pid)
        self.seen: dict[psutil.Process, Seen] = {}
        self.ended = threading.Event()

    def run(self) -> None:
        """Take samples until `end` is called."""
        while not self.ended.wait(EVERY):
            with contextlib.suppress(psutil.NoSuchProcess):
                for process in [self.root, *self.root.children(recursive=True)]:
                    with contextlib.suppress(psutil.NoSuchProcess):
                        self._look(process)

    def _look(self, process: psutil.Process) -> None:
        seen = self.seen.get(process) or self.seen.setdefault(process, Seen(_kind(process)))
        times = process.cpu_times()
        seen.own, seen.waited_for = times.user + times.system, times.children_user + times.children_system
        if not seen.waited_for and not process.children():
            seen.before = seen.own

    def end(self) -> dict[str, float]:
        """Stop, and return the CPU seconds of each of ROWS."""
        self.ended.set()
        self.join()
        total = dict.fromkeys(ROWS, 0.0)
        for seen in self.seen.values():
            if seen.kind == BETWEEN:
                total[STARTING] += seen.before
                total[BETWEEN] += seen.own - seen.before
                total[LEARNERS] += seen.waited_for
            elif seen.kind:
                total[seen.kind] += seen.own
        return total


def _kind(process: psutil.Process) -> str:
    """Return what a process does, or "" if its time is counted by the process between that waits for it."""
    if process.name() == "bwrap":
        return STARTING
    above = process.parents()
    if not any(one.name() == "bwrap" for one in above):
        return JUDGING
    return BETWEEN if above[0].name() == "bwrap" else ""
