"""What hypothesis draws for kata 10 of batches from random starts."""

from __future__ import annotations

import functools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.repeated import Again, by_name, drawn_again
from ..shared.shapes import integers, pick
from .rows import WIDTHS, Row, kept, row


class Batch(NamedTuple):
    """Lines that make the batch (x, y), and what it is made of."""

    lines: Lines
    row: Row
    batch_size: int
    length: int


def _seeded(draw: DrawFn) -> tuple[Lines, str]:
    """A line that seeds, and the last argument: a generator, or none."""
    seed = draw(st.integers(0, 9999))
    if pick(draw, (True, True, False)):
        return [f"g = torch.Generator().manual_seed({seed})"], f", {by_name(draw, 'g')}"
    return [f"torch.manual_seed({seed})"], ""


@functools.cache
@classes(
    {
        "one start": lambda case: case.row.size == case.length + 1,
        "two starts": lambda case: case.row.size == case.length + 2,
        "one window": lambda case: case.batch_size == 1,
        "windows of one token": lambda case: case.length == 1,
        "the largest token of the dtype": lambda case: case.row.tokens[-1] == WIDTHS.get(case.row.dtype, 0) - 1,
        "uint8": lambda case: case.row.dtype == "uint8",
        "uint16": lambda case: case.row.dtype == "uint16",
        "uint32": lambda case: case.row.dtype == "uint32",
        "int32": lambda case: case.row.dtype == "int32",
        "tokens in a file": lambda case: "memmap" in case.lines[1],
        "without a generator": lambda case: not any(line.startswith("g =") for line in case.lines),
        "a device": lambda case: "device=" in case.lines[-1],
    }
)
def batches() -> SearchStrategy[Batch]:
    """Batches of a few windows, and as few starts as there may be."""
    return _batches()


@st.composite
def _batches(draw: DrawFn) -> Batch:
    batch_size, length = draw(integers(2, 5)), draw(integers(3, 5))
    made = row(draw, length + pick(draw, (2, 4, 1, 3, 9)))
    seeds, generator = _seeded(draw)
    device = pick(draw, ("", ', device="cpu"'))
    sizes = f"{batch_size}, {length}"
    if pick(draw, (False, False, True)):
        sizes = f"batch_size={batch_size}, sequence_length={length}"
        generator = ", generator=g" if generator else ""
    return Batch(
        [*kept(draw, made), *seeds, f"x, y = batch = get_batch(tokens, {sizes}{generator}{device})"],
        made,
        batch_size,
        length,
    )


@functools.cache
@classes(
    {f"{starts} starts": lambda case, starts=starts: case.row.size - case.length == starts for starts in (2, 3, 4, 5)}
    | {
        "one start": lambda case: case.row.size == case.length + 1,
        "without a generator": lambda case: "torch.manual_seed" in case.lines[1],
    }
)
def many_starts() -> SearchStrategy[Batch]:
    """Batches of so many windows that it can be seen how their starts are drawn."""
    return _many_starts()


MANY, SOME = 4096, 512


class LongText(NamedTuple):
    """Lines that make a batch of MANY windows, and how many starts they have to choose from."""

    lines: Lines
    starts: int


@functools.cache
@classes({"without a generator": lambda case: "torch.manual_seed" in case.lines[1]})
def long_texts() -> SearchStrategy[LongText]:
    """Batches of a text in which each token tells where it lies, of more starts than 16 bits tell apart."""
    return _long_texts()


@st.composite
def _long_texts(draw: DrawFn) -> LongText:
    starts, length = 8 * draw(st.integers(10_000, 12_500)), draw(integers(2, 3))
    seeds, generator = _seeded(draw)
    made = f"tokens = np.arange({starts + length}, dtype=np.uint32)"
    return LongText([made, *seeds, f"x, y = get_batch(tokens, {MANY}, {length}{generator})"], starts)


@functools.cache
@classes({"without a generator": lambda lines: "torch.manual_seed" in lines[1]})
def longest_texts() -> SearchStrategy[Lines]:
    """Batches of a text of 2**26 starts, whose tokens say where they lie, but for what 256 divides."""
    return _longest_texts()


