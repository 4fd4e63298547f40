"""Programs that hypothesis draws: their lines, what is watched after them, and what of them is told apart."""

from __future__ import annotations

from collections.abc import Callable

from .described import Lines

Program = tuple[Lines, Lines]
"""Lines, and the expressions that are watched after them."""


def has(*texts: str) -> Callable[[Program], bool]:
    """Whether a line of a program has one of these in it."""
    return lambda program: any(text in line for text in texts for line in program[0])


def lacks(*texts: str) -> Callable[[Program], bool]:
    """Whether no line of a program has any of these in it."""
    return lambda program: not has(*texts)(program)
