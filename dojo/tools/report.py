"""`dojo report --html FILE`: run the katas as pytest does, and write what became of them as one page."""

from __future__ import annotations

import contextlib
import io
import os
import platform
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import Progress

from dojo.catalog import ROOT, Kata
from dojo.files import write_whole
from dojo.tools import CommandError
from dojo.tools.bar import bar

if TYPE_CHECKING:
    import pytest

    from dojo.findings import Finding


def write(katas: Sequence[Kata], path: Path) -> str:
    """Run these katas, write the page, and return the line that says so. CommandError says why there is none."""
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise CommandError(f"--html must be a file in a writable folder, got {path}")
    findings = found(katas)

    from dojo.page.build import page, summary  # import hypothesis, which pytest wants to import itself

    made = f"{datetime.now().astimezone():%d %B %Y, %H:%M %Z} · torch {version('torch')}"
    try:
        write_whole(path, page(katas, findings, f"{made} · Python {platform.python_version()}"))
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from None
    return f"written {path}: {summary(katas, findings)}"


def found(katas: Sequence[Kata]) -> list[Finding]:
    """What `pytest katas/03_flops …` finds, typed in the clone."""
    import pytest  # slow, and a command that only prints help does without

    paths = [str(kata.source(ROOT / "katas").parent) for kata in katas]
    # pytest catches what is written to the standard streams, so that the bar needs one of its own.
    with (
        os.fdopen(os.dup(2), "w") as terminal,
        contextlib.redirect_stdout(io.StringIO()) as said,
        bar(terminal) as progress,
    ):
        follower = Follower(progress)
        status = pytest.main([f"--rootdir={ROOT}", "--tb=auto", *paths], plugins=[follower])
    if follower.interrupted:
        raise KeyboardInterrupt
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or follower.unjudged:
        what = ", ".join(follower.unjudged) or (said.getvalue().strip().splitlines() or ["it printed nothing"])[-1]
        raise CommandError(f"some properties could not be run, see `pytest katas --tb=short`: {what}")
    return follower.findings


class Follower:
    """A plugin of pytest: moves a bar on, and keeps the findings."""

    def __init__(self, progress: Progress):
        self.progress = progress
        self.task = progress.add_task("judging", total=None)
        self.findings: list[Finding] = []
        self.unjudged: list[str] = []
        self.interrupted = False

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Say how many properties there are."""
        self.progress.update(self.task, total=len(session.items))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a property that was run; one that failed by no fault of the learner's has no verdict."""
        if report.failed and not hasattr(report, "dojo"):
            self.unjudged.append(report.nodeid)
        if report.when == "teardown":
            self.progress.update(self.task, advance=1, description=report.nodeid.partition("::")[0], refresh=True)

    def pytest_keyboard_interrupt(self) -> None:
        """Remember who ended the run."""
        self.interrupted = True

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Take the findings along."""
        from dojo.plugin import COLLECTED  # not before pytest has rewritten its asserts

        if COLLECTED in config.stash:
            self.findings = config.stash[COLLECTED].findings
