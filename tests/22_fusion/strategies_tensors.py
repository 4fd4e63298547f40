"""What hypothesis draws for kata 22 of tensors: blocks in a row, attention, and what is clipped."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import Shape, integers, pick, shapes
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
    """Many blocks of one size."""

    blocks: int
    size: int
    dtype: str

    @property
    def lines(self) -> Lines:
        """The program: memory is looked at from the fifth block to the end."""
        made = f"torch.arange({self.size}, dtype=torch.{self.dtype}) + place"
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


def _seen(shape: Shape, turned: Shape) -> str:
    """The arguments of a reshape, and what makes that shape of it where two dimensions are turned in memory."""
    if not turned:
        return f"{shape}"
    there = [*shape]
    for place, other in zip(turned, reversed(turned), strict=True):
        there[place] = shape[other]
    return f"{tuple(there)}.transpose{turned}"


class Attention(NamedTuple):
    """Sizes of an attention, and the numbers in it, which come of seeds.

    large: "" for small scores; "both ways" for some from -1000 to 1000, "low" for some from -1000 to -780. Where they
    are large d is 1 in float32: so no score is rounded. turned: two dimensions of q, k and v that lie in memory the
    other way round, or none.
    """

    lead: Shape
    n: int
    s: int
    d: int
    e: int
    block: int
    causal: str
    dtype: str
    large: str
    seeds: tuple[int, int, int]
    turned: Shape = ()

    @property
    def hides(self) -> bool:
        """Whether it is causal."""
        return "True" in self.causal

    @property
    def shapes(self) -> tuple[Shape, Shape, Shape]:
        """Of q, k and v."""
        return (*self.lead, self.n, self.d), (*self.lead, self.s, self.d), (*self.lead, self.s, self.e)

    @property
    def made(self) -> Lines:
        """The lines that make q, k and v."""
        q, k = (11, 5, 0.25), (13, 5, 0.25)
        if self.large == "both ways":
            q, k = (5, 2, round(500 / math.sqrt(self.d), 1)), (5, 2, 0.5)
        if self.large == "low":
            q, k = (5, 40, round(25 / math.sqrt(self.d), 1)), (5, 32, -0.03125)
        return [
            f"{name} = {self._tensor(shape, seed, *numbers)}"
            for name, shape, seed, numbers in zip("qkv", self.shapes, self.seeds, (q, k, (17, 5, 0.25)), strict=True)
        ]

    def _tensor(self, shape: Shape, seed: int, modulus: int, less: int, times: float) -> str:
        """An expression for a tensor: a matrix of a few numbers shows them."""
        if len(shape) == 2 and math.prod(shape) <= FEW and not self.turned:
            rows, columns = shape
            each = [(place * seed % modulus - less) * times for place in range(math.prod(shape))]
            matrix = [each[row * columns : (row + 1) * columns] for row in range(rows)]
            return f"torch.tensor({matrix}, dtype=torch.{self.dtype})"
        made = f"(torch.arange({math.prod(shape)}, dtype=torch.{self.dtype}) * {seed} % {modulus} - {less})"
        return f"{made}.reshape{_seen(shape, self.turned)} * {times}"

    @property
    def call(self) -> str:
        """The line that calls it."""
        return f"y = flash_attention(q, k, v, {self.block}{self.causal})"

    @property
    def most(self) -> int:
        """Elements that a tensor may have."""
        tile = (*self.lead, min(self.block, self.n), min(self.block, self.s))
        return max(map(math.prod, (*self.shapes, (*self.lead, self.n, self.e), tile)))


CAUSAL = ("", ", causal=True", ", True", ", False")
FEW = 12
"""Numbers that are written out."""


@functools.cache
@classes(
    {
        "causal": lambda case: case.hides,
        "not causal": lambda case: not case.hides,
        "more queries than keys, causal": lambda case: case.hides and case.n > case.s,
        "more keys than queries, causal": lambda case: case.hides and case.n < case.s,
        "large scores": lambda case: case.large == "both ways",
        "large scores, several blocks": lambda case: case.large == "both ways" and case.block < case.s,
        "low scores alone": lambda case: case.large == "low",
        "several blocks": lambda case: case.block < min(case.n, case.s),
        "a last block that is shorter": lambda case: case.n % case.block or case.s % case.block,
        "one block": lambda case: case.block >= max(case.n, case.s),
        "blocks of 1": lambda case: case.block == 1,
        "d is not e": lambda case: case.d != case.e,
        "no leading dimension": lambda case: not case.lead,
        "two leading dimensions": lambda case: len(case.lead) == 2,
        "float32": lambda case: case.dtype == "float32",
        "large scores in float32": lambda case: case.dtype == "float32" and case.large == "both ways",
        "low scores alone in float32": lambda case: case.dtype == "float32" and case.large == "low",
        "a matrix turned in memory": lambda case: case.turned == (-2, -1) and min(case.n, case.s, case.d, case.e) > 1,
        "heads between the tokens": lambda case: case.turned == (-3, -2) and min(case.n, case.s, *case.lead) > 1,
        "a query": lambda case: case.n == 1 < case.s,
        "a key": lambda case: case.s == 1 < case.n,
    }
)
def attentions() -> SearchStrategy[Attention]:
    """Attention of a few tokens."""
    return _attentions(measured=False)


@functools.cache
@classes(
    {
        "the table is too large": lambda case: math.prod((*case.lead, case.n, case.s)) > case.most,
        "a strip of all keys is too large": lambda case: math.prod((*case.lead, case.block, case.s)) > case.most,
        "a strip of all queries is too large": lambda case: math.prod((*case.lead, case.n, case.block)) > case.most,
        "hidden blocks": lambda case: case.hides and case.block < case.s,
        "causal with n other than s": lambda case: case.hides and case.n != case.s,
        "not causal": lambda case: not case.hides,
        "a batch": lambda case: math.prod(case.lead) > 1,
    }
)
def measured_attentions() -> SearchStrategy[Attention]:
    """Attention whose tensors are looked at: d and e are small, so that a table is larger than all else."""
    return _attentions(measured=True)


@st.composite
def _attentions(draw: DrawFn, measured: bool) -> Attention:
    lead = pick(draw, ((), (2,), (2, 3), (1,), (3,)))
    block = pick(draw, (2, 4, 3, 8, 32, 1) if not measured else (4, 2, 3, 8, 5))
    small = block < 2 or math.prod(lead) > 3
    lengths = (3, 5, 2, 1, 4, 8) if small else (3, 5, 8, 2, 9, 13, 1, 17)
    n, s = (pick(draw, lengths) for _ in range(2))
    if measured:
        n, s = (pick(draw, (9, 12, 13, 17, 16, 8, 5)) for _ in range(2))
        lead = lead[:1]
    d, e = draw(integers(2, 3 if measured else 5)), draw(integers(3, 4)) if not measured else pick(draw, (1, 2))
    dtype = pick(draw, ("float64", "float64", "float32"))
    large = pick(draw, ("", "both ways", "low"))
    if large:
        d = min(d, 2) if dtype == "float64" else 1
    seeds = draw(integers(3, 10)), draw(integers(5, 12)), draw(integers(7, 16))
    turned: Shape = pick(draw, ((), (-2, -1), (-3, -2) if lead else (-2, -1)))
    return Attention(lead, n, s, d, e, block, pick(draw, CAUSAL), dtype, large, seeds, turned)


LONG, SHORT = 64, 8
"""Tokens and a block, so that a few tensors of the result's size are far less than half a table."""


