"""In the jail: the host, which the judge talks to, and for each kata a process that runs the learner's code.

The host never runs any of the learner's code. It forks the learner's process, passes frames on, and reports when that
process has ended. Whatever the learner's code does to its own process ends with that process.

No forked process can use CUDA once the host has. If answers are judged on CUDA, the host computes nothing, has no
tensors and passes on every request. The learner's process could then lie, so only the level none, which trusts what it
runs, does so.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import os
import select
import signal
import sys
from typing import Any, NoReturn

from dojo.catalog import Kata
from dojo.grade.inside import parts
from dojo.grade.inside.device import trouble_with
from dojo.grade.inside.forbidden_torch import look_up
from dojo.grade.inside.learner import Learner, Told, outcome
from dojo.grade.inside.leftovers import Unclean, clean, end_others, fork, reap
from dojo.grade.inside.lending import Lender, shared
from dojo.grade.inside.loading import LINE, compiled, loaded
from dojo.grade.inside.messages import answer_to
from dojo.grade.inside.printed import Printed
from dojo.grade.inside.wire import BadFrame, answer, frame, heading, opened, receive, split, write
from dojo.seam.faults import Moments
from dojo.seam.hash_seed import hash_for
from dojo.seam.learner_file import Compiled
from dojo.seam.local import Local
from dojo.seam.parts import Failed, Part
from dojo.seam.seam import Broken


def main(requests: int, answers: int) -> None:
    """Serve the judge until it closes its end."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # what is printed comes before the answer
    with contextlib.suppress(EOFError, BrokenPipeError, Unclean):
        Host(requests, answers).serve()


class Ended(Exception):
    """The learner's process has ended."""

    def __init__(self, status: int):
        self.status = status


class Refused(Exception):
    """The learner's process has answered with something other than a value."""

    def __init__(self, told: bytes):
        self.told = told


