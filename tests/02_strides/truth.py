"""What torch says of views: each made on the same case, never recomputed by the formula under test."""

from __future__ import annotations

import types
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
"""A storage whose elements are their own places. Every view of a chain fits into it."""

NO_ELEMENTS = torch.empty(0, dtype=torch.uint8, device="meta")
"""Elements of one byte: torch counts bytes too, and those have to stay below 2**63."""


def metadata(shape: Shape, strides: Shape, offset: int = 0) -> Tensor:
    """A tensor with these numbers and no storage: torch computes views of it without checking whether they fit."""
    return NO_ELEMENTS.as_strided(shape, strides, offset)


def place(index: Shape, view: View) -> int:
    """Where torch finds the element at this index of the view."""
    return int(metadata(*view)[index].storage_offset())


def unravel_index(flat: int, shape: Shape) -> Shape:
    """NumPy's answer; torch_facts.py checks that it is torch's. torch's own function would import sympy first."""
    return tuple(int(place) for place in np.unravel_index(flat, shape))


def sliced(x: Tensor, dim: int, *where: int | None) -> Tensor:
    """x[..., start:stop:step, ...] along one dimension, which Python's own indexing counts from either end."""
    every = (slice(None),)
    index: Any = (*every * dim, slice(*where)) if dim >= 0 else (..., slice(*where), *every * (-dim - 1))
    return x[index]


def viewed_as(x: Tensor, shape: Shape) -> Tensor | None:
    """x.view(shape), or None if torch refuses."""
    try:
        return x.view(shape)
    except RuntimeError:
        return None


def smallest_storage(view: View) -> int:
    """The number of elements to which an empty storage grows when torch makes the view on it."""
    shape, strides, offset = view
    storage = torch.UntypedStorage(0, device="meta")
    torch.empty(0, dtype=torch.uint8, device="meta").set_(storage, offset, shape, strides)
    return storage.nbytes()


def share_an_element(a: View, b: View) -> bool:
    """NumPy's answer; torch_facts.py checks that it is torch's. No storage reaches as far as these places."""
    return bool(np.shares_memory(addressed(a), addressed(b)))


def addressed(view: View) -> np.ndarray:
    """An array of bytes at these addresses, which are never read."""
    shape, strides, offset = view
    address = 1 + offset  # NumPy takes 0 for no address at all
    described = {"shape": shape, "strides": strides, "data": (address, True), "typestr": "|u1", "version": 3}
    return np.asarray(types.SimpleNamespace(__array_interface__=described))
