"""The figure of lesson 16: what 8 bits lose of large and of small numbers, and what groups save of 4 bits."""

from typing import Any

import torch
from torch import Tensor

from dojo.figures import BLUE, GREEN, ORANGE, PURPLE

BINADES = range(-16, 0)
GROUPS = (16, 32, 64, 128, 256, 1024)
E4M3, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2


def _stored(x: Tensor, dtype: torch.dtype) -> Tensor:
    """x, of which the largest magnitude may be 1, by way of fp8."""
    largest = torch.finfo(dtype).max
    return (x * largest).clamp(-largest, largest).float().to(dtype).double() / largest


def _rounded(x: Tensor, steps: int) -> Tensor:
    return (x * steps).round() / steps


def measure() -> dict[str, Any]:
    """Store numbers between two powers of two, and a matrix of which one number in 256 is 8 times as large."""
    found: dict[str, Any] = {"e4m3": [], "e5m2": [], "int8": []}
    for exponent in BINADES:
        x = 2.0**exponent * (1 + torch.arange(512, dtype=torch.float64) / 512)
        for name, y in (("e4m3", _stored(x, E4M3)), ("e5m2", _stored(x, E5M2)), ("int8", _rounded(x, 127))):
            found[name].append(round(((y - x).abs() / x).max().item(), 4))
    generator = torch.Generator().manual_seed(16)
    weight = torch.randn(64, 1024, generator=generator, dtype=torch.float64)
    weight *= torch.where(torch.rand(weight.shape, generator=generator) < 1 / 256, 8.0, 1.0)

    def lost(group: int, store: Any) -> float:
        parts = weight.reshape(-1, group)
        scale = parts.abs().amax(1, keepdim=True)
        error = store(parts / scale) * scale - parts
        return round(float((error.square().mean() / parts.square().mean()).sqrt()), 4)

    found["int4 by groups"] = [lost(group, lambda x: _rounded(x, 7)) for group in GROUPS]
    found["int8 by rows"] = lost(1024, lambda x: _rounded(x, 127))
    found["e4m3 by rows"] = lost(1024, lambda x: _stored(x, E4M3))
    return found


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the largest errors of numbers by size, and beside them the mean ones of a matrix by its bits."""
    figure.set_figheight(2.7)
    left, right = figure.subplots(1, 2)
    for name, colour in (("int8", ORANGE), ("e5m2", GREEN), ("e4m3", BLUE)):
        left.semilogy(BINADES, numbers[name], "o-", color=colour, markersize=3, label=name)
    left.set_title("largest error, as a share of the number")
    left.set_xlabel("number / largest of its block")
    left.set_xticks([-16, -12, -8, -4, -1], ["2⁻¹⁶", "2⁻¹²", "2⁻⁸", "2⁻⁴", "½"])
    left.set_yticks([0.01, 0.1, 1], ["1 %", "10 %", "all"])
    bits = [4 + 16 / group for group in GROUPS]
    right.plot(bits, numbers["int4 by groups"], "o-", color=PURPLE, markersize=3, label="int4, a scale for 16 … 1024")
    for name, marker, colour in (("int8 by rows", "s", ORANGE), ("e4m3 by rows", "^", BLUE)):
        right.plot(8 + 16 / 1024, numbers[name], marker, color=colour, linestyle="", label=name)
    right.set_title("error of a matrix with outliers")
    right.set_xlabel("bits a value, with its share of 16-bit scales")
    right.set_xlim(3.8, 8.4)
    right.set_ylim(0, None)
    right.set_yticks([0, 0.1, 0.2, 0.3, 0.4], ["0", "10 %", "20 %", "30 %", "40 %"])
    left.minorticks_off()
    for axes in (left, right):
        axes.legend(fontsize=8)
