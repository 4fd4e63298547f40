"""Progress on the terminal while a folder is graded: a line for each submission, and below them a bar."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Column
from rich.text import Text

from dojo.grade.queue import Graded
from dojo.report.sanitize import for_log, line

WINDOW = 600
"""Seconds over which the rate is averaged: a submission may take minutes."""


class Bar:
    """A bar on stderr: how many of the submissions are graded, how many a minute, the time left, and which are next."""

    def __init__(self, total: int):
        # Terminal codes and markup in a name have no effect.
        self._console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        names = TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis"))
        columns = (BarColumn(bar_width=20), MofNCompleteColumn(), _Rate(), TimeRemainingColumn(), names)
        self._progress = Progress(*columns, console=self._console, speed_estimate_period=WINDOW)
        self._left = total
        self._task = self._progress.add_task("", total=total)
        self._names: dict[str, None] = {}

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self._progress.console.print(for_log(line(text)), soft_wrap=True)

    def begin(self, name: str) -> None:
        """Show that a submission is being graded."""
        self._names[name] = None
        self._show()

    def end(self, one: Graded) -> None:
        """Count a submission, and print its outcome if it was graded in this run."""
        self._names.pop(one.name, None)
        if one.fresh:
            score = f"{one.result.score} of {one.result.points}" if one.result else one.trouble
            alone = ", graded alone, since processes that graded it died" if one.alone and one.result else ""
            self.say(f"{line(one.name)}  {score}{alone}")
            self._progress.advance(self._task)
        else:
            self._left -= 1
            self._progress.update(self._task, total=self._left)  # results known before do not count in the rate
        self._show()

    def _show(self) -> None:
        self._progress.update(self._task, description=for_log(", ".join(map(line, self._names))))

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._progress.stop()


class _Rate(ProgressColumn):
    """Submissions graded a minute."""

    def render(self, task: Task) -> Text:
        """Return the rate as text."""
        return Text(f"{60 * task.speed:.1f}/min" if task.speed else "-/min")
