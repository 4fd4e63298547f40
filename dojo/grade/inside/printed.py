"""In the jail: separate pipes for what each forked process prints.

A pipe keeps flags, owners and signals for all its users, so no two processes of a learner print to the same one.
"""

from __future__ import annotations

import contextlib
import os

from dojo.grade.inside.wire import write

CAPACITY = 2**16
"""Bytes that a pipe holds."""


class Printed:
    """The output of the process that is forked next. `take` is called in that process, `keep` in this one."""

    def __init__(self) -> None:
        self._pipes = {place: os.pipe() for place in (1, 2)}
        self.ends: dict[int, int] = {}
        """In this process: descriptors to read from, and the descriptors to which to write what is read."""

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
        """Keep only the ends to read from."""
        for place, (mine, theirs) in self._pipes.items():
            os.close(theirs)
            os.set_blocking(mine, False)
            self.ends[mine] = place

    def pass_on(self) -> None:
        """Print what has arrived, up to what a pipe holds, so that output comes before the answer that follows it."""
        for end, place in list(self.ends.items()):
            with contextlib.suppress(BlockingIOError):
                part = os.read(end, CAPACITY)
                write(place, part)
                if not part:
                    self._close(end)

    def close(self) -> None:
        """Print what is left, and close the pipes."""
        self.pass_on()
        for end in list(self.ends):
            self._close(end)

    def _close(self, end: int) -> None:
        os.close(end)
        del self.ends[end]
