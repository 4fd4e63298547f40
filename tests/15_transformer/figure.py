"""The figure of lesson 15: where attention begins to cost more, and what a larger batch is good for."""

from typing import Any

from dojo.figures import BLUE, FAINT, GREEN, ORANGE, PURPLE

from . import truth
from .strategies_configs import REAL, config

LLAMA_3 = config(128256, 32, 4096, 32, 8, 128, 14336, True, False, 0, False)
LENGTHS = [2**n for n in range(8, 17)]
BATCHES = [2**n for n in range(11)]
CACHES = (("an empty cache", 0, GREEN), ("1023 tokens in the cache", 1023, BLUE), ("8191", 8191, ORANGE))
RIDGE = 989.5e12 / 3.35e12
"""FLOP/byte of an H100 in bfloat16."""


def measure() -> dict[str, Any]:
    """FLOPs of a block of GPT-2 for each token, by tokens; FLOP/byte of a step of decoding, by batch."""
    runs = [truth.flops(REAL["GPT-2"], 1, tokens) for tokens in LENGTHS]
    parts = {"attention": ("q · k", "weights · v"), "MLP": ("up", "down"), "q, k, v, o": ("q", "k", "v", "o")}
    found: dict[str, Any] = {
        name: [
            sum(run[product] for product in products) // (12 * tokens)
            for run, tokens in zip(runs, LENGTHS, strict=True)
        ]
        for name, products in parts.items()
    }
    for name, cached, _ in CACHES:
        found[name] = [round(truth.intensity(LLAMA_3, batch, 1, cached), 1) for batch in BATCHES]
    return found


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the FLOPs of the parts of a block, and beside them the intensities."""
    figure.set_figheight(2.7)
    left, right = figure.subplots(1, 2)
    for name, colour in (("attention", ORANGE), ("MLP", BLUE), ("q, k, v, o", PURPLE)):
        left.loglog(LENGTHS, [count / 1e6 for count in numbers[name]], color=colour, label=name)
    left.set_title("GPT-2, a block: 10⁶ FLOPs for each token")
    left.set_xlabel("tokens")
    left.set_xticks([256, 1024, 4096, 16384, 65536], ["256", "1024", "4096", "16384", "65536"])
    for name, _, colour in CACHES:
        right.loglog(BATCHES, numbers[name], color=colour, label=name)
    right.axhline(RIDGE, color=FAINT, linewidth=0.8, linestyle=":")
    right.text(1, RIDGE * 1.15, "H100", color=FAINT)
    right.set_title("Llama-3 8B, decoding: FLOP/byte")
    right.set_xlabel("sequences")
    right.set_xticks([1, 4, 16, 64, 256, 1024], ["1", "4", "16", "64", "256", "1024"])
    right.set_yticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
    left.set_yticks([1, 10, 100], ["1", "10", "100"])
    for axes in (left, right):
        axes.minorticks_off()
        axes.legend(fontsize=8)
