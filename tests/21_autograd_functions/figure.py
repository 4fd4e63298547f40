"""The figure of lesson 21: the largest tensor of a loss in blocks, and what is kept for its backward pass."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from dojo.figures import BLUE, ORANGE
from dojo.judging.diagnose import solution

from ..shared.own_functions import keeping, watching

ROWS, WIDTH, CLASSES = 64, 8, 512
BLOCKS = (1, 2, 4, 8, 16, 24, 32, 48, 64)
VOCABULARIES = (64, 128, 256, 384, 512)
IN_ONE_GO, IN_BLOCKS = "x @ weight.T, cross_entropy", "in blocks of 8 rows"


def measure() -> dict[str, Any]:
    """The largest tensor of forward and backward by rows at a time; KiB kept after the forward, by classes."""
    blocks = solution("21_autograd_functions").linear_cross_entropy
    largest = []
    for rows in BLOCKS:
        with watching() as seen:
            blocks(*_arguments(CLASSES), rows).backward()
        largest.append(seen.largest)
    with watching() as seen:
        _in_one_go(*_arguments(CLASSES)).backward()
    kept: dict[str, list[int]] = {IN_ONE_GO: [], IN_BLOCKS: []}
    for classes in VOCABULARIES:
        with keeping() as found:
            loss = _in_one_go(*_arguments(classes))
        kept[IN_ONE_GO].append(found.bytes)
        with keeping() as found:
            loss = blocks(*_arguments(classes), 8)
        kept[IN_BLOCKS].append(found.bytes)
        del loss
    return {"largest": largest, "in one go": seen.largest, **kept}


def _arguments(classes: int) -> tuple[Tensor, Tensor, Tensor]:
    x, weight = torch.zeros(ROWS, WIDTH, requires_grad=True), torch.zeros(classes, WIDTH, requires_grad=True)
    return x, weight, torch.zeros(ROWS, dtype=torch.int64)


def _in_one_go(x: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    return F.cross_entropy(x @ weight.mT, targets)


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the elements, and beside them the KiB."""
    figure.set_figheight(2.6)
    left, right = figure.subplots(1, 2)
    left.plot(BLOCKS, numbers["largest"], color=BLUE, marker="o", markersize=3, label="in blocks")
    left.axhline(numbers["in one go"], color=ORANGE, label="in one go")
    left.set_title(f"elements of the largest tensor, {ROWS} rows")
    left.set_xlabel("rows at a time")
    left.set_ylim(0)
    left.legend(fontsize=8, loc="lower right")
    for name, colour in ((IN_ONE_GO, ORANGE), (IN_BLOCKS, BLUE)):
        right.plot(VOCABULARIES, [size / 1024 for size in numbers[name]], color=colour, label=name)
    right.set_title("KiB kept for the backward pass")
    right.set_xlabel("classes")
    right.set_ylim(0)
    right.legend(fontsize=8)