class Host:
    """The process that the judge talks to. `learner` is the pid of the open kata's process, or 0."""

    def __init__(self, requests: int, answers: int):
        self.requests = requests
        self.answers = answers
        self.learner = 0
        self.kata: Kata | None = None
        self.source = b""  # of the kata that is open
        self.file: Compiled | None = None  # compiled here once another process has survived compiling it
        self.between_parts = False
        self.computes = True  # here too, and not only in the learner's process
        self.memory: Any = None  # memory shared with the learner's process, if there is one
        self.printed: Printed | None = None  # what that process prints
        self.woken, wake = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> NoReturn:
        """Answer each request: open or close a kata, or answer what is asked of its process."""
        while True:
            data = receive(self.requests)
            key, what = heading(data)
            passes = what == "batch" or not self.computes
            rest = () if passes and what not in ("import", "open") else opened(data)[2:]
            if what == "import":
                answer(self.answers, {"id": key, **self.prepare(*rest)})
                continue
            if what in ("open", "close"):
                self.close()
            if what == "open":
                self.open(*rest)
            if what in ("ask", "batch") and self.between_parts and self.kata is not None:
                self.open(self.kata, self.source)
            if what == "part" and self.computes:
                answer(self.answers, *self.part(key, *rest))
            elif self.learner and self.computes and what == "ask" and getattr(rest[2], "returns_arguments", False):
                self.look_on(key, *rest[:4])
            elif self.learner:
                self.pass_on(key, data)
            elif what == "close":
                answer(self.answers, {"id": key, "kind": "done"})
            else:
                answer(self.answers, {"id": key, "kind": "died", "status": 0})

    def prepare(self, device: str, *modules: str) -> dict[str, Any]:
        """Import what each forked process needs; report whether such a process can use this device."""
        self.computes = device == "cpu"
        gc.disable()  # imports make many objects and hardly any garbage
        for name in modules:
            module = importlib.import_module(name)
            if self.computes:
                getattr(module, "warm_up", int)()
        gc.collect()
        gc.freeze()  # forked processes need not copy what they do not touch
        gc.enable()
        trouble = "" if self.computes else trouble_with(device)
        return {"kind": "broken", "message": trouble} if trouble else {"kind": "done"}

    def open(self, kata: Kata, source: bytes) -> None:
        """Fork the process in which this kata's answers run."""
        self.kata, self.source, self.file, self.between_parts = kata, source, None, False
        self.memory = shared()
        self.printed = printed = Printed()
        look_up(kata.forbidden)

        def serve(requests: int, answers: int) -> None:
            self.forget()
            printed.take(requests, answers)
            Learner(kata, source, self.memory, requests, answers).serve()

        self.learner, self.to_learner, self.from_learner = fork(serve)
        printed.keep()

    def forget(self) -> None:
        """In a forked process: close all descriptors of this one that lead to the judge."""
        for mine in (self.requests, self.answers, self.woken, signal.set_wakeup_fd(-1)):
            with contextlib.suppress(OSError):
                os.close(mine)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)

    def part(self, key: str, name: str, uses: tuple[str, ...], part: Part, program: bytes) -> Told:
        """Run one part of a program, after ending what ran before and removing its files; return the outcome."""
        self.close()
        assert self.kata is not None
        self.between_parts = True
        kata, file = self.kata, self.file or compiled(self.kata, self.source)
        self.file = file

        def serve(answers: int, moments: Moments) -> None:
            seam = Local(loaded(kata, file, hash_for(part.files)), kata.forbidden)

            def watched(module: Any, *given: object) -> object:
                return part.function(moments.during(module), *given)

            message, value = outcome(functools.partial(seam._outcome, name, uses, watched, part.args, {}))
            answer(answers, {"id": key, **message}, value)

        try:
            message, value = parts.Process(key, part.files, part.fault, program).run(self.forget, serve, self.woken)
        except (BadFrame, Failed, OSError) as error:
            message, value = {"kind": "unreadable", "message": str(error)[:LINE]}, None
        self.close()
        return {"id": key, **message}, value

    def look_on(self, key: str, name: str, uses: tuple[str, ...], scenario: Any, args: tuple[Any, ...]) -> None:
        """Run a scenario that returns its arguments in this process, where the learner's code cannot lie about them."""

        def ask(asked: str, arguments: list[Any]) -> object:
            told = self.exchange(frame((key, "lend", name, uses, asked, arguments)))
            message = answer_to("lend", *split(told))
            if message["id"] != key:
                raise BadFrame("an answer that nobody had asked for")
            if message["kind"] != "value":
                raise Refused(told)
            return message["value"]

        try:
            lender = Lender(self.memory, ask)
            answer(self.answers, {"id": key, "kind": "value"}, lender.left(scenario(lender, *args)))
        except Broken as broken:
            answer(self.answers, {"id": key, "kind": "broken", "message": str(broken)[:LINE]})
        except Refused as refused:
            write(self.answers, refused.told)
        except BadFrame as error:
            self.refuse(key, error)
        except Ended as ended:
            self.tell_end(key, ended.status)

    def pass_on(self, key: str, data: bytes) -> None:
        """Pass the frame to the learner's process, and its answer to the judge, or report that it is gone."""
        try:
            write(self.answers, self.exchange(data))
        except BadFrame as error:
            self.refuse(key, error)
        except Ended as ended:
            self.tell_end(key, ended.status)

    def exchange(self, data: bytes) -> bytes:
        """Send a frame to the learner's process, and return the answer; Ended if the process has ended."""
        assert self.printed is not None
        try:
            write(self.to_learner, data)
            while True:
                ready, _, _ = select.select([self.from_learner, self.woken, *self.printed.ends], [], [])
                told = receive(self.from_learner, trusted=False) if self.from_learner in ready else b""
                self.printed.pass_on()
                if told:
                    return told
                with contextlib.suppress(BlockingIOError):
                    os.read(self.woken, 4096)
                status = reap(self.learner)
                if status is not None:
                    raise Ended(status)
        except (EOFError, BrokenPipeError):
            os.kill(self.learner, signal.SIGKILL)
            raise Ended(os.waitpid(self.learner, 0)[1]) from None

    def refuse(self, key: str, error: BadFrame) -> None:
        """End the learner's process, which has sent what cannot be read."""
        self.close()
        answer(self.answers, {"id": key, "kind": "unreadable", "message": str(error)[:LINE]})

    def tell_end(self, key: str, status: int) -> None:
        """Tell the judge that the learner's process has ended."""
        self.learner = 0
        self.close()
        answer(self.answers, {"id": key, "kind": "died", "status": os.waitstatus_to_exitcode(status)})

    def close(self) -> None:
        """End the processes that the open kata has left, and remove its files."""
        end_others(self.learner)
        if self.printed is not None:
            self.printed.close()
        self.learner, self.memory, self.printed = 0, None, None
        gc.collect()  # so that no process of another function has that memory
        for name in ("to_learner", "from_learner"):
            if name in vars(self):
                os.close(vars(self).pop(name))
        clean()
