"""`dojo --refresh`: judge what has changed since its last verdict."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from dojo import progress
from dojo.background.run import prepare
from dojo.report.console import pairs
from dojo.seam.learner_file import nearby
from dojo.tools import CommandError
from dojo.tools.judge import judge


def refresh(console: Console, known: Sequence[progress.Progress]) -> list[progress.Progress]:
    """Judge the katas that have a function with a stale verdict or none. Return the progress after that."""
    stale = [one.kata for one in known if one.is_stale and one.file.trouble is None]
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    failed = []
    prepare()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        for number, kata in enumerate(stale, 1):
            task = bar.add_task(f"judging {kata.slug}, {number} of {len(stale)}")
            with contextlib.suppress(CommandError):
                judge(kata, lambda share: None)
            if progress.read(kata).is_stale:
                failed.append((kata.slug, f"not judged: run pytest {nearby(kata.lesson.parent)} to see why"))
            bar.remove_task(task)
    pairs(console, failed)
    return progress.everything()