@functools.cache
@classes({"causal": lambda case: case.hides, "not causal": lambda case: not case.hides})
def long_attentions() -> SearchStrategy[Attention]:
    """Attention of many tokens, whose table is larger than all else by far."""
    return st.builds(
        lambda causal, *seeds: Attention((), LONG, LONG, 2, 2, SHORT, causal, "float64", "", seeds),
        st.sampled_from(("", ", True")),
        integers(3, 10),
        integers(5, 12),
        integers(7, 16),
    )


@functools.cache
@classes({"0": lambda case: case.block == 0, "below 0": lambda case: case.block < 0})
def no_blocks() -> SearchStrategy[Attention]:
    """Attention in blocks of nothing."""
    return st.builds(
        lambda block, causal: Attention((), 2, 3, 2, 3, block, causal, "float64", "", (3, 5, 7)),
        st.sampled_from((0, -1, -2, -8)),
        st.sampled_from(CAUSAL),
    )


class Clip(NamedTuple):
    """A tensor and the norm that it may have."""

    shape: Shape
    numbers: list[float]
    dtype: str
    limit: float
    turned: bool = False

    @property
    def made(self) -> str:
        """The line that makes x; turned: its last two dimensions lie in memory the other way round."""
        if self.turned:
            *lead, rows, columns = self.shape
            return f"x = {tensor((*lead, columns, rows), self.numbers, self.dtype)}.mT"
        return f"x = {tensor(self.shape, self.numbers, self.dtype)}"

    @property
    def norm(self) -> float:
        """How long it is."""
        return math.hypot(*self.numbers)


@functools.cache
@classes(
    {
        "longer": lambda case: case.norm > case.limit,
        "a little longer": lambda case: case.limit < case.norm < 2 * case.limit,
        "shorter": lambda case: 0 < case.norm < case.limit,
        "a little shorter": lambda case: case.limit / 2 < case.norm < case.limit,
        "as long": lambda case: 0 < case.norm == case.limit,
        "zeros": lambda case: math.prod(case.shape) > 0 == case.norm,
        "no elements": lambda case: 0 in case.shape,
        "0-d": lambda case: case.shape == (),
        "longer by the sum of its elements alone": lambda case: case.norm < case.limit < sum(map(abs, case.numbers)),
        "several dimensions": lambda case: len(case.shape) > 1 and 0 < case.limit < case.norm,
        "a long one": lambda case: case.norm > 500,
        "turned in memory": lambda case: case.turned and min(case.shape[-2:]) > 1,
        "float32": lambda case: case.dtype == "float32",
        "float64": lambda case: case.dtype == "float64",
    }
)
@st.composite
def clips(draw: DrawFn) -> Clip:
    """What is longer than the limit, or not, zeros and nothing among it."""
    shape = draw(shapes(3, 3))
    turned: bool = len(shape) > 1 and pick(draw, (False, True, False))
    if turned:
        shape = *shape[:-2], max(shape[-2], 2), max(shape[-1], 2)
    dtype = pick(draw, ("float32", "float64"))
    kind = pick(draw, ("any", "close", "any", "close", "zeros", "exact"))
    size = math.prod(shape)
    numbers = [2 * x for x in values(draw, size)]
    if kind == "zeros":
        numbers = [0.0] * size
    if kind == "exact":
        shape, numbers = pick(draw, (((2,), [3.0, 4.0]), ((2, 1), [-3.0, 4.0]), ((), [-5.0]), ((3,), [5.0, 0.0, 0.0])))
        return Clip(shape, numbers, dtype, 5.0)
    times = pick(draw, (1, 1, 1000))
    numbers = [times * x for x in numbers]
    limit = pick(draw, (1.0, 2.5, 0.5, 10.0, 0.125, 100.0))
    if kind == "close" and any(numbers):
        limit = math.ceil(8 * math.hypot(*numbers) * pick(draw, (0.75, 1.25, 0.9, 1.125, 1.5))) / 8
    return Clip(shape, numbers, dtype, limit, turned)
