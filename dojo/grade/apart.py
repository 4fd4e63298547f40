"""A learner's module as a scenario sees it that looks at what was done: each call runs in a process of its own.

The scenario runs in a process that never runs the learner's code. For a call it forks one that does, which says what
came and what became of the objects that it was given; files are there for both to see. Nothing is left of that process
when another function is called: what a save kept to itself, no load can find.
"""

from __future__ import annotations

import builtins
import contextlib
import os
import random
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dojo.answers import Answers, Compiled
from dojo.catalog import Kata
from dojo.data import SCALARS, plain, same
from dojo.grade.leftovers import forked, new_entries, remove
from dojo.grade.loading import LINE, compiled, loaded, told
from dojo.grade.state import World
from dojo.grade.wire import BadFrame, answer, frame, opened, receive, split, understood, write
from dojo.kata import Todo, stub_of

GIVEN = ("an object that both processes have",)
"""Stands for it in what is sent."""


class Stub(Todo, NotImplementedError):
    """A stub of the learner's, for a scenario that tells it from other errors by its class."""


class Ended(RuntimeError):
    """The process of a call ended before it answered."""


class Apart:
    """Stands for the learner's module in a scenario."""

    def __init__(self, kata: Kata, source: bytes, forget: Callable[[], None]):
        self._kata = kata
        self._file: Compiled | None = None
        self._source = source
        self._forget = forget
        self._actor: Actor | None = None
        self.answers = self._look()

    def _look(self) -> Answers:
        with contextlib.closing(Actor(self._kata, self._file or self._source, self._forget, "", [])) as actor:
            said, _ = actor.ask(())
        self._file = compiled(self._kata, self._source)  # another process has outlived it
        self._names = frozenset(said["names"])
        self.CheckpointError: type[Exception] = type("CheckpointError", (Exception,), {})
        path = Path(self._kata.slug, self._kata.filename)
        return Answers(path, None, said["trouble"] or None, said["lines"], (), frozenset(said["stubs"]))

    def __getattr__(self, name: str) -> Callable[..., object]:
        if name.startswith("_") or name not in self._names:
            raise AttributeError(name)

        def call(*args: object) -> object:
            hook = sys.getprofile()
            sys.setprofile(None)  # what happens here is nothing that the learner's code does
            try:
                return self._act(name, args, hook)
            finally:
                sys.setprofile(hook)

        return call

    def _act(self, name: str, args: tuple[object, ...], hook: Any) -> object:
        """Call in a process that was forked for it, or that has done nothing since but refuse the same function."""
        objects = [arg for arg in args if type(arg) not in SCALARS and not isinstance(arg, Path)]
        actor = self._actor
        if actor is None or hook is not None or not actor.is_as_before(name, objects):
            self.end()
            actor = self._actor = Actor(self._kata, self._file or self._source, self._forget, name, objects, hook)
        try:
            said, value = actor.ask(tuple(GIVEN if any(arg is one for one in objects) else arg for arg in args))
        except BaseException:
            self.end()
            raise
        if hook is not None:
            self.end()
        match said["kind"]:
            case "value":
                return Path(value["path"]) if type(value) is dict and value.keys() == {"path"} else value
            case "todo":
                raise Stub(said["stub"], said["stub"])
        raise self._error(said)

    def _error(self, said: dict[str, Any]) -> BaseException:
        if said["given"]:
            return self.CheckpointError(said["message"])
        known = (getattr(builtins, base, None) for base in said["bases"])
        base = next(one for one in known if isinstance(one, type) and issubclass(one, BaseException))
        kind: Any = type(said["name"], (base if base is not KeyboardInterrupt else Exception,), {})
        error: BaseException = kind()
        error.args = (said["message"],)
        return error

    def end(self) -> None:
        """End the process of the last call, if there is one."""
        if self._actor is not None:
            self._actor.close()
            self._actor = None


HOST = os.getpid()


