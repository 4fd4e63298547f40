"""The seam for code that is not trusted: each call goes to a jail, and what comes back is data."""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dojo.catalog import Kata
from dojo.grade.jail.channel import Channel, Lost, Unstarted
from dojo.grade.jail.jail import Jail
from dojo.grade.jail.limits import Limits
from dojo.grade.jail.payload import WORKER, imports, modules
from dojo.seam.data import Error
from dojo.seam.learner_file import Answers
from dojo.seam.seam import Broken, Missing, Seam, Todo

START = 300.0
"""Seconds for a jail to start and to import torch, on a busy machine."""
CLEARING = 10.0
"""Seconds to end processes and to remove files; a jail that takes longer is replaced."""


class Jails:
    """The jails of one submission to these katas: one with torch and one without, each started when it is needed first.

    Where they are started `ahead`, each is already importing torch for the next submission while one is at work.
    """

    def __init__(self, level: str, limits: Limits, device: str, katas: Sequence[Kata], *, ahead: bool = False):
        self.level = level
        self.imports = {False: [], True: imports([kata for kata in katas if "torch" not in kata.forbidden])}
        self.limits = limits
        self.device = device
        self.ahead = ahead
        self.channels: dict[bool, Channel] = {}
        self.next: dict[bool, tuple[Channel, str]] = {}

    def channel(self, torch: bool) -> Channel:
        """The jail for katas that need torch, or for those that forbid it; a new one where there is none any more."""
        if torch not in self.channels:
            self.prepare(torch)
            self.channels[torch], key = self.next.pop(torch)
            try:
                self.channels[torch].receive(key, seconds=START)
            except Lost as lost:
                raise Unstarted(f"a jail did not start: {lost}") from None
            if self.ahead:
                self.prepare(torch)
        return self.channels[torch]

    def prepare(self, torch: bool) -> None:
        """Start a jail, if none is ready, and do not wait for it."""
        if torch in self.next and not self.next[torch][0].jail.alive():  # they are the first to go without memory
            self.next.pop(torch)[0].jail.kill()
        if torch not in self.next:
            jail = Jail(
                self.level,
                torch=torch,
                modules=modules(self.imports[torch]),
                main=f"{WORKER}:main",
                limits=self.limits,
                device=self.device,
            )
            channel = Channel(jail, self.limits)
            self.next[torch] = channel, channel.send("import", *self.imports[torch])

    def clear(self, torch: bool) -> None:
        """End what ran in a jail before, and remove its files. A jail where that fails is ended."""
        if torch in self.channels:
            try:
                self.channels[torch].charge(None)  # it is no fault of the function that comes next
                self.channels[torch].ask("close", seconds=CLEARING)
            except Lost:
                self.drop(torch)

    def drop(self, torch: bool) -> None:
        """End a jail, with all that is in it."""
        if torch in self.channels:
            self.channels.pop(torch).jail.kill()

    def end(self) -> None:
        """End all that a submission was in; what is ready for the next one stays."""
        for torch in list(self.channels):
            self.drop(torch)

    def close(self) -> None:
        """End them all."""
        self.end()
        while self.next:
            self.next.popitem()[1][0].jail.kill()


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

    def begin(self, budget: object) -> None:
        """Judge another property; those with the same `budget` have their seconds together, and a process."""
        self.calls.clear()
        if budget != self.budget is not None:
            self.opened = False  # a function may have held so far, and have spoiled its process for the next one
        again, self.budget, self.asked = self.budget is not None, budget, ""
        if not self.opened:
            try:
                self.open()
            except Lost:
                if not again:
                    raise
                self.open()  # what another function had left may have ended that one

    def open(self) -> None:
        """Have the file run in a process of its own; whatever ran there before is gone."""
        self.jails.clear(self.torch)
        told = self._ask("open", self.kata, self.source)
        if told["kind"] == "died":
            self.answers = Answers(self.answers.path, None, self._died(told), strays=self.answers.strays)
            return
        try:
            trouble, names, stubs, lines = told["trouble"], told["names"], told["stubs"], told["lines"]
            if not all(type(text) is str for text in [trouble, *names, *stubs, *lines]):
                raise TypeError
            if not all(type(line) is int for line in lines.values()):
                raise TypeError
        except (KeyError, TypeError, AttributeError):
            raise self._lost("its process sent what cannot be read") from None
        path, strays = self.answers.path, self.answers.strays
        self.answers = Answers(path, None, trouble or None, lines, strays, frozenset(stubs))
        self.names = frozenset(names)
        self.opened = True

    def printed(self) -> str:
        """What the code has printed since this was asked last."""
        channel = self.jails.channels.get(self.torch)
        before, self.last_words = self.last_words, ""
        return before + (channel.take_printed() if channel else "")

    def _died(self, told: dict[str, Any]) -> str:
        status = told.get("status")
        self.opened = False
        if type(status) is int and status < 0:
            return f"its process was killed by signal {-status}"
        return f"its process ended by itself, with status {status}" if type(status) is int else "its process is gone"

    def _lost(self, reason: str) -> Lost:
        self.opened = False
        with contextlib.suppress(OSError):  # its pipes may be closed
            self.last_words = self.printed()
        self.jails.drop(self.torch)
        return Lost(reason)

    def _ask(self, what: str, *rest: object) -> dict[str, Any]:
        before = time.monotonic()
        try:
            channel = self.jails.channel(self.torch)
            channel.charge((self.kata.slug, self.budget))
            before = time.monotonic()
            return channel.ask(what, *rest, seconds=self.jails.limits.seconds - self.spent[self.budget])
        except Lost as lost:
            raise self._lost(str(lost)) from None
        finally:
            self.spent[self.budget] += time.monotonic() - before

    def _has(self, name: str) -> bool:
        return name in self.names

    def _outcome(
        self, name: str, uses: tuple[str, ...], scenario: Any, args: tuple[object, ...], named: dict[str, object]
    ) -> object:
        self.asked = name
        told = self._ask("ask", name, uses, scenario, args, named)
        match told:
            case {"kind": "value", "value": value}:
                return value
            case {"kind": "error", "name": str() as kind, "bases": list() as bases, "message": str() as message}:
                line = told.get("line")
                if all(type(base) is str for base in bases):
                    return Error(kind, tuple(bases), message, line if type(line) is int else None)
            case {"kind": "todo", "function": str() as function, "stub": str() as stub}:
                raise Todo(function, stub)
            case {"kind": "missing", "function": str() as function}:
                raise Missing(function)
            case {"kind": "broken", "message": str() as message}:
                raise Broken(message)
            case {"kind": "died"}:
                raise Lost(self._died(told))
        raise self._lost("its process sent what cannot be read")
