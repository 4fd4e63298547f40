"""The figure of lesson 14: results at once by the length of segments, and what two attentions keep."""

from typing import Any

import torch
from torch.nn import functional as F

from dojo.figures import BLUE, ORANGE

from . import truth

LAYERS = 48
LENGTHS = (32, 64, 96, 128, 192, 256, 320, 384)
HEADS, WIDTH = 2, 16


def measure() -> dict[str, Any]:
    """Peaks of a real chain under torch's checkpoint, for each segment; bytes that autograd saves, for each length."""
    segments = range(1, LAYERS + 1)
    return {
        "peaks": [truth.peak_activations(LAYERS, segment) for segment in segments],
        "explicit": [_attention(length, fused=False) for length in LENGTHS],
        "fused": [_attention(length, fused=True) for length in LENGTHS],
    }


def _attention(length: int, *, fused: bool) -> int:
    q, k, v = (torch.zeros(1, HEADS, length, WIDTH, requires_grad=True) for _ in range(3))
    if fused:
        return truth.saved_bytes(lambda: F.scaled_dot_product_attention(q, k, v))
    return truth.saved_bytes(lambda: (q @ k.mT / WIDTH**0.5).softmax(-1) @ v)


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the peaks, and beside them the bytes."""
    figure.set_figheight(2.6)
    left, right = figure.subplots(1, 2)
    left.plot(range(1, LAYERS + 1), numbers["peaks"], color=BLUE)
    left.set_title(f"results at once, of {LAYERS} layers")
    left.set_xlabel("layers in a segment")
    left.set_xlim(1, LAYERS)
    left.set_ylim(0, LAYERS + 2)
    for name, colour in (("explicit", ORANGE), ("fused", BLUE)):
        right.plot(LENGTHS, [size / 1024 for size in numbers[name]], color=colour, label=name)
    right.set_title("KiB kept by attention")
    right.set_xlabel("tokens")
    right.set_xlim(0, LENGTHS[-1])
    right.set_ylim(0)
    right.legend(fontsize=8)
