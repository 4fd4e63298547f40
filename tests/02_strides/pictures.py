"""What a report draws beside a failing example of kata 02: views in their storage."""

from __future__ import annotations

import math
from typing import TypeGuard

from dojo.judging.pictures import Cells

from ..shared.described import View
from ..shared.views import MOST, places

FAR = 10**9
"""Nor is one that reaches further."""

NUMBERED = "The number in a cell is the element of the view that lies there."


def views(*named: tuple[str, object]) -> Cells | None:
    """Views (shape, strides, offset) in one storage; a value that is not a view is left out.

    None if there is nothing to see: no elements, nothing to compare yours with, or the same places as torch's.
    """
    drawable = [(name, view) for name, view in named if _is_view(view)]
    rows = [(name, found, "") for name, view in drawable if all(map(_is_near, found := places(*view)))]
    there = {name: places for name, places, _ in rows}
    if there.keys() <= {"yours"} or not any(there.values()) or there.get("yours") == there.get("torch's", ()):
        return None
    return Cells(rows, NUMBERED)


def extents(view: View, answer: object, right: int) -> Cells | None:
    """A view, and a storage of as many cells as each answer says that it needs."""
    sizes = {"yours": answer, "torch's": right}
    rows = [(name, list(range(size)), "■") for name, size in sizes.items() if type(size) is int and 0 <= size <= MOST]
    if not _is_view(view) or not all(map(_is_near, found := places(*view))):
        return None
    return Cells([("the view", found, ""), *rows], f"{NUMBERED} ■ is storage.")


def reads(answer: object, right: int) -> Cells | None:
    """The cell that is read, and the one that should be read. None if that one is too far away."""
    if not _is_near(right):
        return None
    read = {"yours": answer, "torch's": right}
    return Cells([(name, [place], "×") for name, place in read.items() if _is_near(place)], "× is what is read.")


def _is_near(place: object) -> TypeGuard[int]:
    return type(place) is int and abs(place) <= FAR


def _is_view(value: object) -> TypeGuard[View]:
    if type(value) is not tuple or len(value) != 3:
        return False
    shape, strides, offset = value
    if type(shape) is not tuple or type(strides) is not tuple or len(shape) != len(strides):
        return False
    if not all(type(number) is int for number in (*shape, *strides, offset)):
        return False
    return all(size >= 0 for size in shape) and math.prod(shape) <= MOST
