"""Kata 06 by the worked examples of its stub and its lesson."""

from typing import Any

from dojo.seam.data import same

from . import programs_finding as finding
from . import programs_loading as loading
from . import programs_saving as saving
from .damage import WHOLE
from .scenarios import NAME, OLDER
from .training import everything, straight

RUN = [
    "model = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(), nn.Linear(4, 1))",
    "optimizer = Adam(model.parameters(), lr=0.05)",
    "scheduler = StepLR(optimizer, 2)",
]
OTHER = ["model = nn.Linear(3, 1)", *RUN[1:]]
HALF = 2**19
"""The middle of a file, in shares of 2**-20."""


def check(kata: Any) -> None:
    """Raise unless every example holds."""
    seen = kata.run(saving.resumed, RUN, 0, 3, 2, (None, None), "cpu", False, ())
    assert seen["the step that was returned"] == 3
    wanted = everything(straight(RUN, 0, 5, "cpu"))
    assert all(same(seen.get(name), want) for name, want in wanted.items())
    seen = kata.run(saving.saved, RUN, 0, 2, "cpu")
    assert seen["os.listdir()"] == sorted(["folder", NAME, *saving.NEIGHBOURS, *OLDER])
    assert seen[saving.CHANGED] == []
    for case in (WHOLE, 0), ("missing", 0), ("empty", 0), ("truncated", HALF), ("flipped", HALF):
        right(kata.run(loading.damaged_or_whole, RUN, 0, [case], "cpu"))
    right(kata.run(loading.evil_or_whole, RUN, 0, [("torch.save", 0)], "cpu"))
    right(kata.run(loading.another_run_or_the_same, [("outputs", RUN, OTHER)], 0, "cpu"))
    assert latest(kata) == "returns None"
    assert latest(kata, ("step_10.pt", "whole", 10), ("step_9.pt", "whole", 9)) == "returns Path('step_10.pt')"
    assert latest(kata, ("a", "whole", 1), ("latest", "truncated", 20)) == "returns Path('a')"


def right(seen: dict[str, object]) -> None:
    """Raise unless what is whole was loaded, and the other was a CheckpointError that changed nothing."""
    assert seen["seen"] == seen["right"]


def latest(kata: Any, *entries: tuple[str, str, int]) -> object:
    """What is said of the latest checkpoint in a folder with these entries."""
    seen = kata.run(finding.latest, RUN, 0, list(entries), False, "")
    found: object = seen["latest_checkpoint"]
    return found
