"""Scalers and master weights that are saved in one process, and go on in another: there is the file between them."""

from __future__ import annotations

import torch

from dojo.seam.data import Error
from dojo.seam.parts import Ending, Failed, Parts
from dojo.seam.scenario import runs

from ..shared.described import Lines
from . import scenarios

STATE = '"state.pt"'
"""The name of the file, as a program has it."""


@runs(
    lambda function, before, after, watched: (function, [*before, "# in another process", *after]),
    in_parts=True,
)
def carried(parts: Parts, function: str, before: Lines, after: Lines, watched: Lines) -> dict[str, object]:
    """What is watched at the end of the second program, which begins with the file that the first one leaves."""
    # Where there is CUDA, what is forked has neither backward, whose threads are gone, nor torch's optimizers, which
    # ask for CUDA at each step: both raise.
    first = parts(scenarios.program, function, before, [], apart=not torch.cuda.is_available())
    _told(first, [])
    return _told(parts(scenarios.program, function, after, watched, files=first.files), watched)


def _told(ending: Ending, watched: Lines) -> dict[str, object]:
    """What a part has told."""
    told = ending.value
    if type(told) is not dict or not told.keys() >= set(watched):
        raise Failed(Error("Untold", ("Untold",), "its process told nothing of what it was asked"))
    return told
