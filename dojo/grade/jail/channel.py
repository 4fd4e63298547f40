"""Requests to one jail, answers within a time limit, and captured output."""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import time
from collections import defaultdict
from typing import Any

from dojo.grade.inside.messages import answer_to, answer_to_batch
from dojo.grade.inside.wire import HEAD, BadFrame, frame, lengths
from dojo.grade.jail.jail import Jail
from dojo.grade.jail.limits import Limits
from dojo.seam.deadline import Gone

TICK = 0.1
"""Seconds between two checks of a working jail's usage."""
CHUNK = 2**18


class Lost(Gone):
    """The jail gave no answer that can be judged."""


class OutOfTime(Lost):
    """The jail took more seconds than it may."""


class Unstarted(BaseException):
    """The jail could not be started. Not an Exception, so that it never becomes a verdict on the submission."""


class Channel:
    """A jail and its pipes; unusable after a Lost."""

    def __init__(self, jail: Jail, limits: Limits):
        self.jail = jail
        self.limits = limits
        self.unsent = bytearray()
        self.asked = ""
        self.looked = 0.0
        self.charged: object = None
        self.since = 0.0
        self.used: defaultdict[object, float] = defaultdict(float)
        self.printed = {jail.out: bytearray(), jail.err: bytearray()}
        for descriptor in (jail.requests, jail.answers, *self.printed):
            os.set_blocking(descriptor, False)

    def charge(self, to: object) -> None:
        """Charge CPU time from now on to this key, up to the limit; None has no limit."""
        if to != self.charged:
            now = self.jail.usage().cpu
            self.used[self.charged] += now - self.since
            self.charged, self.since = to, now

    def ask(self, what: str, *rest: object, seconds: float) -> dict[str, Any]:
        """Send a request and return the answer; Lost if it is late or cannot be read."""
        return self.receive(self.send(what, *rest), seconds=seconds)

    def send(self, what: str, *rest: object) -> str:
        """Start to send a request, and return the id of its answer."""
        key, self.asked = secrets.token_hex(16), what
        self.unsent += frame((key, what, *rest))
        with contextlib.suppress(OSError):  # receive reports it
            self._send()
        return key

    def receive(self, key: str, *, seconds: float) -> dict[str, Any]:
        """Return the answer to the last request."""
        try:
            message = self._received(time.monotonic() + seconds)
        except BadFrame as error:
            raise Lost(f"its process sent what cannot be read: {error}") from None
        except OSError:
            raise Lost("its process is gone") from None
        if message["id"] != key:
            raise Lost("its process sent an answer that nobody had asked for")
        return message

    def _send(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self.unsent:
                del self.unsent[: os.write(self.jail.requests, self.unsent[:CHUNK])]

    def _received(self, end: float) -> dict[str, Any]:
        jail, received, message, tensors = self.jail, bytearray(), -1, -1
        while message < 0 or len(received) < message + tensors:
            writing = [jail.requests] if self.unsent else []
            ready, free, _ = select.select([jail.answers, *self.printed], writing, [], TICK)
            self._drain(ready)
            if free:
                self._send()
            if jail.answers in ready:
                part = os.read(jail.answers, HEAD.size - len(received) if message < 0 else CHUNK)
                if not part:
                    raise Lost("its process is gone")
                received += part
                if message < 0 and len(received) == HEAD.size:
                    message, tensors = lengths(bytes(received))
                    received.clear()
            now = time.monotonic()
            if now > self.looked + TICK:
                self.looked = now
                self._look()
            if now > end:
                raise OutOfTime(f"it gave no answer within {self.limits.seconds:g} seconds")
        if len(received) > message + tensors:
            raise BadFrame("more than one answer")
        parts = bytes(received[:message]), bytes(received[message:])
        return answer_to_batch(*parts) if self.asked == "batch" else answer_to(self.asked, *parts)

    def _look(self) -> None:
        """Raise Lost if the jail is gone or exceeds a limit."""
        used = self.jail.usage()
        if used.memory > self.limits.memory:
            raise Lost(f"it took more than {self.limits.memory / 2**30:g} GiB of memory")
        if used.files > self.limits.files:
            raise Lost(f"it wrote more than {self.limits.files / 2**20:g} MiB of files")
        if used.processes > self.limits.processes:
            raise Lost(f"it ran more than {self.limits.processes} processes at one time")
        if self.charged is not None and self.used[self.charged] + used.cpu - self.since > self.limits.seconds:
            raise OutOfTime(f"it took more than {self.limits.seconds:g} seconds of CPU")
        if not self.jail.alive():
            raise Lost("its process is gone")

    def _drain(self, ready: list[int]) -> None:
        for descriptor, output in self.printed.items():
            if descriptor in ready:
                part = os.read(descriptor, CHUNK)
                if not part:
                    raise Lost("its process is gone")
                output += part[: self.limits.output - len(output)]

    def take_printed(self) -> str:
        """Return what was printed since the last call, stdout before stderr, up to the limit of output."""
        ready, _, _ = select.select(list(self.printed), [], [], 0)
        with contextlib.suppress(Lost):  # the text printed before the end is still there
            self._drain(ready)
        text = b"\n".join(bytes(output) for output in self.printed.values() if output).decode(errors="replace")
        for output in self.printed.values():
            output.clear()
        return text
