"""In the jail: a process that answers calls of one function of a learner's, and tells what they did to its copies."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dojo.catalog import Kata
from dojo.grade.inside.confine import confined
from dojo.grade.inside.landlock import keep_signals
from dojo.grade.inside.leftovers import fork
from dojo.grade.inside.loading import LINE, compiled, loaded, told
from dojo.grade.inside.pickling import packed, unpacked
from dojo.grade.inside.wire import BadFrame, answer, frame, opened, receive, split, understood, write
from dojo.grade.inside.world import World
from dojo.seam.data import SCALARS, plain
from dojo.seam.learner_file import Answers, Compiled, describe
from dojo.seam.seam import stub_of

Arguments = tuple[object, ...]


class Ended(RuntimeError):
    """The process of a call ended before it answered."""


class Actor:
    """The process of a function, "" for one that tells what the file holds. `leave` is called in it.

    `given` are the arguments of its only call, where they cannot be sent: it has them from its beginning.
    """

    def __init__(
        self,
        kata: Kata,
        file: Compiled | bytes,
        leave: Callable[[], None],
        name: str,
        given: Arguments | None = None,
    ):
        states = packed(())

        def serve(requests: int, answers: int) -> None:
            leave()
            _serve(kata, run(kata, file, states), name, given, requests, answers)

        self.process, self.requests, self.answers = fork(serve)

    def ask(self, args: Arguments, data: bytes | None, hook: Any = None) -> tuple[dict[str, Any], Any]:
        """What came of one call; the objects of this process become what it left. Ended where nothing came.

        data: the arguments, packed. hook: a profiler that a scenario has set. It counts moments here, while the other
        process waits: `hook.count` is called at each, and `hook.made_by` makes such a hook there.
        """
        try:
            os.killpg(self.process, signal.SIGCONT)
            write(self.requests, frame((data, hook and _made_by(hook))))
            while True:
                said = understood(*split(receive(self.answers)), depth=100)
                if said["kind"] != "moment":
                    break
                hook.count()
                write(self.requests, frame(None))
            value = said.pop("value")
            if value["state"] is not None:
                World(_objects(args)).become(value["state"])
            return said, value["result"]
        except (EOFError, BrokenPipeError, ProcessLookupError):
            raise Ended("its process ended before it answered") from None
        except (BadFrame, ValueError, LookupError, TypeError) as error:
            raise Ended(f"what its process left cannot be told: {error}") from None

    def close(self) -> None:
        """End it."""
        self.leave()
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)

    def leave(self) -> None:
        """Have nothing any more that leads to it."""
        os.close(self.requests)
        os.close(self.answers)


def run(kata: Kata, file: Compiled | bytes, states: bytes) -> Answers:
    """The learner's file run in this process, which is nobody else's from now on, with these random states after it."""
    if confined():
        keep_signals()
    mine = loaded(kata, compiled(kata, file) if isinstance(file, bytes) else file)
    unpacked(states)
    return mine


def _objects(args: Arguments) -> list[object]:
    """Those of the arguments that a call can change."""
    return [arg for arg in args if type(arg) not in SCALARS and not isinstance(arg, Path)]


def _serve(kata: Kata, mine: Answers, name: str, given: Arguments | None, requests: int, answers: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while True:
            data, made_by = opened(receive(requests))
            if not name:
                errors = list(_errors(mine))
                said = told(kata, mine)
                unchanged = {"result": None, "state": None}
                answer(answers, {"kind": "loaded", **said, "names": [*said["names"], *errors]}, unchanged)
                continue
            args = unpacked(data) if given is None else given
            world = World(_objects(args))
            hook = made_by and getattr(sys.modules[made_by[0]], made_by[1])(_forwarding(requests, answers))
            said, result = _called(mine, name, args, hook)
            state = None if _is_as_before(args, data) else world.told()
            answer(answers, said, {"result": result, "state": state})


def _errors(mine: Answers) -> dict[str, type[Exception]]:
    """The exceptions that the file itself names."""
    names = vars(mine.module) if mine.module is not None else {}
    return {name: kind for name, kind in names.items() if isinstance(kind, type) and issubclass(kind, Exception)}


def _called(mine: Answers, name: str, args: Arguments, hook: Any) -> tuple[dict[str, Any], Any]:
    try:
        sys.setprofile(hook)
        try:
            value = getattr(mine.module, name)(*args)
        finally:
            sys.setprofile(None)
        return {"kind": "value"}, {"path": str(value)} if isinstance(value, Path) else plain(value)
    except BaseException as error:
        stub = stub_of(error, mine.path)
        if stub is not None:
            return {"kind": "todo", "stub": stub}, None
        bases = list(describe(error, None).bases)
        own = next((name for name, kind in _errors(mine).items() if isinstance(error, kind)), "")
        said = {"name": bases[0], "bases": bases, "message": str(error)[:LINE], "own": own}
        return {"kind": "error", **said}, None


def _is_as_before(args: Arguments, data: bytes | None) -> bool:
    """Whether all is as it was sent. Where that cannot be said, it is told in full."""
    with contextlib.suppress(BaseException):  # a learner may have put anything there
        return packed(args) == data
    return False


def _made_by(hook: Any) -> tuple[str, str]:
    """The function that makes such a hook of what it calls at each moment: its module, and its name."""
    return hook.made_by.__module__, hook.made_by.__qualname__


def _forwarding(requests: int, answers: int) -> Callable[[], None]:
    """Tell the process that looks on of a moment, and go on when it has looked; when it is gone, so is this one."""

    def count() -> None:
        try:
            answer(answers, {"kind": "moment"})
            receive(requests)
        except (EOFError, BrokenPipeError):
            os.kill(os.getpid(), signal.SIGKILL)

    return count
