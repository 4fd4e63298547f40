"""How much memory a file of 32 MiB takes, in a process that has read nothing before."""

from __future__ import annotations

from dojo.seam.parts import Parts
from dojo.seam.scenario import runs

from ..shared.described import Lines
from . import scenarios

GROWN = "resident() - before"


STEP = 16
"""MiB; 100 places of a map bring in less than half of it, and no two runs exactly the same."""


@runs(
    lambda function, lines: (function, [f"# resident() is the memory in use, in MiB, to the nearest {STEP}", *lines]),
    in_parts=True,
)
def grown(parts: Parts, function: str, lines: Lines) -> object:
    """Return how much memory the lines take."""
    seen = parts(scenarios.measured, function, lines, [GROWN]).value
    if type(seen) is dict and type(seen.get(GROWN)) is int:
        return {GROWN: STEP * round(seen[GROWN] / STEP)}
    return seen
