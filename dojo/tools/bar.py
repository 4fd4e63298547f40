"""A bar while something long runs."""

from __future__ import annotations

from typing import TextIO

from rich.console import Console
from rich.progress import Progress


def bar(terminal: TextIO) -> Progress:
    """A bar that is drawn when it is told to, leaves the standard streams alone, and is none where nobody looks."""
    return Progress(
        console=Console(file=terminal),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        disable=not terminal.isatty(),
    )
