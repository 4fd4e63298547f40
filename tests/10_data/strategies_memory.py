"""What hypothesis draws for kata 10 of files that are too large to be read by mistake."""

from __future__ import annotations

import functools

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import pick
from .scenarios import LARGE

MADE = f'with open("tokens.bin", "wb") as file: _ = file.truncate({LARGE})'
BEFORE = "before = resident()"


@functools.cache
@classes(
    {
        "two bytes a token": lambda lines: "50257" in lines[2],
        "four bytes a token": lambda lines: "50257" not in lines[2],
    }
)
def large_files() -> SearchStrategy[Lines]:
    """A file that is opened, and looked at in some places."""
    return _large_files()


@st.composite
def _large_files(draw: DrawFn) -> Lines:
    opened = f'tokens = open_tokens("tokens.bin", {pick(draw, (50257, 100277, 50257))})'
    return [MADE, BEFORE, opened, f"seen = {pick(draw, ('tokens[:500]', 'tokens[-500:]'))}.tolist()"]


@functools.cache
@classes({"a few windows": lambda lines: lines})
def batches_of_large_files() -> SearchStrategy[Lines]:
    """A batch of a few windows: each brings in 64 KiB."""
    return _batches_of_large_files()


@st.composite
def _batches_of_large_files(draw: DrawFn) -> Lines:
    size = draw(st.integers(2, 4))
    opened = 'tokens = np.memmap("tokens.bin", np.uint16, "r")'
    return [MADE, opened, BEFORE, f"x, y = get_batch(tokens, {size}, {draw(st.integers(4, 16))})"]
