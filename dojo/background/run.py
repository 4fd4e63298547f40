"""A process that judges a learner's files, for commands that import no heavy modules themselves."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from dojo.background.messages import Ended, Message, Paper, Target


def _method() -> str:
    """Return the start method: fork a server that has imported torch, or spawn where torch cannot be forked."""
    return "forkserver" if sys.platform == "linux" else "spawn"


def prepare() -> None:
    """Start the server, if there is one, so that it imports torch ahead of the first run."""
    os.environ["PYTHONSAFEPATH"] = "1"  # so that the server does not import a learner's random.py
    if _method() == "forkserver":
        multiprocessing.get_context("forkserver").set_forkserver_preload(["dojo.background.warm"])
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command only
        forkserver.ensure_running()
        signal.signal(signal.SIGINT, handler)


class Run:
    """A process that judges targets until one is not done; `hear` receives its messages."""

    def __init__(self, targets: Sequence[Target], paper: Paper, hear: Callable[[Run, Message], None]):
        self.paper = paper
        self._ended = False
        context = multiprocessing.get_context(_method())
        self._end, theirs = context.Pipe()
        # Not a daemon: a daemon may not start processes, but the learner's code may.
        self._process: BaseProcess = context.Process(target=_judge, args=(theirs, targets, paper))  # type: ignore[attr-defined]
        self._process.start()
        theirs.close()
        threading.Thread(target=self._listen, args=(hear,), daemon=True).start()

    def _listen(self, hear: Callable[[Run, Message], None]) -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                hear(self, self._end.recv())
        self._process.join()
        self._ended = True
        status = self._process.exitcode or 0
        how = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        hear(self, Ended(f"the process that judged it has ended: {how}"))

    def write(self, paper: Paper) -> None:
        """Request the report again, for a new terminal width."""
        self.paper = paper
        with contextlib.suppress(OSError):
            self._end.send(paper)

    def kill(self) -> None:
        """Kill the process, and all processes that the learner's code started in it."""
        if self._ended:
            return
        with contextlib.suppress(OSError, AttributeError):  # it may not lead its group yet; Windows has no groups
            os.killpg(self._process.pid or 0, signal.SIGKILL)
        self._process.kill()


def _judge(end: Connection, targets: Sequence[Target], paper: Paper) -> None:
    """Judge. This runs in the new process, the only one that imports heavy modules."""
    try:
        from dojo.background import child

        child.main(end, targets, paper)
    except Exception as error:  # a bug of the dojo or of a property; errors of the learner's code are in the verdict
        end.send(Ended(f"{type(error).__name__}: {error}"))
