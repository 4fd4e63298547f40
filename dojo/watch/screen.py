"""The terminal: draw screens and read single keys, or print plain lines if there is no terminal."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec

from dojo.background.messages import Paper

WIDEST = 100
"""Most columns of a report."""
CLEAR = "\x1b[2J\x1b[H"
SGR = re.compile(r"\x1b\[[0-9;]*m")


def has_keys() -> bool:
    """Return whether this is a terminal that can send single keys and clear its screen."""
    a_terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return a_terminal and find_spec("termios") is not None  # not on Windows


def paper() -> Paper:
    """Return the current width for reports, and whether to color them."""
    columns = shutil.get_terminal_size().columns
    with contextlib.suppress(OSError, ValueError):
        columns = os.get_terminal_size(sys.stdout.fileno()).columns or columns  # COLUMNS does not change on a resize
    return Paper(min(columns, WIDEST), sys.stdout.isatty() and "NO_COLOR" not in os.environ)


def draw(*parts: str) -> None:
    """Clear the screen and write these parts with blank lines between them, except between the last two."""
    *above, status, footer = parts
    sys.stdout.write(CLEAR + "\n\n".join([*filter(None, above), f"{status}\n{footer}\n"]))
    sys.stdout.flush()


def dimmed(report: str) -> str:
    """Dim a colored report, to show that it may be out of date. Return a plain report unchanged."""
    if not SGR.search(report):
        return report
    return "\n".join(f"\x1b[2m{line}\x1b[0m" for line in SGR.sub("", report).split("\n"))


def wrapped(line: str) -> str:
    """Wrap one line to the width of the terminal."""
    return textwrap.fill(line, max(20, paper().width))


@contextlib.contextmanager
def keys(hear: Callable[[tuple[str, ...]], None]) -> Iterator[None]:
    """Pass each key, as ("key", "n"), and each resize to `hear`; restore the terminal at the end."""
    import termios  # not on Windows, where `has_keys` is false
    import tty

    stdin = sys.stdin.fileno()
    before = termios.tcgetattr(stdin)

    def again(*_: object) -> None:
        tty.setcbreak(stdin)  # needed again after Ctrl-Z and fg
        hear(("resize",))

    signals = [signal.SIGWINCH, signal.SIGCONT]
    handlers = [signal.signal(number, again) for number in signals]
    try:
        tty.setcbreak(stdin)
        threading.Thread(target=_read, args=(stdin, hear), daemon=True).start()
        yield
    finally:
        for number, handler in zip(signals, handlers, strict=True):
            signal.signal(number, handler)
        with contextlib.suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(stdin, termios.TCSAFLUSH, before)


def _read(stdin: int, hear: Callable[[tuple[str, ...]], None]) -> None:
    with contextlib.suppress(OSError):
        while typed := os.read(stdin, 64):
            if not typed.startswith(b"\x1b"):  # an arrow is ESC [ A
                for key in typed.decode(errors="ignore"):
                    hear(("key", key.lower()))
    hear(("key", "q"))  # the terminal is gone
