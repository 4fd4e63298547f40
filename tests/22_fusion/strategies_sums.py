"""What hypothesis draws for kata 22 of sums: blocks in a row."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

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

NOTHING = -math.inf


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
        "numbers above 1000": _some(lambda row: any(x > 1000 for x in row)),
        "numbers below -2800 alone": lambda case: any(case.rows) and all(x < -2800 for row in case.rows for x in row),
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
    kind = pick(draw, ("small", "small", "large", "low", "large"))
    rows = [_row(draw, kind) for _ in range(count)]
    dtype = pick(draw, ("float64", "float32", "bfloat16", "float16"))
    nothing: bool = pick(draw, (*(False,) * 9, True))
    if nothing:
        rows = [[NOTHING] * max(1, len(row)) for row in rows]
    return Blocks(rows, dtype, pick(draw, FORMS))


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
    if kind == "low":
        row = [-2864.0 - 64 * abs(x) for x in row]
    twist = pick(draw, ("none", "none", "none", "one", "all"))
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
    """Many blocks of one size, whose elements all differ."""

    blocks: int
    size: int
    dtype: str

    @property
    def lines(self) -> Lines:
        """The program: memory is looked at from the fifth block to the end."""
        made = f"torch.arange({self.size}, dtype=torch.{self.dtype}) / {self.size} + place"
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
    return st.builds(Stream, integers(16, 20, 14), st.just(1024), st.sampled_from(("float64", "float32")))