@st.composite
def _longest_texts(draw: DrawFn) -> Lines:
    length = draw(integers(2, 3))
    seeds, generator = _seeded(draw)
    made = f"tokens = np.tile(np.arange(256, dtype=np.uint8), 2**18 + 1)[:2**26 + {length}]"
    return [made, *seeds, f"x, y = get_batch(tokens, {SOME}, {length}{generator})"]


@st.composite
def _many_starts(draw: DrawFn) -> Batch:
    length, starts = draw(integers(2, 3)), pick(draw, (3, 2, 4, 5, 1))
    made = Row(0, 1, length + starts, "uint8")
    seeds, generator = _seeded(draw)
    lines = [f"tokens = {made.code}", *seeds, f"x, y = get_batch(tokens, {MANY}, {length}{generator})"]
    return Batch(lines, made, MANY, length)


@functools.cache
@classes({"with a generator": lambda case: case.has_generator, "without one": lambda case: not case.has_generator})
def repeated_batches() -> SearchStrategy[Again]:
    """Programs that draw, draw again, and draw once more from the first state."""
    return _repeated_batches()


@st.composite
def _repeated_batches(draw: DrawFn) -> Again:
    case = drawn_again(
        draw, f"get_batch(tokens, 64, {draw(integers(2, 3))}", ["x, y, z = (torch.cat(pair) for pair in (x, y, z))"]
    )
    return Again(["tokens = np.arange(30_000, dtype=np.uint16)", *case.lines], case.seed, case.has_generator)


@functools.cache
@classes(
    {
        "int64 in memory": lambda case: case.row.dtype == "int64",
        "windows of one token": lambda case: case.length == 1,
        "one start": lambda case: case.row.size == case.length + 1,
    }
)
def shared_batches() -> SearchStrategy[Batch]:
    """Batches of tokens that may be written to, one in two of the dtype that batches have."""
    return _shared_batches()


@st.composite
def _shared_batches(draw: DrawFn) -> Batch:
    batch_size, length = pick(draw, (2, 1, 3)), draw(integers(3, 4))
    made = row(draw, length + pick(draw, (1, 2, 4)), ("int64", "uint16", "int64", "uint8"))
    seeds, generator = _seeded(draw)
    lines = [f"tokens = {made.code}", *seeds, f"x, y = get_batch(tokens, {batch_size}, {length}{generator})"]
    return Batch(lines, made, batch_size, length)


@functools.cache
@classes(
    {
        "no windows": lambda case: case[1].startswith("0 windows"),
        "windows of no token": lambda case: "of 0 tokens" in case[1],
        "less than none": lambda case: case[1].startswith("-"),
        "no last target": lambda case: case[1].endswith("no target"),
        "far too few tokens": lambda case: "do not fit" in case[1],
        "no token": lambda case: "arange(0, 0" in case[0][0],
    }
)
def no_batches() -> SearchStrategy[tuple[Lines, str]]:
    """Lines of which the last is to be refused, and why."""
    return _no_batches()


@st.composite
def _no_batches(draw: DrawFn) -> tuple[Lines, str]:
    batch_size, length, count = draw(integers(2, 4)), draw(integers(3, 5)), 20
    kind = pick(draw, ("no target", "no windows", "no length", "below", "far", "empty"))
    if kind == "no target":
        count = length
        because = f"of {count} tokens the last one of a window of {length} has no target"
    elif kind in ("far", "empty"):
        count = 0 if kind == "empty" else draw(st.integers(0, length - 1))
        because = f"{length} tokens and one more do not fit into {count}"
    elif kind == "no windows":
        batch_size, because = 0, "0 windows are no batch"
    elif kind == "no length":
        length, because = 0, "a window of 0 tokens is none"
    else:
        size = -draw(st.integers(1, 3))
        batch_size, length = (size, length) if pick(draw, (True, False)) else (batch_size, size)
        because = f"{size} is below 1"
    lines = [f"tokens = np.arange(0, {count}, 1, dtype=np.uint16)", f"x, y = get_batch(tokens, {batch_size}, {length})"]
    return lines, because
