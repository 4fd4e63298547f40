"""Places of the elements of a view."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

MOST = 100
"""A view of more elements is not drawn."""


def places(shape: Sequence[int], strides: Sequence[int], offset: int = 0) -> list[int]:
    """Return the place of each element of a view in its storage, in the order of the elements."""
    if 0 in shape:
        return []  # before looking at the other sizes, which may be huge
    steps = ([index * stride for index in range(size)] for size, stride in zip(shape, strides, strict=True))
    return [offset + sum(step) for step in itertools.product(*steps)]
