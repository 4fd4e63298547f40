"""A learner's module as a scenario sees it that looks at what was done: each function runs in a process of its own.

The scenario runs in a process that never runs the learner's code. A call is sent to the one that its function has, with
copies of the objects, and that one says what came and what became of them; files are there for both to see. What a
save keeps to itself, no load can find: its process is stopped while another function's runs.
"""

from __future__ import annotations

import builtins
import contextlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dojo.catalog import Kata
from dojo.grade.inside.function_process import Actor, Arguments, Ended, run
from dojo.grade.inside.leftovers import know_mine, remove_all_but_mine, stop_others
from dojo.grade.inside.loading import compiled
from dojo.grade.inside.pickling import packed
from dojo.seam.learner_file import Answers, Compiled
from dojo.seam.seam import Todo


class Stub(Todo, NotImplementedError):
    """A stub of the learner's, for a scenario that tells it from other errors by its class."""


class Apart:
    """Stands for the learner's module in a scenario."""

    def __init__(self, kata: Kata, source: bytes, forget: Callable[[], None]):
        know_mine()
        self._kata = kata
        self._file: Compiled | bytes = source
        self._forget = forget
        self._owner = os.getpid()
        self._actors: dict[str, Actor] = {}
        self._alone: tuple[str, Any] | None = None
        said, _ = self._asked("", (), None)
        self.end()
        self._file = compiled(kata, source)  # another process has outlived it
        self._names = frozenset(said["names"])
        for name in self._names & kata.functions.keys():  # now: later, this process knows what is to be loaded
            self._actors[name] = self._fork(name)
        self._errors: dict[str, type[Exception]] = {
            name: type(name, (Exception,), {}) for name in self._names - kata.functions.keys()
        }
        path = Path(kata.slug, kata.filename)
        self.answers = Answers(path, None, said["trouble"] or None, said["lines"], (), frozenset(said["stubs"]))

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name.startswith("_") or name not in self._names:
            raise AttributeError(name)
        if name in self._errors:
            return self._errors[name]

        def call(*args: object) -> object:
            hook = sys.getprofile()
            sys.setprofile(None)  # what happens here is nothing that the learner's code does
            try:
                return self._act(name, args, hook) if os.getpid() == self._owner else self._act_alone(name, args, hook)
            finally:
                sys.setprofile(hook)

        return call

    def _act(self, name: str, args: Arguments, hook: Any) -> object:
        """Call in the function's process."""
        said, value = self._asked(name, args, hook)
        match said["kind"]:
            case "value":
                return Path(value["path"]) if type(value) is dict and value.keys() == {"path"} else value
            case "todo":
                raise Stub(said["stub"], said["stub"])
        raise self._error(said)

    def _asked(self, name: str, args: Arguments, hook: Any) -> tuple[dict[str, Any], Any]:
        """What came of a call, while no other process of the learner's runs, and no file is left that it kept."""
        data = None
        with contextlib.suppress(Exception):  # a process that is forked for this call has what cannot be sent
            data = packed(args)
        actor = self._actors.pop(name, None) if data is not None else None
        stop_others(other.process for other in self._actors.values())
        remove_all_but_mine()
        if data is None:
            with contextlib.closing(self._fork(name, args)) as actor:
                return actor.ask(args, data, hook)
        actor = actor or self._fork(name)
        try:
            answered = actor.ask(args, data, hook)
        except BaseException:
            actor.close()  # the next call gets another one
            raise
        self._actors[name] = actor
        return answered

    def _fork(self, name: str, given: Arguments | None = None) -> Actor:
        return Actor(self._kata, self._file, self._leave, name, given)

    def _act_alone(self, name: str, args: Arguments, hook: Any) -> object:
        """Call in this process: a scenario has forked it to see how it ends, and asks no more of it than that."""
        if self._alone is None:
            states = packed(())
            self._leave()
            self._alone = name, run(self._kata, self._file, states).module
        mine, module = self._alone
        if mine != name:
            raise Ended(f"this process runs {mine}, and what it keeps is nothing for {name}")
        sys.setprofile(hook)
        value: object = getattr(module, name)(*args)
        return value

    def _leave(self) -> None:
        """In a forked process: have nothing that leads to another one."""
        self._forget()
        for actor in self._actors.values():
            actor.leave()

    def _error(self, said: dict[str, Any]) -> BaseException:
        if said["own"] in self._errors:
            return self._errors[said["own"]](said["message"])
        known = (getattr(builtins, base, None) for base in said["bases"])
        base = next(one for one in known if isinstance(one, type) and issubclass(one, BaseException))
        kind: Any = type(said["name"], (base if base is not KeyboardInterrupt else Exception,), {})
        error: BaseException = kind()
        error.args = (said["message"],)
        return error

    def end(self) -> None:
        """End all of its processes."""
        while self._actors:
            self._actors.popitem()[1].close()
