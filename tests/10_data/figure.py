"""The figure of lesson 10: how often a token is seen, by random starts and by a shuffled order."""

from typing import Any

import torch

from dojo.figures import BLUE, ORANGE

TOKENS, LENGTH = 2**20, 2**7


def measure() -> dict[str, Any]:
    """Count how often each token lies in a window, as shares of all tokens, in thousandths."""
    generator = torch.Generator().manual_seed(0)
    windows = (TOKENS - 1) // LENGTH
    starts = {
        "random starts": torch.randint(TOKENS - LENGTH, (windows,), generator=generator),
        "a shuffled order": torch.randperm(windows, generator=generator) * LENGTH,
    }
    return {name: _shares(places, windows) for name, places in starts.items()}


def _shares(starts: torch.Tensor, windows: int) -> list[int]:
    seen = torch.bincount((starts[:, None] + torch.arange(LENGTH)).flatten(), minlength=windows * LENGTH)
    counts = torch.bincount(seen[: windows * LENGTH], minlength=7)[:7]
    return (1000 * counts.double() / (windows * LENGTH)).round().int().tolist()


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw both beside each other."""
    figure.set_figheight(2.4)
    for axes, (name, shares), colour in zip(
        figure.subplots(1, 2, sharey=True), numbers.items(), (ORANGE, BLUE), strict=True
    ):
        bars = axes.bar(range(len(shares)), [share / 10 for share in shares], color=colour)
        axes.bar_label(bars, [f"{share / 10:g} %" if share else "" for share in shares], padding=2, fontsize=8)
        axes.set_title(name)
        axes.set_ylim(0, 115)
        axes.set_yticks([0, 50, 100])
        axes.set_xlabel("times a token is seen")
    figure.axes[0].set_ylabel("% of the tokens")
