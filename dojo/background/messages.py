"""Messages between a background run and the command that started it, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Target = tuple[str, str]
"""A kata and one of its functions; "" for all of them."""


@dataclass(frozen=True)
class Paper:
    """The width of a report in columns, and whether it is coloured."""

    width: int
    colour: bool


@dataclass(frozen=True)
class At:
    """The run has reached a property: number `place` of `of` of this target."""

    target: Target
    place: int
    of: int


@dataclass(frozen=True)
class Judged:
    """The verdict on a target."""

    target: Target
    """The first target that is not done, or else the last one."""
    statuses: dict[str, str]
    """The status of each of its functions."""
    text: str
    """The report."""
    findings: list[dict[str, Any]]
    """The findings behind it, as plain dicts."""


@dataclass(frozen=True)
class Ended:
    """The run ended without a verdict; `why` is one line."""

    why: str


Message = At | Judged | Ended
