"""The figure of lesson 23: what autograd saves of a batch by plan, and the FLOPs of its step."""

from typing import Any

from torch.utils.checkpoint import set_checkpoint_early_stop

from dojo.figures import BLUE, FAINT, GREEN, ORANGE

from . import tasks, truth
from .measuring import Flops

BATCH = 8
MICRO_BATCHES = (1, 2, 4, 8)
AGAIN = range(tasks.LAYERS + 1)


def measure() -> dict[str, Any]:
    """Bytes saved of each micro-batch, with so many blocks recomputed; FLOPs of a step of the batch, by kind."""
    sizes = tasks.VOCAB, tasks.CONTEXT, tasks.DIM, tasks.LAYERS, tasks.HEADS
    numbers: dict[str, Any] = {
        f"bytes, {again} recomputed": [truth.saved(micro, *sizes, again) for micro in MICRO_BATCHES] for again in AGAIN
    }
    for again in AGAIN:
        with set_checkpoint_early_stop(False), Flops() as counted:
            model, tokens = truth.made(BATCH, *sizes)
            truth.summed_loss(model, tokens, again).backward()
        numbers[f"FLOPs, {again} recomputed"] = counted.parts
    return numbers


def draw(numbers: dict[str, Any], figure: Any) -> None:
    """Draw the bytes, and beside them the FLOPs."""
    figure.set_figheight(2.6)
    left, right = figure.subplots(1, 2)
    for again, colour, line in zip(AGAIN, (ORANGE, BLUE, BLUE), ("-", "-", ":"), strict=True):
        kib = [size / 1024 for size in numbers[f"bytes, {again} recomputed"]]
        left.plot(MICRO_BATCHES, kib, color=colour, linestyle=line, marker="o", markersize=3, label=str(again))
    left.axhline(tasks.NBYTES / 1024, color=FAINT, linewidth=1)
    left.annotate("24 000 bytes", (8, tasks.NBYTES / 1024), (8, 48), fontsize=8, ha="right", color=FAINT)
    left.set_title("KiB saved of a part of the batch")
    left.set_xlabel("sequences in it")
    left.set_xticks(MICRO_BATCHES)
    left.set_ylim(0)
    left.legend(fontsize=8, title="blocks recomputed", title_fontsize=8)
    begin = [0.0] * len(AGAIN)
    for part, colour in (("forward", BLUE), ("backward", GREEN), ("recomputed", ORANGE)):
        amounts = [numbers[f"FLOPs, {again} recomputed"][part] / 1e6 for again in AGAIN]
        right.barh([*AGAIN], amounts, left=begin, color=colour, label=part)
        begin = [one + amount for one, amount in zip(begin, amounts, strict=True)]
    right.set_title("millions of FLOPs of a step of 8")
    right.set_ylabel("blocks recomputed")
    right.set_yticks([*AGAIN])
    right.legend(fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.45, -0.12))
