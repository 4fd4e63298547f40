"""The figure of lesson 07: the gap above each number, in four formats."""

import math
from typing import Any

import torch

from dojo.figures import BLUE, FAINT, GREEN, ORANGE, PURPLE

FORMATS = {"float8_e4m3fn": PURPLE, "bfloat16": GREEN, "float16": ORANGE, "float32": BLUE}
EXPONENTS = -16, 17
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def measure() -> dict[str, Any]:
    """Let torch show the number after each power of two that a format has, and take the difference."""
    found: dict[str, Any] = {}
    for name in FORMATS:
        dtype = getattr(torch, name)
        bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32}[dtype.itemsize]
        powers = torch.tensor([2.0**e for e in range(*EXPONENTS)])
        numbers = powers[powers.to(dtype).double() == powers].to(dtype)  # of the rest, there is no pattern
        above = (numbers.view(bits) + 1).view(dtype).double()
        gaps = above - numbers.double()
        found[name] = [[x, gap] for x, gap in zip(numbers.tolist(), gaps.tolist(), strict=True)]
    return found


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the gaps as stairs, which double with each power of two."""
    figure.set_figheight(3.2)
    axes = figure.add_subplot()
    for name, colour in FORMATS.items():
        x, gaps = zip(*numbers[name], strict=True)
        last = min(2 * x[-1], 448.0) if name == "float8_e4m3fn" else 2 * x[-1]
        axes.step([*x, last], [*gaps, gaps[-1]], where="post", color=colour)
        place = (x[0], 16 * gaps[0]) if name == "float8_e4m3fn" else (last * 1.2, gaps[-1])  # else on other stairs
        axes.text(*place, name, color=colour, va="center")
    axes.axvline(1, color=FAINT, linestyle=":", linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, place: f"2{str(round(math.log2(value))).translate(RAISED)}")
    axes.set_xlim(2.0**-16, 2.0**23)
    axes.set_xlabel("a number")
    axes.set_title("the gap to the next larger number")
