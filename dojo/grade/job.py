"""A grading job, and what its process keeps for the next one."""

from __future__ import annotations

import ctypes
import os
import signal
import threading

from dojo.catalog import katas
from dojo.grade.grading import grade
from dojo.grade.inside.confine import PR_SET_PDEATHSIG
from dojo.grade.intake.submission import Submission
from dojo.grade.jail.levels import choose
from dojo.grade.jail.limits import Limits
from dojo.grade.jails import Jails
from dojo.grade.order import Order
from dojo.grade.result import Result, unforeseen

_one_at_a_time = threading.Lock()
_ready: dict[tuple[str, Limits, str, tuple[str, ...]], Jails] = {}
"""The jails for the next submission; those for other katas, or of another level, are ended first."""


def mark(submission: Submission, order: Order) -> Result | str:
    """Grade one submission; return the result, or one line that says why there is none."""
    try:
        level = choose() if order.level == "auto" else order.level
        if level not in order.levels:
            return f"the machine that was to grade it has isolation {level}; {order.require} is required"
        with _one_at_a_time:
            jails = _jails(level, order.limits, order.device, order.slugs)
            return grade(submission, katas=order.graded, seed=order.seed, level=level, device=order.device, jails=jails)
    except Exception as error:  # an unforeseen error must not stop the grading of the others
        return unforeseen(error)


def _jails(level: str, limits: Limits, device: str, slugs: tuple[str, ...]) -> Jails:
    what = level, limits, device, slugs
    if what not in _ready:
        _end()
        _ready[what] = Jails(level, limits, device, [katas()[slug] for slug in slugs], ahead=True)
    return _ready[what]


def close() -> None:
    """End the jails that are ready, once nothing is being graded in them."""
    with _one_at_a_time:
        _end()


def _end() -> None:
    while _ready:
        _ready.popitem()[1].close()


def tied(parent: int) -> None:
    """Tie a worker process to its parent: it dies with the parent, and leaves Ctrl-C to it."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # blocked while it started
