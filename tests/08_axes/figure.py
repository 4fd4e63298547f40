"""The figure of lesson 08: twelve numbers under five patterns, and which of the results are copies."""

from typing import Any

import einops
import torch

from dojo.figures import BLUE, FAINT, GREEN, INK, ORANGE, PURPLE

PATTERNS = ("a b c -> a b c", "a b c -> a (b c)", "a b c -> b a c", "a b c -> b (a c)", "a b c -> (a b c)")
ROWS = (BLUE, GREEN, ORANGE, PURPLE)
"""The colours of the four rows of x, two for each a."""


def measure() -> dict[str, Any]:
    """Ask einops where each number goes, and torch whether the result is a view of x."""
    x = torch.arange(12).reshape(2, 2, 3)
    found: dict[str, Any] = {}
    for pattern in PATTERNS:
        made = einops.rearrange(x, pattern)
        shared = made.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
        found[pattern] = {"shape": list(made.shape), "numbers": made.tolist(), "view": shared}
    return found


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the numbers of each result as rows, in the colours of the rows of x."""
    figure.set_figheight(3.9)
    axes = figure.add_subplot()
    axes.axis("off")
    top = 0.0
    for pattern, made in numbers.items():
        blocks = made["numbers"] if len(made["shape"]) == 3 else [made["numbers"]]
        blocks = blocks if len(made["shape"]) > 1 else [[made["numbers"]]]
        height = max(map(len, blocks))
        axes.text(0, top + height / 2 - 0.28, pattern, weight="bold", va="center")
        shape = f"({', '.join(map(str, made['shape']))}{',' * (len(made['shape']) == 1)})"
        told = "a view" if made["view"] else "a copy"
        axes.text(0, top + height / 2 + 0.42, f"{shape}, {told} of x", color=FAINT, va="center", size=8)
        left = 7.4
        for block in blocks:
            for row, places in enumerate(block):
                for column, place in enumerate(places):
                    _cell(axes, left + column, top + row, place)
            left += len(block[0]) + 0.7
        top += max(height, 1.4) + 0.7
    axes.set_xlim(-0.1, 20.5)
    axes.set_ylim(top - 0.6, -0.2)
    axes.set_aspect("equal")


def _cell(axes: Any, x: float, y: float, place: int) -> None:
    axes.bar(x, 1, 1, y, align="edge", facecolor=(ROWS[place // 3], 0.35), clip_on=False)
    axes.bar(x, 1, 1, y, align="edge", facecolor="none", edgecolor=FAINT, linewidth=0.6, clip_on=False)
    axes.text(x + 0.5, y + 0.52, str(place), ha="center", va="center", color=INK)
