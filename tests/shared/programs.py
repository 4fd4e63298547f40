"""Programs that hypothesis draws: their lines, what is watched after them, and tests that classify them."""

from __future__ import annotations

from collections.abc import Callable

from .described import Lines

Program = tuple[Lines, Lines]
"""Lines, and the expressions that are watched after them."""


def has(*texts: str) -> Callable[[Program], bool]:
    """Return a test of whether a line of a program contains one of these texts."""
    return lambda program: any(text in line for text in texts for line in program[0])


def lacks(*texts: str) -> Callable[[Program], bool]:
    """Return a test of whether no line of a program contains any of these texts."""
    return lambda program: not has(*texts)(program)