class Actor:
    """The process of a call, and the objects that both it and this process have."""

    def __init__(
        self,
        kata: Kata,
        file: Compiled | bytes,
        forget: Callable[[], None],
        name: str,
        objects: Sequence[object],
        hook: Any = None,
    ):
        self.name, self.objects, self.hook = name, list(objects), hook
        self.world = World(objects)
        self.state: object = None
        self.owner = os.getpid()
        theirs, self.requests = os.pipe()
        self.answers, ours = os.pipe()
        numbers = random.getstate()
        self.process = os.fork()
        if self.process:
            os.close(theirs)
            os.close(ours)
            return
        with forked():
            random.setstate(numbers)  # Python seeds it anew in a forked process
            os.close(self.requests)
            os.close(self.answers)
            forget()
            _serve(self, kata, file, theirs, ours)

    def is_as_before(self, name: str, objects: Sequence[object]) -> bool:
        """Whether this process, and what it was given, are just as that one has them."""
        mine = os.getpid() == self.owner and name == self.name and len(objects) == len(self.objects)
        together = mine and all(one is other for one, other in zip(objects, self.objects, strict=True))
        return together and same(self.world.told(), self.state)

    def ask(self, args: tuple[object, ...]) -> tuple[dict[str, Any], Any]:
        """What came of one call; the objects of this process become what it left. Ended where nothing came."""
        entries = new_entries(set())
        try:
            write(self.requests, frame(args))
            while True:
                said = understood(*split(receive(self.answers)), depth=100)
                if said["kind"] != "moment":
                    break
                _counter(self.hook).cell_contents()
                write(self.requests, frame(None))
            value = said.pop("value")
            if self.objects:
                self.state = value["state"]
                if not same(self.world.told(), self.state):
                    self.world.become(self.state)
            return said, value["result"]
        except (EOFError, BrokenPipeError):
            self._die_like_it()
            raise Ended("its process ended before it answered") from None
        except (BadFrame, ValueError, LookupError, TypeError) as error:
            raise Ended(f"what its process left cannot be told: {error}") from None
        finally:
            remove(new_entries(entries))

    def _die_like_it(self) -> None:
        """Where this process was forked to see what becomes of a call, what kills that one kills this one."""
        _, status = os.waitpid(self.process, 0)
        self.process = 0
        if os.getpid() != HOST and os.WIFSIGNALED(status):
            os.kill(os.getpid(), os.WTERMSIG(status))

    def close(self) -> None:
        """End it, if it is this process's own."""
        os.close(self.requests)
        os.close(self.answers)
        if self.process and os.getpid() == self.owner:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)


def _serve(actor: Actor, kata: Kata, file: Compiled | bytes, requests: int, answers: int) -> None:
    """In the forked process: run the learner's file, then answer calls of the one function."""
    mine = loaded(kata, compiled(kata, file) if isinstance(file, bytes) else file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while True:
            args = opened(receive(requests))
            if not actor.name:
                given = [name for name, value in vars(mine.module or object()).items() if _is_error(value)]
                said = told(kata, mine)
                answer(answers, {"kind": "loaded", **said, "names": [*said["names"], *given]}, {"result": None})
                continue
            objects = iter(actor.objects)
            said, result = _called(
                actor, mine, [next(objects) if arg == GIVEN else arg for arg in args], requests, answers
            )
            state = actor.world.told() if actor.objects else None
            answer(answers, said, {"result": result, "state": state})


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Exception)


def _called(actor: Actor, mine: Answers, args: list[Any], requests: int, answers: int) -> tuple[dict[str, Any], Any]:
    module: Any = mine.module
    try:
        if actor.hook is not None:
            _counter(actor.hook).cell_contents = _forwarding(requests, answers)
            sys.setprofile(actor.hook)
        try:
            value = getattr(module, actor.name)(*args)
        finally:
            sys.setprofile(None)
        return {"kind": "value"}, {"path": str(value)} if isinstance(value, Path) else plain(value)
    except BaseException as error:
        stub = stub_of(error, mine.path)
        if stub is not None:
            return {"kind": "todo", "stub": stub}, None
        bases = [base.__name__ for base in type(error).__mro__]
        given = getattr(module, "CheckpointError", ())
        said = {"name": bases[0], "bases": bases, "message": str(error)[:LINE], "given": isinstance(error, given)}
        return {"kind": "error", **said}, None


def _counter(hook: Any) -> Any:
    """What a hook of tests/faults.py calls at each moment, in a cell: another can be put in its place."""
    return hook.__closure__[hook.__code__.co_freevars.index("count")]


def _forwarding(requests: int, answers: int) -> Callable[[], None]:
    """Tell the process that looks on of a moment, and go on when it has looked; when it is gone, so is this one."""

    def count() -> None:
        try:
            answer(answers, {"kind": "moment"})
            receive(requests)
        except (EOFError, BrokenPipeError):
            os.kill(os.getpid(), signal.SIGKILL)

    return count
