"""`dojo watch`: judge the function that is worked on whenever its file is saved."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator
from queue import SimpleQueue

from dojo import progress
from dojo.background.run import prepare
from dojo.catalog import Kata
from dojo.watch import screen
from dojo.watch.session import TREE, Event, Session


def watch(kata: Kata | None) -> None:
    """Watch a kata, or all of them from the one that is worked on, until the learner has enough."""
    events: SimpleQueue[Event] = SimpleQueue()  # one that a handler of signals may put into, too
    session = Session([kata] if kata else _in_order(), events, keys=screen.has_keys())
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: events.put(("key", "q")))
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(KeyboardInterrupt))
        stack.enter_context(_unread())
        if session.keys:
            stack.enter_context(screen.keys(events.put))
        stack.callback(session.stop)
        prepare()
        threading.Thread(target=_saves, args=(events,), daemon=True).start()
        session.begin()
        while session.go_on(*events.get()):
            pass


def _in_order() -> list[Kata]:
    """All katas, from the one on that has the function to do next."""
    known = progress.everything()
    following = progress.following(known)
    start = known.index(following[0]) if following else 0
    return [one.kata for one in (*known[start:], *known[:start])]


def _saves(events: SimpleQueue[Event]) -> None:
    import watchfiles  # while the server imports torch

    # One save is several events of the file system: it is over where `step` milliseconds go by without any.
    for _ in watchfiles.watch(TREE, step=10, raise_interrupt=False):
        events.put(("saved",))


@contextlib.contextmanager
def _unread() -> Iterator[None]:
    """End where nobody reads what is printed any more."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at its end
