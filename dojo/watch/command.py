"""`dojo watch`: judge the current function whenever its file is saved."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from queue import Empty, SimpleQueue

from dojo import progress
from dojo.background.run import prepare
from dojo.catalog import Kata
from dojo.watch import screen
from dojo.watch.session import TREE, Event, Session


def watch(kata: Kata | None) -> None:
    """Watch one kata, or all katas starting with the current one, until the learner quits."""
    events: SimpleQueue[Event] = SimpleQueue()  # its put() is safe in signal handlers
    session = Session([kata] if kata else _in_order(), events, keys=screen.has_keys())
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: events.put(("key", "q")))
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))
        stack.enter_context(_end_on_broken_pipe())
        if session.keys:
            stack.enter_context(screen.keys(events.put))
        stack.callback(session.stop)
        prepare()
        threading.Thread(target=_saves, args=(events,), daemon=True).start()
        session.begin()
        while session.go_on(*_next(events)):
            pass


def _next(events: SimpleQueue[Event]) -> Event:
    """Return the next event; ("tick",) after a second without one."""
    try:
        return events.get(timeout=1)
    except Empty:
        return ("tick",)


def _in_order() -> list[Kata]:
    """List all katas, starting with the one that has the function to do next."""
    every = progress.everything()
    following = progress.following(every)
    start = every.index(following[0]) if following else 0
    return [one.kata for one in (*every[start:], *every[:start])]


def _saves(events: SimpleQueue[Event]) -> None:
    import watchfiles  # late: the server imports torch at the same time

    # One save causes several file system events. It is over after `step` milliseconds without an event.
    for _ in watchfiles.watch(TREE, step=10, raise_interrupt=False):
        events.put(("saved",))


@contextlib.contextmanager
def _end_on_broken_pipe() -> Iterator[None]:
    """Leave the block without an error if the reader of stdout closes it."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes stdout again at exit
