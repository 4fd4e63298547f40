"""The jails of a submission, and one that starts and imports torch for the next submission meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dojo.catalog import Kata
from dojo.grade.jail import syscalls
from dojo.grade.jail.channel import Channel, Lost, Unstarted
from dojo.grade.jail.jail import Jail
from dojo.grade.jail.limits import Limits
from dojo.grade.jail.payload import WORKER, imports, modules

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
        self.sources: dict[bool, dict[str, str]] = {}
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
            sources = self.sources.get(torch) or self.sources.setdefault(torch, modules(self.imports[torch]))
            jail = Jail(
                self.level,
                torch=torch,
                modules=sources,
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
