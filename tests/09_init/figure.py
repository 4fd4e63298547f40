"""The figure of lesson 09: numbers beyond a cut, clamped and drawn again."""

from typing import Any

import torch

from dojo.figures import BLUE, FAINT, ORANGE

COUNT, CUT, REACH, BINS = 2**20, 1.5, 2.25, 61


def measure() -> dict[str, Any]:
    """Draw normal numbers, clamp them, draw those beyond again, and count them in bins."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(COUNT, generator=generator)
    again = x.clone()
    while (beyond := again.abs() > CUT).any():
        again[beyond] = torch.randn(int(beyond.sum()), generator=generator)
    found = {"uncut": x, "clamped": x.clamp(-CUT, CUT), "drawn again": again}
    return {"cut": CUT, **{name: torch.histc(y, BINS, -REACH, REACH).int().tolist() for name, y in found.items()}}


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw both beside each other, over what was not cut."""
    figure.set_figheight(2.6)
    edges = [-REACH + 2 * REACH * place / BINS for place in range(BINS + 1)]
    for axes, name, colour in zip(
        figure.subplots(1, 2, sharey=True), ("clamped", "drawn again"), (ORANGE, BLUE), strict=True
    ):
        axes.stairs([count / 1000 for count in numbers[name]], edges, fill=True, color=colour, alpha=0.6)
        axes.stairs([count / 1000 for count in numbers["uncut"]], edges, color=FAINT, linewidth=1, label="uncut")
        axes.set_title(f"{name} at ±{numbers['cut']}")
        axes.set_ylim(0, 90)
        axes.legend(loc="upper left" if name == "drawn again" else "upper center")
    figure.axes[0].set_ylabel("thousands in a bin")
