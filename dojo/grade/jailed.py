"""The seam for untrusted code: each call goes to a jail, and only data comes back."""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dojo.catalog import Kata
from dojo.grade.jail import syscalls
from dojo.grade.jail.channel import Channel, Lost, Unstarted
from dojo.grade.jail.jail import Jail
from dojo.grade.jail.limits import Limits
from dojo.grade.jail.payload import WORKER, imports, modules
from dojo.seam.data import Error
from dojo.seam.learner_file import Answers, describe
from dojo.seam.parts import GONE, Ending, Part
from dojo.seam.seam import Broken, Missing, Seam, Todo

START = 300.0
"""Seconds for a jail to start and to import torch, on a busy machine."""
ANY = 2**62
"""A memory limit in bytes that nothing reaches."""
CLEARING = 10.0
"""Seconds to end processes and to remove files; a jail that takes longer is replaced."""


class Jails:
    """The jails of one submission to these katas: one with torch and one without, each started when first needed.

    With `ahead`, a spare of each starts and runs its imports for the next submission while the first is in use.
    """

    def __init__(self, level: str, limits: Limits, device: str, katas: Sequence[Kata], *, ahead: bool = False):
        self.level = level
        self.imports = {torch: imports(katas, torch=torch) for torch in (False, True)}
        self.limits = limits if device != "cuda" else replace(limits, memory=ANY)  # CUDA takes as much as it likes
        self.device = device
        self.ahead = ahead
        self.channels: dict[bool, Channel] = {}
        self.next: dict[bool, tuple[Channel, str]] = {}
        try:
            self.moments = syscalls.moments()
        except (ImportError, OSError):  # then only the level none works, which trusts what it runs
            self.moments = b""

    def channel(self, torch: bool) -> Channel:
        """Return the channel to the jail with or without torch, in a new jail if there is none any more."""
        if torch not in self.channels:
            self.prepare(torch)
            self.channels[torch], key = self.next.pop(torch)
            try:
                told = self.channels[torch].receive(key, seconds=START)
            except Lost as lost:
                raise Unstarted(f"a jail did not start: {lost}") from None
            if told["kind"] == "broken":
                raise Unstarted(f"code in a process of its own cannot use {self.device}: {told['message']}")
            if self.ahead:
                self.prepare(torch)
        return self.channels[torch]

    def prepare(self, torch: bool) -> None:
        """Start a jail if none is ready, without waiting for it."""
        if torch in self.next and not self.next[torch][0].jail.alive():  # if memory runs out, jails are killed first
            self.next.pop(torch)[0].jail.kill()
        if torch not in self.next:
            device = self.device if torch else "cpu"
            jail = Jail(
                self.level,
                torch=torch,
                modules=modules(self.imports[torch]),
                main=f"{WORKER}:main",
                limits=self.limits,
                device=device,
            )
            channel = Channel(jail, self.limits)
            self.next[torch] = channel, channel.send("import", device, *self.imports[torch])

    def clear(self, torch: bool) -> None:
        """End what ran in a jail before, and remove its files. If that fails, end the jail."""
        if torch in self.channels:
            try:
                self.channels[torch].charge(None)  # do not charge the next function for it
                self.channels[torch].ask("close", seconds=CLEARING)
            except Lost:
                self.drop(torch)

    def drop(self, torch: bool) -> None:
        """End a jail and everything in it."""
        if torch in self.channels:
            self.channels.pop(torch).jail.kill()

    def end(self) -> None:
        """End the jails of this submission. Those that are ready for the next one stay."""
        for torch in list(self.channels):
            self.drop(torch)

    def close(self) -> None:
        """End all jails."""
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
        return self._understood(self._ask("ask", name, uses, scenario, args, named))

    def _part(self, name: str, uses: tuple[str, ...], part: Part) -> Ending:
        self.asked = name
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


def _bytes(data: Any) -> bytes | None:
    return None if data is None else data.numpy().tobytes()
