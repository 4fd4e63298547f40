"""A grading job, and what its process keeps for the next one."""

from __future__ import annotations

import ctypes
import functools
import os
import signal

from dojo.catalog import katas
from dojo.grade.grading import grade
from dojo.grade.inside.confine import PR_SET_PDEATHSIG
from dojo.grade.intake.submission import Submission
from dojo.grade.jail.limits import Limits
from dojo.grade.jailed import Jails
from dojo.grade.order import Order
from dojo.grade.result import Result, unforeseen


def mark(submission: Submission, order: Order) -> Result | str:
    """Grade one submission; return the result, or one line that says why there is none."""
    jails = _jails(order.level, order.limits, order.device, tuple(kata.slug for kata in order.katas))
    try:
        return grade(
            submission, katas=order.graded, seed=order.seed, level=order.level, device=order.device, jails=jails
        )
    except Exception as error:  # an unforeseen error must not stop the grading of the others
        return unforeseen(error)


@functools.cache
def _jails(level: str, limits: Limits, device: str, slugs: tuple[str, ...]) -> Jails:
    return Jails(level, limits, device, [katas()[slug] for slug in slugs], ahead=True)


def tied(parent: int) -> None:
    """Tie a worker process to its parent: it dies with the parent, and leaves Ctrl-C to it."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # blocked while it started
