"""What torch says of views: each made on the same case, never recomputed by the formula under test."""

from __future__ import annotations

import bisect
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..shared.described import View
from ..shared.described import view_of as described
from ..shared.errors import refusal
from ..shared.shapes import Shape

__all__ = ["described", "refusal"]

STORAGE = torch.arange(1 << 13)
"""A storage whose elements are their own places. Every view that is drawn fits into it."""


def viewed(view: View, storage: Tensor = STORAGE) -> Tensor:
    """The real tensor of a view (shape, strides, offset) of the storage."""
    return storage.as_strided(*view)


def metadata(shape: Shape, strides: Shape, offset: int = 0) -> Tensor:
    """A tensor with these numbers and no storage: torch computes views of it without looking whether they fit."""
    return torch.empty(0, device="meta").as_strided(shape, strides, offset)


def unravel_index(flat: int, shape: Shape) -> Shape:
    """numpy's answer, which a test of torch's facts holds to be torch's: torch's own would import sympy first."""
    return tuple(int(place) for place in np.unravel_index(flat, shape))


def sliced(x: Tensor, dim: int, *where: int | None) -> Tensor:
    """x[..., start:stop:step, ...] along one dimension, which Python's own indexing counts from either end."""
    every = (slice(None),)
    index: Any = (*every * dim, slice(*where)) if dim >= 0 else (..., slice(*where), *every * (-dim - 1))
    return x[index]


def viewed_as(x: Tensor, shape: Shape) -> Tensor | None:
    """x.view(shape), or None where torch refuses."""
    try:
        return x.view(shape)
    except RuntimeError:
        return None


def smallest_storage(view: View) -> int:
    """The number of elements of the smallest storage on which torch makes the view; it grows until torch does."""

    def fits(numel: int) -> bool:
        try:
            viewed(view, torch.empty(numel))
        except RuntimeError:
            return False
        return True

    return bisect.bisect_left(range(len(STORAGE) + 1), True, key=fits)


def share_an_element(a: View, b: View) -> bool:
    """Write through one view of a fresh storage, and look through the other."""
    storage = torch.zeros(len(STORAGE), dtype=torch.bool)
    storage[viewed(a).flatten()] = True
    return bool(viewed(b, storage).any())
