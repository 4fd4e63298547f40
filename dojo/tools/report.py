"""`dojo report --html FILE`: judge the katas, and write the verdicts as one page."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path

from rich.progress import Progress, TaskID

from dojo.background.run import prepare
from dojo.catalog import Kata
from dojo.files import write_whole
from dojo.tools import CommandError
from dojo.tools.bar import bar
from dojo.tools.judge import judge


def write(katas: Sequence[Kata], path: Path) -> str:
    """Judge these katas, write the page, and return a line that says so. Raise CommandError if there is no page."""
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise CommandError(f"--html must be a file in a writable folder, got {path}")
    findings = []
    prepare()
    with bar(sys.stderr) as progress:
        task = progress.add_task("judging", total=len(katas))
        for number, kata in enumerate(katas):
            progress.update(task, description=kata.slug, refresh=True)
            findings += judge(kata, partial(_show, progress, task, number))
            _show(progress, task, number, 1)

    from dojo.report.page import page, summary  # late: imports hypothesis, which the runs import too

    made = f"{datetime.now().astimezone():%d %B %Y, %H:%M %Z} · torch {version('torch')}"
    try:
        write_whole(path, page(katas, findings, f"{made} · Python {platform.python_version()}", folder))
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from None
    return f"written {path}: {summary(katas, findings)}"


def _show(progress: Progress, task: TaskID, done: int, share: float) -> None:
    """Show how many katas are judged, and what share of the next one."""
    progress.update(task, completed=done + share, refresh=True)
