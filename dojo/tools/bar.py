"""A progress bar."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.progress import Progress


def bar(terminal: TextIO) -> Progress:
    """Return a bar that is drawn only on refresh, does not redirect stdout or stderr, and needs a terminal to show."""
    return Progress(
        console=Console(file=terminal),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        disable=not terminal.isatty(),
    )
