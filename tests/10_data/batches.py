"""What a batch has to be: windows of a row of tokens, and the same windows one token later."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from dojo.judging.expect import Mismatch
from dojo.seam.data import shown

from .rows import Row


def expect_batch(
    x: Any, y: Any, row: Row, batch_size: int, length: int, of: tuple[str, str], device: str = "cpu", every: int = 1
) -> list[int]:
    """Fail unless x holds windows and y the same windows one token later; return where they start.

    of: the expressions for x and y. every: what the starts are multiples of. The example in the report has the
    learner's own starts, if these can be known.
    """
    last = row.size - length - 1
    tokens = row.tokens
    well_formed = _is_int64(x, batch_size, length, device)
    first = x[:, 0].tolist() if well_formed else [tokens[0]] * batch_size
    places = [tokens.index(token) if token in tokens else 0 for token in first]
    starts = [min(place, last) // every * every for place in places]
    for got, name, on, says in ((x, of[0], 0, "for example"), (y, of[1], 1, "should be")):
        want = row.windows(starts, length, on).to(device)
        if not _is_int64(got, batch_size, length, device):
            raise Mismatch(
                got, f"an int64 tensor of shape {(batch_size, length)} on {device}", "should be", want, of=name
            )
        if not torch.equal(got, want):
            raise Mismatch(got, shown(want), says, want, of=name)
    return starts


def _is_int64(x: Any, batch_size: int, length: int, device: str) -> bool:
    return type(x) is Tensor and (x.dtype, x.shape, x.device.type) == (torch.int64, (batch_size, length), device)


def expect_epoch(starts: list[list[int]], sizes: Any, epoch: int) -> None:
    """Fail if a window comes twice among those of all ranks; each is named by its first token."""
    tokens = sizes.row.tokens
    found = [tokens[start] for rank in starts for start in rank]
    twice = sorted({token for token in found if found.count(token) > 1})
    if twice:
        who = "all ranks together" if sizes.world_size > 1 else "the windows"
        raise Mismatch(
            sorted(found), f"{len(found)} different ones", "should be", of=f"first tokens of {who}, epoch {epoch},"
        )
