"""A pattern in parts: what a side is made of, how it is written, and the shape that it describes."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..shared.shapes import Shape

Dim = str | tuple[str, ...]
"""A name, "1" or "..."; or a group of them, which may be empty."""

Side = tuple[Dim, ...]
Sizes = dict[str, int]

DOTS = "..."


def names_of(side: Sequence[Dim]) -> list[str]:
    """The names of a side, dots and ones left out."""
    words = (word for dim in side for word in ((dim,) if isinstance(dim, str) else dim))
    return [word for word in words if word not in ("1", DOTS)]


def has_dots(side: Sequence[Dim]) -> bool:
    """Whether dots stand in a side, in a group or alone."""
    return any(dim == DOTS or (isinstance(dim, tuple) and DOTS in dim) for dim in side)


def shape_of(side: Sequence[Dim], size_of: Sizes, dots: Shape = ()) -> Shape:
    """The shape that a side describes, where the dots stand for these dimensions."""
    found: list[int] = []
    for dim in side:
        if dim == DOTS:
            found += dots
        else:
            words = (dim,) if isinstance(dim, str) else dim
            found.append(math.prod(math.prod(dots) if word == DOTS else size_of.get(word, 1) for word in words))
    return tuple(found)


STYLES = 3
"""In how many ways blanks are put."""


def written(side: Sequence[Dim]) -> str:
    """A side as text."""
    return " ".join(dim if isinstance(dim, str) else f"({' '.join(dim)})" for dim in side)


def styled(text: str, style: int) -> str:
    """A pattern or a side of one with single blanks, with as few as can be, or with many."""
    if style == 1:
        return re.sub(r" ?([()]|->|,) ?", r"\1", text)
    if style == 2:
        return "  " + re.sub(r"([()]|->|,)", r" \1 ", text).replace(" ", "  ")
    return text


@dataclass(frozen=True)
class Pattern:
    """A pattern, the size of each name, the dimensions that the dots stand for, and the sizes that are given."""

    left: Side
    right: Side
    size_of: Sizes
    dots: Shape
    sizes: Sizes
    style: int = 0

    @functools.cached_property
    def shape(self) -> Shape:
        """What the left side describes."""
        return shape_of(self.left, self.size_of, self.dots)

    @functools.cached_property
    def text(self) -> str:
        """The pattern as it is written."""
        return styled(f"{written(self.left)} -> {written(self.right)}", self.style)

    @functools.cached_property
    def names(self) -> str:
        """The left side as it is written."""
        return styled(written(self.left), self.style)

    @property
    def lost(self) -> set[str]:
        """The names that the right side lacks."""
        return {*names_of(self.left)} - {*names_of(self.right)}

    @property
    def new(self) -> set[str]:
        """The names that the left side lacks."""
        return {*names_of(self.right)} - {*names_of(self.left)}
