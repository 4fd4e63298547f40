"""What hypothesis draws for kata 22 of attention."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.shapes import Shape, integers, pick


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
    def again(self) -> str:
        """The line that calls it once more, with other queries."""
        return f"flash_attention(-q, k, v, {self.block}{self.causal})"

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
        "three leading dimensions": lambda case: len(case.lead) == 3,
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
        "a block larger than all, causal": lambda case: case.hides and case.block > max(case.n, case.s),
    }
)
def measured_attentions() -> SearchStrategy[Attention]:
    """Attention whose tensors are looked at: d and e are small, so that a table is larger than all else."""
    return _attentions(measured=True)


@st.composite
def _attentions(draw: DrawFn, measured: bool) -> Attention:
    lead = pick(draw, ((), (2,), (2, 3), (2, 1, 3), (1,), (3,)))
    block = pick(draw, (2, 4, 3, 8, 32, 1) if not measured else (4, 2, 3, 8, 5, 32))
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
