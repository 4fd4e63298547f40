"""`dojo --refresh`: judge what has changed since it was judged."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from dojo import progress
from dojo.answers import nearby
from dojo.catalog import ROOT
from dojo.paper import pairs

NEVER_RAN = 2
"""pytest's statuses from here on say that it did not come to a verdict."""


def refresh(console: Console, known: Sequence[progress.Progress]) -> list[progress.Progress]:
    """Judge the katas of which something is stale or not judged; what is known then."""
    stale = [one.kata for one in known if one.is_stale and one.file.trouble is None]
    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    failed = []
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=len(stale))
        for kata in stale:
            bar.update(task, description=f"judging {kata.slug}")
            # In a process of its own, as a learner would: nothing of one kata reaches the next.
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"katas/{kata.slug}"]
            ran = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True)
            if ran.returncode >= NEVER_RAN or progress.read(kata).is_stale:
                failed.append((kata.slug, f"not judged: run pytest {nearby(kata.lesson.parent)} to see why"))
            bar.advance(task)
    pairs(console, failed)
    return progress.everything()
