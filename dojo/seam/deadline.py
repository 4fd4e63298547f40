"""A limit on the CPU time of one call in this process, against endless loops."""

from __future__ import annotations

import contextlib
import signal
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from dojo.catalog import ROOT

SECONDS = 20.0
"""The CPU time of one call, unless pyproject.toml says otherwise."""
AGAIN = 1.0
"""Seconds of CPU until code that caught Endless is stopped again."""


class Gone(BaseException):
    """The learner's code cannot be called any more. Not an Exception: hypothesis would run the example again."""


class Endless(Gone):
    """A call exceeded its CPU time and was stopped. `call` is that Call, and `ask_again` is as in Raised."""

    ask_again: Any = None

    def __init__(self, seconds: float):
        super().__init__(seconds)
        self.seconds = seconds
        self.call: Any = None

    def __str__(self) -> str:
        return f"still running after {self.seconds:g} seconds of CPU"


def settings(path: Path = ROOT / "pyproject.toml") -> float:
    """Read `call_seconds` of [tool.dojo]; raise ValueError unless it is a number above 0."""
    value = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("dojo", {}).get("call_seconds", SECONDS)
    if type(value) not in (int, float) or not 0 < value < float("inf"):
        raise ValueError(f"[tool.dojo] call_seconds in {path} should be a number above 0; got {value!r}")
    return float(value)


@contextlib.contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Raise Endless inside once this process has used this many seconds of CPU there; None sets no limit.

    Nothing is limited outside the main thread, nor on Windows, which has no such timer.
    """
    if seconds is None or not hasattr(signal, "SIGPROF") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise Endless(seconds)

    before = signal.signal(signal.SIGPROF, stop)
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
