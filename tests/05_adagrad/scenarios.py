"""The program that runs a learner's optimizer."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from dojo.seam.scenario import runs

from ..shared.described import Lines, execute, placed


@runs(lambda function, lines, watched, device: (function, placed(lines, device)))
def program(module: ModuleType, function: str, lines: Lines, watched: Lines, device: str) -> Any:
    """Run the lines with that function or class of the learner's, and return the values that are watched."""
    return execute(placed(lines, device), watched, {function: getattr(module, function)})
