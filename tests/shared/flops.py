"""Count FLOPs with torch's own counter."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.flop_counter import FlopCounterMode

Shape = tuple[int, ...]

SMALL = 1_000_000
"""Tensors of more elements than this are measured on meta, which computes shapes and needs no memory."""


def tensors(device: str, *shapes: Shape) -> list[Tensor]:
    """Return tensors of these shapes on the device, or all of them on meta if one is not small."""
    # A result can be far larger than its operands, and is not empty if only the inner size is 0.
    bounds = sorted(math.prod(max(size, 1) for size in shape) for shape in shapes)
    place = device if math.prod(bounds[-2:]) <= SMALL else "meta"
    return [torch.empty(shape, device=place) for shape in shapes]


def flops(function: Callable[..., Any], *arguments: Any) -> int:
    """Return what torch's own counter counts while the function runs."""
    with FlopCounterMode(display=False) as counter:
        function(*arguments)
    return int(counter.get_total_flops())


def mlp_flops(device: str, batch: int, dims: Shape) -> int:
    """Return the FLOPs of real layers without bias."""
    weights = [(d_out, d_in) for d_in, d_out in itertools.pairwise(dims)]
    x, *matrices = tensors(device, (batch, dims[0]), *weights)
    return flops(nn.Sequential(*map(linear, matrices)), x)


def linear(weight: Tensor) -> nn.Linear:
    """Return a layer without bias with this weight. The weight may be empty, of which the constructor would warn."""
    layer = nn.Linear(1, 1, bias=False)
    layer.weight = nn.Parameter(weight)
    return layer
