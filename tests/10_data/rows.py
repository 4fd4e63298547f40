"""Rows of tokens in which each token tells its place."""

from __future__ import annotations

from typing import NamedTuple

import torch
from hypothesis.strategies import DrawFn
from torch import Tensor

from ..shared.described import Lines
from ..shared.shapes import pick

WIDTHS = {"uint8": 2**8, "uint16": 2**16, "uint32": 2**32, "int32": 2**31}
"""How many tokens each dtype tells apart."""


class Row(NamedTuple):
    """A row of `size` tokens, `step` apart: a target is never the token before it plus 1."""

    first: int
    step: int
    size: int
    dtype: str

    @property
    def tokens(self) -> range:
        """Return the tokens."""
        return range(self.first, self.first + self.step * self.size, self.step)

    @property
    def code(self) -> str:
        """Return the row as numpy code."""
        return f"np.arange({self.tokens.start}, {self.tokens.stop}, {self.step}, dtype=np.{self.dtype})"

    def windows(self, starts: list[int], length: int, on: int = 0) -> Tensor:
        """Return the windows at these starts, `on` tokens later, as a batch should have them."""
        places = torch.tensor(starts, dtype=torch.int64)[:, None] + on + torch.arange(length)
        return self.first + self.step * places


def row(draw: DrawFn, count: int, dtypes: tuple[str, ...] = ("uint16", "uint8", "uint32", "int32")) -> Row:
    """Draw a row. Half of the rows have the largest token of their dtype, which no narrower or signed dtype holds."""
    dtype = pick(draw, dtypes)
    step = pick(draw, (10, 3, 7)) if count <= 24 else 2 if count <= 120 else 1
    top = WIDTHS.get(dtype, 2**40)
    first = pick(draw, (10, top - 1 - step * (count - 1)))
    return Row(first, step, count, "uint16" if dtype == "uint8" and first < 0 else dtype)


def kept(draw: DrawFn, made: Row) -> Lines:
    """Return lines that make the row `tokens`: in memory, or in a file that is only read."""
    if pick(draw, (True, True, False)):
        return [f"tokens = {made.code}"]
    return [f'{made.code}.tofile("tokens.bin")', f'tokens = np.memmap("tokens.bin", np.{made.dtype}, "r")']
