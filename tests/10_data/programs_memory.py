"""What a file of 32 MiB takes of memory, in a process that has read nothing before."""

from __future__ import annotations

from dojo.seam.parts import Parts
from dojo.seam.scenario import runs

from ..shared.described import Lines
from . import scenarios

GROWN = "resident() - before"


@runs(lambda function, lines: (function, ["# resident() is the MiB of memory that are in use", *lines]), in_parts=True)
def grown(parts: Parts, function: str, lines: Lines) -> object:
    """What the lines take."""
    return parts(scenarios.measured, function, lines, [GROWN]).value
