"""A loader that is stopped in one process and continues in another: its state goes there as JSON text."""

from __future__ import annotations

from dojo.seam.data import Error
from dojo.seam.parts import Ending, Failed, Parts
from dojo.seam.scenario import runs

from ..shared.described import Lines
from . import scenarios
from .scenarios import LENGTH, MOST, TEXT

Seen = dict[str, object]


@runs(
    lambda before, on, loaded: (
        "Loader",
        [*before, *on, f"text = {TEXT}", "# in another process", before[0], "state = json.loads(text)", *loaded],
    ),
    in_parts=True,
    limits=lambda before, on, loaded: {LENGTH: MOST},
)
def carried(parts: Parts, before: Lines, on: Lines, loaded: Lines) -> Seen:
    """Return what the loader gives next, and what the other one does, unless its text cannot be carried over."""
    first = _seen(parts(scenarios.program, "Loader", [*before, *on], [TEXT, "right"], "cpu"), TEXT, "right")
    text = first.pop(TEXT)
    first[LENGTH] = len(text) if type(text) is str else text
    if type(text) is not str or len(text) > MOST:
        return first
    lines = [before[0], f"state = json.loads({text!r})", *loaded]
    return first | _seen(parts(scenarios.program_elsewhere, "Loader", lines, ["after"], "cpu"), "after")


def _seen(ending: Ending, *names: str) -> Seen:
    """Return what a part has told under these names."""
    told = ending.value
    if type(told) is not dict or told.keys() != set(names):
        raise Failed(Error("Untold", ("Untold",), "its process told nothing of what it was asked"))
    return told
