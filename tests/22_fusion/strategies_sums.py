"""What hypothesis draws for kata 22 of sums: blocks in a row."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import integers, pick
from .typed import IMPORT, LIVING, MEASURES, PASSING, WATCHING, tensor, values


class Blocks(NamedTuple):
    """Rows of numbers, one for each block, of one dtype; form is the code of an iterable over `blocks`."""

    rows: list[list[float]]
    dtype: str
    form: str

    @property
    def lines(self) -> Lines:
        """The program."""
        made = ", ".join(tensor((len(row),), row, self.dtype) for row in self.rows)
        return [f"blocks = [{made}]", f"y = online_logsumexp({self.form})"]


FORMS = ("blocks", "iter(blocks)", "(block for block in blocks)", "tuple(blocks)")

KINDS = ("small", "uneven", "large", "uneven", "low", "apart", "large", "uneven", "lowest", "apart", "level", "level")

NOTHING, LOWEST = -math.inf, -3000.0


def _some(test: Callable[[list[float]], bool]) -> Callable[[Any], bool]:
    return lambda case: any(map(test, case.rows))


@functools.cache
@classes(
    {
        "no blocks": lambda case: not case.rows,
        "an empty block": _some(lambda row: not row),
        "a first block that is empty": lambda case: len(case.rows) > 1 and not case.rows[0],
        "a block of -inf": _some(lambda row: bool(row) and max(row) == NOTHING),
        "a first block of -inf": lambda case: (
            len(case.rows) > 1 and bool(case.rows[0]) and max(case.rows[0]) == NOTHING
        ),
        "a last block of -inf": lambda case: (
            len(case.rows) > 1 and bool(case.rows[-1]) and max(case.rows[-1]) == NOTHING
        ),
        "-inf beside numbers": _some(lambda row: bool(row) and min(row) == NOTHING < max(row)),
        "nothing but -inf": lambda case: any(case.rows) and max(map(max, filter(None, case.rows))) == NOTHING,
        "a first block whose largest is 0": lambda case: len(case.rows) > 1 and max(case.rows[0], default=1) == 0,
        "numbers above 1000": _some(lambda row: any(x > 1000 for x in row)),
        "numbers below -2800 alone": lambda case: any(case.rows) and all(x < -2800 for row in case.rows for x in row),
        "-inf beside nothing but -3000": lambda case: {x for row in case.rows for x in row} == {NOTHING, LOWEST},
        "a block 10 below the one before": lambda case: any(
            before and after and -math.inf < max(after) < max(before) - 10 and max(before) < 2
            for before, after in itertools.pairwise(case.rows)
        ),
        "16 bits do not hold a difference": lambda case: any(_rounds(row, case.dtype) for row in case.rows),
        "the largest in the first of several": lambda case: _largest_is(case, 0),
        "the largest in the last of several": lambda case: _largest_is(case, -1),
        "blocks of several lengths": lambda case: len({*map(len, case.rows)}) > 1,
        "an iterator": lambda case: case.form[0] in "i(",
        **{
            dtype: lambda case, dtype=dtype: case.dtype == dtype  # type: ignore[misc]
            for dtype in ("float64", "float32", "bfloat16", "float16")
        },
    }
)
@st.composite
def blocks(draw: DrawFn) -> Blocks:
    """Blocks, in a list, a tuple, or an iterator."""
    count = pick(draw, (2, 3, 1, 4, 5, 0))
    kind = pick(draw, KINDS)
    rows = [_row(draw, kind) for _ in range(count)]
    if kind == "apart" and rows:
        # After one number near 0, so that the result is near 0 too: there 1e-5 is little.
        lower = [pick(draw, (10.5, 10.5, 0)) for _ in rows]
        rows = [[x / 4 - by for x in row] for row, by in zip(rows, lower, strict=True)]
        rows.insert(0, [x / 4 for x in values(draw, 1)])
    dtype = pick(draw, ("float64", "float32", "bfloat16", "float16"))
    if dtype == "bfloat16" and kind in ("large", "lowest"):
        # It rounds 3000 to 3008, which is too much, and holds 2976.
        rows = [[x * 124 / 125 for x in row] for row in rows]
    nothing: bool = pick(draw, (*(False,) * 9, True))
    if nothing:
        rows = [[NOTHING] * max(1, len(row)) for row in rows]
    return Blocks(rows, dtype, pick(draw, FORMS))


def _rounds(row: list[float], dtype: str) -> bool:
    """Whether the difference to the largest has more bits than the dtype, for an element that is near enough to it."""
    if dtype not in ("bfloat16", "float16") or not row or max(row) == NOTHING:
        return False
    kept = torch.tensor(row, dtype=getattr(torch, dtype))
    below = kept.double() - kept.double().max()
    return bool(((kept - kept.max()).double() != below)[below > -5].any())


def _largest_is(case: Blocks, place: int) -> bool:
    if len(case.rows) < 2 or not all(case.rows):
        return False
    tops = [max(row) for row in case.rows]
    return tops[place] == max(tops) and tops.count(max(tops)) == 1


def _row(draw: DrawFn, kind: str) -> list[float]:
    size = pick(draw, (2, 3, 1, 4, 0))
    row = values(draw, size)
    if kind == "large":
        row = [1500.0 * x for x in row]
    if kind == "uneven":
        row = [round(0.3 * x, 3) for x in row]
    if kind == "low":
        row = [-2864.0 - 64 * abs(x) for x in row]
    if kind == "lowest":
        row = [LOWEST] * size
    if kind == "level":
        row = [x - max(row) for x in row]
    twists = {"lowest": ("none", "one", "one"), "level": ("none",)}
    twist = pick(draw, twists.get(kind, ("none", "none", "none", "one", "all")))
    if row and twist == "one":
        row[pick(draw, range(size))] = NOTHING
    return [NOTHING] * size if twist == "all" else row


class Passed(NamedTuple):
    """Lengths of blocks that are asked for one after the other."""

    lengths: list[int]
    dtype: str

    @property
    def lines(self) -> Lines:
        """The program: blocks are made when they are asked for."""
        made = f"(torch.arange(size, dtype=torch.{self.dtype}) for size in {self.lengths})"
        return [
            *(IMPORT, PASSING, MEASURES),
            f"blocks = Passing({made})",
            WATCHING,
            "    y = online_logsumexp(blocks)",
        ]

    @property
    def most(self) -> int:
        """Elements that a tensor may have."""
        return max(len(self.lengths), *self.lengths)


@functools.cache
@classes(
    {
        "more blocks than elements in one": lambda case: len(case.lengths) > max(case.lengths),
        "fewer": lambda case: len(case.lengths) < max(case.lengths),
        "two blocks": lambda case: len(case.lengths) == 2,
        "blocks of several lengths": lambda case: len({*case.lengths}) > 1,
        "float64": lambda case: case.dtype == "float64",
        "float32": lambda case: case.dtype == "float32",
    }
)
def passed() -> SearchStrategy[Passed]:
    """Blocks of two numbers or more."""
    lengths = st.lists(integers(3, 12, 2), min_size=2, max_size=14)
    return st.builds(Passed, lengths, st.sampled_from(("float64", "float32")))


class Stream(NamedTuple):
    """Many blocks, whose elements all differ: small ones, then seven large ones, then small ones again.

    The fifth of the large ones has the largest element.
    """

    blocks: int
    dtype: str

    @property
    def lines(self) -> Lines:
        """The program: memory at the end is compared with that before the large blocks."""
        size = "1024 if 5 <= place < 12 else 32"
        made = f"torch.arange({size}, dtype=torch.{self.dtype}) / 1024 + (place if place < 10 else -place)"
        return [
            *(IMPORT, PASSING, LIVING),
            "with Living() as living:",
            f"    blocks = Passing(({made} for place in range({self.blocks})), living)",
            "    y = online_logsumexp(blocks)",
        ]


@functools.cache
@classes({dtype: lambda case, dtype=dtype: case.dtype == dtype for dtype in ("float64", "float32")})  # type: ignore[misc]
def streams() -> SearchStrategy[Stream]:
    """Blocks of which copies would be larger than numbers by far."""
    return st.builds(Stream, integers(16, 20, 14), st.sampled_from(("float64", "float32")))
