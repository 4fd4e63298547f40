"""Judge a kata for a command, in a separate process."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING

from dojo.background.messages import At, Ended, Judged, Message, Paper
from dojo.background.run import Run
from dojo.catalog import Kata
from dojo.seam.learner_file import nearby
from dojo.tools import CommandError

if TYPE_CHECKING:
    from dojo.judging.findings import Finding

PAPER = Paper(80, colour=False)


def judge(kata: Kata, show: Callable[[float], object]) -> list[Finding]:
    """Judge the learner's file, and call `show` with the share that is done. Raise CommandError if there is no verdict.

    Call `dojo.background.run.prepare` first.
    """
    messages: SimpleQueue[Message] = SimpleQueue()
    run = Run([(kata.slug, "")], PAPER, lambda _, message: messages.put(message))
    try:
        while True:
            match messages.get():
                case At(place=place, of=count):
                    show((place - 1) / count)
                case Judged(findings=findings):
                    from dojo.judging.findings import Finding  # imports hypothesis while the other process does too

                    return [Finding(**finding) for finding in findings]
                case Ended(why=why):
                    raise CommandError(
                        f"{kata.slug} cannot be judged, and pytest {nearby(kata.lesson.parent)} says more: {why}"
                    )
    finally:
        run.kill()
