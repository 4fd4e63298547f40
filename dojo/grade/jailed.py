"""The seam for untrusted code: each call goes to a jail, and only data comes back."""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from dojo.catalog import Kata
from dojo.grade.inside.messages import answer_in
from dojo.grade.inside.wire import BadFrame, pickled
from dojo.grade.jail.channel import Lost
from dojo.grade.jails import Jails
from dojo.seam.data import Error
from dojo.seam.learner_file import Answers, describe
from dojo.seam.parts import GONE, Ending, Part
from dojo.seam.seam import Broken, Missing, Seam, Todo

MANY = 200
"""Maximum number of calls of a batch."""
MUCH = 2**20
"""Bytes of a batch after which no more calls are added to it."""


class Request(NamedTuple):
    """A call, packed as the learner's process takes it."""

    function: str
    body: bytes


class Unclear(Exception):
    """Calls have to be made one by one: which one ended a batch is not known, or their answers are too long."""


class Jailed(Seam):
    """The seam for one kata of a submission."""

    def __init__(self, kata: Kata, source: bytes, path: str, strays: tuple[str, ...], jails: Jails):
        super().__init__(Answers(Path(path), None, strays=tuple(map(Path, strays))))
        self.kata = kata
        self.source = source
        self.jails = jails
        self.torch = "torch" not in kata.forbidden
        self.names: frozenset[str] = frozenset()
        self.opened = False
        self.asked = ""
        self.last_words = ""
        self.budget: object = None
        self.spent: defaultdict[object, float] = defaultdict(float)
        self.noted: list[Request] | None = None
        self.known: deque[tuple[bytes, bytes]] | None = None

    def begin(self, budget: object) -> None:
        """Prepare for another property. Properties with the same `budget` share their seconds and a process."""
        self.calls.clear()
        if budget != self.budget is not None:
            self.opened = False  # even a function that held may have spoiled its process
        again, self.budget, self.asked = self.budget is not None, budget, ""
        if not self.opened:
            try:
                self.open()
            except Lost:
                if not again:
                    raise
                self.open()  # what another function left behind may have ended the first one

    def open(self) -> None:
        """Run the file in a new process, after ending whatever ran in the jail before."""
        self.jails.clear(self.torch)
        told = self._ask("open", self.kata, self.source)
        path, strays = self.answers.path, self.answers.strays
        if told["kind"] != "loaded":
            self.answers = Answers(path, None, self._ended(told), strays=strays)
            return
        self.answers = Answers(path, None, told["trouble"] or None, told["lines"], strays, frozenset(told["stubs"]))
        self.names = frozenset(told["names"])
        self.opened = True

    def printed(self) -> str:
        """Return what the code has printed since the last call."""
        channel = self.jails.channels.get(self.torch)
        before, self.last_words = self.last_words, ""
        return before + (channel.take_printed() if channel else "")

    def _ended(self, told: dict[str, Any]) -> str:
        """Say why the process is gone."""
        self.opened = False
        if told["kind"] == "unreadable":
            return f"its process sent what cannot be read: {told['message']}"
        if told["status"] < 0:
            return f"its process was killed by signal {-told['status']}"
        return f"its process ended by itself, with status {told['status']}"

    def _end(self) -> None:
        """End a jail that gave no answer, and keep what it printed."""
        self.opened = False
        with contextlib.suppress(OSError):  # its pipes may be closed
            self.last_words = self.printed()
        self.jails.drop(self.torch)

    def _ask(self, what: str, *rest: object) -> dict[str, Any]:
        before = time.monotonic()
        try:
            channel = self.jails.channel(self.torch)
            channel.charge((self.kata.slug, self.budget))
            before = time.monotonic()
            return channel.ask(what, *rest, seconds=self.jails.limits.seconds - self.spent[self.budget])
        except Lost:
            self._end()
            raise
        finally:
            self.spent[self.budget] += time.monotonic() - before

    def _has(self, name: str) -> bool:
        return name in self.names

    def _outcome(
        self, name: str, uses: tuple[str, ...], scenario: Any, args: tuple[object, ...], named: dict[str, object]
    ) -> object:
        self.asked = name
        request = name, uses, scenario, args, named
        if self.noted is None and self.known is None:
            return self._understood(self._ask("ask", *request))
        alone = getattr(scenario, "returns_arguments", False)
        body = b"" if alone else pickled(request)
        if self.noted is not None:
            self.noted.append(Request(name, body))
        if self.known:
            asked, frame = self.known.popleft()
            if asked == body:
                return self._understood(self._read(frame))
        self.known = None
        return self._understood(self._ask("ask", *request))

    def _read(self, frame: bytes) -> dict[str, Any]:
        try:
            return answer_in(frame)
        except BadFrame as error:
            self._end()
            raise Lost(f"its process sent what cannot be read: {error}") from None

    @contextlib.contextmanager
    def noting(self) -> Iterator[list[Request]]:
        """Yield the list to which all calls inside are added, with an empty body if one cannot be part of a batch."""
        self.noted = noted = list[Request]()
        try:
            yield noted
        finally:
            self.noted = None

    def ahead(self, requests: Sequence[Request]) -> Iterator[bytes]:
        """Make these calls, many at once, and yield the frame of each answer. Lost as for a call, or Unclear."""
        several = len({request.function for request in requests}) > 1
        while requests:
            some, before = list(_together(requests)), self.spent[self.budget]
            self.asked = some[0].function
            try:
                told = self._ask("batch", *(request.body for request in some))
                if told["kind"] != "batch":
                    raise Lost(self._ended(told))
                if not 1 <= len(told["value"]) <= len(some):
                    self._end()
                    raise Lost("its process sent what cannot be read: other answers than those to its calls")
            except Lost:
                if several:
                    self.spent[self.budget] = before  # each call will be made alone
                    raise Unclear from None
                raise
            yield from told["value"]
            requests = requests[len(told["value"]) :]

    @contextlib.contextmanager
    def answering(self, requests: Iterable[Request], frames: Iterable[bytes]) -> Iterator[Callable[[], bool]]:
        """Answer these calls from the frames, as long as they are made inside in this order; then make each as usual.

        The yielded function returns whether these calls were made, and no others.
        """
        self.known = deque((request.body, frame) for request, frame in zip(requests, frames, strict=True))
        try:
            yield lambda: self.known is not None and not self.known
        finally:
            self.known = None

    def _part(self, name: str, uses: tuple[str, ...], part: Part) -> Ending:
        self.asked = name
        if self.noted is not None:
            self.noted.append(Request(name, b""))
        self.known = None
        told = self._ask("part", name, uses, part, self.jails.moments)
        if told["kind"] != "part":
            raise Lost(self._ended(told))
        ended, value = told["ended"], told["value"]
        files = {name: _bytes(data) for name, data in value["files"].items()}
        seen = tuple((_bytes(data), beside) for data, beside in value["seen"])
        outcome: object = None
        if ended["kind"] == "ended":
            outcome = GONE
        elif ended["kind"] != "killed":
            outcome = self._understood(ended | {"value": value["value"]})
        return Ending(outcome, ended["kind"] == "killed", files, value["moments"], seen)

    def _understood(self, told: dict[str, Any]) -> object:
        """Return the result in a message, or the Error that a call raised; raise what any other message says."""
        match told["kind"]:
            case "value":
                return told["value"]
            case "error":
                return Error(told["name"], tuple(told["bases"]), told["message"], told["line"])
            case "todo":
                error = describe(NotImplementedError(told["message"]), None)
                raise Todo(told["function"], told["stub"], replace(error, line=told["line"]))
            case "missing":
                raise Missing(told["function"])
            case "broken":
                raise Broken(told["message"])
        raise Lost(self._ended(told))


def _together(requests: Iterable[Request]) -> Iterator[Request]:
    """Yield the requests of the next batch."""
    count = length = 0
    for request in requests:
        if count == MANY or (count and length + len(request.body) > MUCH):
            return
        yield request
        count, length = count + 1, length + len(request.body)


def _bytes(data: Any) -> bytes | None:
    return None if data is None else data.numpy().tobytes()
