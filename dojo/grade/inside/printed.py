"""In the jail: pipes of its own for what a forked process prints.

A pipe keeps flags, owners and signals for all that use it, so no two processes of a learner's print to the same one.
"""

from __future__ import annotations

import contextlib
import os

from dojo.grade.inside.wire import write

CAPACITY = 2**16
"""Bytes that a pipe holds."""


class Printed:
    """What a process prints that is forked next: `take` is called in it, `keep` in this process."""

    def __init__(self) -> None:
        self._pipes = {place: os.pipe() for place in (1, 2)}
        self.ends: dict[int, int] = {}
        """In this process: descriptors to read from, and where what comes of them is to go."""

    def take(self, *kept: int) -> None:
        """Print to these pipes from now on, and close all descriptors but the first three and those given."""
        for place, (_, theirs) in self._pipes.items():
            os.dup2(theirs, place)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        last = 2
        for descriptor in sorted(kept):
            os.closerange(last + 1, descriptor)
            last = descriptor
        os.closerange(last + 1, 2**31 - 1)

    def keep(self) -> None:
        """Keep the ends to read from."""
        for place, (mine, theirs) in self._pipes.items():
            os.close(theirs)
            os.set_blocking(mine, False)
            self.ends[mine] = place

    def pass_on(self) -> None:
        """Print what has come, as much as a pipe holds: what was printed before an answer is then printed before it."""
        for end, place in list(self.ends.items()):
            with contextlib.suppress(BlockingIOError):
                part = os.read(end, CAPACITY)
                write(place, part)
                if not part:
                    self._close(end)

    def close(self) -> None:
        """Print what is left, and nothing any more."""
        self.pass_on()
        for end in list(self.ends):
            self._close(end)

    def _close(self, end: int) -> None:
        os.close(end)
        del self.ends[end]
