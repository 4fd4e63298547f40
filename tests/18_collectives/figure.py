"""The figure of lesson 18: rounds of a broadcast, and the time of an all-reduce by the number of ranks."""

from __future__ import annotations

from typing import Any

import torch

from dojo.figures import BLUE, ORANGE
from dojo.judging.diagnose import solution, variants

from ..shared.ranks import on_ranks
from . import truth

RANKS = range(1, 9)
WORLDS = (2, 4, 8, 16, 32, 64)
BANDWIDTH, LATENCY = 450e9, 1e-5
SENDERS = {"one by one": "root sends to each", "doubling": "whoever has it sends"}
BUCKETS = (("25 MiB", 25 * 2**20, ORANGE), ("1 MiB", 2**20, BLUE))


def measure() -> dict[str, Any]:
    """When the last message of a broadcast arrives; microseconds of all steps of a ring, for two sizes."""
    one_by_one = next(one.answer for one in variants("18_collectives", "misconceptions") if "sends_to_each" in one.name)
    found: dict[str, Any] = {
        name: [_rounds(function, size) for size in RANKS]
        for name, function in (("one by one", one_by_one), ("doubling", solution("18_collectives").broadcast))
    }
    for name, nbytes, _ in BUCKETS:
        found[name] = [round(truth.ring_seconds(nbytes, world, BANDWIDTH, LATENCY) * 1e6, 1) for world in WORLDS]
    return found


def _rounds(function: Any, size: int) -> int:
    return on_ranks(size, lambda comm: function(comm, None if comm.rank else torch.ones(1))).rounds


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the rounds, and beside them the microseconds."""
    figure.set_figheight(2.6)
    left, right = figure.subplots(1, 2)
    for name, colour, label in (
        ("one by one", ORANGE, "root sends to each"),
        ("doubling", BLUE, "whoever has it sends"),
    ):
        left.plot(RANKS, numbers[name], color=colour, marker="o", markersize=3, label=label)
    left.set_title("broadcast: rounds")
    left.set_xlabel("ranks")
    left.set_ylim(0)
    for name, _, colour in BUCKETS:
        right.loglog(WORLDS, numbers[name], color=colour, marker="o", markersize=3, label=name)
    right.set_title("ring: µs at 450e9 byte/s, 10 µs a step")
    right.set_xlabel("ranks")
    right.set_xticks(WORLDS, list(map(str, WORLDS)))
    right.set_yticks([30, 100, 300, 1000], ["30", "100", "300", "1000"])
    right.minorticks_off()
    for axes in (left, right):
        axes.legend(fontsize=8)
