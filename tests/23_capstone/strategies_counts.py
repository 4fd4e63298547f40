"""What hypothesis draws for kata 23 of counts: sizes of models, of steps, and of plans with a budget."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import beside, integers, pick


class Sizes(NamedTuple):
    """Of a GPT."""

    vocab: int
    context: int
    dim: int
    layers: int


GPT2 = (Sizes(50257, 1024, 768, 12), Sizes(50257, 1024, 1600, 48))


@functools.cache
@classes(
    {
        "no layers": lambda case: case.layers == 0,
        "one layer": lambda case: case.layers == 1,
        "several layers": lambda case: case.layers > 1,
        "one of something else": lambda case: 1 in case[:3],
    }
)
def gpts() -> SearchStrategy[Sizes]:
    """Sizes of small models, and of GPT-2."""
    drawn = st.builds(Sizes, integers(5, 9), integers(4, 9), integers(3, 9), integers(2, 5, 0))
    return beside(drawn, *GPT2)


@functools.cache
@classes({"beyond what a float holds": lambda case: case.layers * 12 * case.dim**2 > 2**53})
def large_gpts() -> SearchStrategy[Sizes]:
    """Sizes of models that nobody has trained; not so many layers that a loop over them would take long."""
    large = st.integers(10**6, 10**8)
    return st.builds(Sizes, large, large, large, st.integers(900, 2000))


class Step(NamedTuple):
    """Of a training: the arguments of step_flops, heads, and whether the last argument is given by its name.

    If nothing is recomputed, it may be left out.
    """

    batch: int
    context: int
    vocab: int
    dim: int
    layers: int
    recomputed: int
    heads: int
    by_name: bool = False

    def ask(self, function: Callable[..., object]) -> object:
        """Call the function."""
        if self.by_name:
            return function(*self[:5], recomputed=self.recomputed)
        return function(*self[:6] if self.recomputed else self[:5])


@functools.cache
@classes(
    {
        "no layers": lambda case: case.layers == 0,
        "nothing recomputed": lambda case: case.layers and not case.recomputed,
        "all recomputed": lambda case: case.layers and case.recomputed == case.layers,
        "some recomputed": lambda case: 0 < case.recomputed < case.layers,
        "several heads": lambda case: case.heads > 1,
        "one of something": lambda case: 1 in case[:4],
        "the last argument by its name": lambda case: case.by_name,
        "a context above 6 · dim": lambda case: case.context > 6 * case.dim,
    }
)
def steps() -> SearchStrategy[Step]:
    """Small steps."""
    return _steps()


@st.composite
def _steps(draw: DrawFn) -> Step:
    batch, vocab = draw(integers(2, 4)), draw(integers(5, 8))
    dim, context = pick(draw, ((4, 3), (6, 5), (3, 4), (2, 13), (8, 2), (1, 7), (5, 1), (9, 6)))
    layers = draw(integers(2, 4, 0))
    recomputed = draw(st.integers(0, layers))
    heads = pick(draw, [count for count in range(1, dim + 1) if dim % count == 0])
    return Step(batch, context, vocab, dim, layers, recomputed, heads, pick(draw, (False, False, True)))


@functools.cache
@classes(
    {
        "beyond what a float holds": lambda case: case.batch * case.context * case.dim**2 > 2**53,
        "some recomputed": lambda case: case.recomputed > 0,
    }
)
def large_steps() -> SearchStrategy[Step]:
    """Steps of models that take no memory here."""
    sizes = st.integers(10**3, 10**5), st.integers(10**3, 10**5), st.integers(10**4, 10**5), st.integers(10**3, 10**4)
    return st.tuples(*sizes, st.integers(1, 2), st.integers(0, 2)).map(
        lambda drawn: Step(drawn[0], drawn[1], drawn[2], drawn[3], drawn[4], min(drawn[5], drawn[4]), 1)
    )


class NoStep(NamedTuple):
    """A step that recomputes blocks that are not there."""

    layers: int
    recomputed: int


@functools.cache
@classes(
    {
        "fewer than none": lambda case: case.recomputed < 0,
        "one more": lambda case: case.recomputed == case.layers + 1,
        "no layers": lambda case: case.layers == 0,
    }
)
def no_steps() -> SearchStrategy[NoStep]:
    """Too many blocks, and too few."""
    return integers(2, 4, 0).flatmap(
        lambda layers: st.sampled_from((layers + 1, -1, layers + 3, -layers - 1)).map(lambda r: NoStep(layers, r))
    )


class Plan(NamedTuple):
    """A model and a batch; the budget is what one of the plans saves, the place-th in order, or so many bytes more.

    times: how many times what the model saves it is, in everything but `more`.
    """

    batch: int
    layers: int
    sizes: tuple[int, int, int]
    place: int
    more: int
    times: int = 1


@functools.cache
@classes(
    {
        "nothing fits": lambda case: case.place == 0 and case.more < 0,
        "to the byte": lambda case: case.more == 0,
        "a byte too few": lambda case: case.more == -1,
        "all fit": lambda case: case.more > 1 == case.times,
        "no layers": lambda case: case.layers == 0,
        "a batch of one": lambda case: case.batch == 1,
        "a batch with many parts": lambda case: case.batch == 6,
        "a batch with more parts": lambda case: case.batch > 6,
        "large": lambda case: case.sizes[2] > 1000,
        "beyond what a float holds": lambda case: 10**9 < case.times < 10**15,
        "beyond 64 bits": lambda case: case.times > 10**15,
        "a few sequences for the last block": lambda case: case.layers == 1 < case.batch and case.place in (1, 2),
        "a byte too few to keep a block, beyond what a float holds": lambda case: (
            case.times > 10**9 and case.more == -1 and case.layers == 3 and case.place in (1, 2)
        ),
    }
)
def plans() -> SearchStrategy[Plan]:
    """Models, with budgets at the borders of their plans."""
    return _plans()


SIZES = ((5, 4, 8), (50_000, 8192, 12_288))
"""Vocabulary, context and width. There are few of them: every plan of each is run, and its weight remembered."""

SHAPES = ((4, 2), (6, 3), (6, 2), (4, 3), (1, 3), (1, 1), (4, 0), (7, 3), (30, 1), (96, 2), (96, 1), (96, 0))
"""Batches, and layers."""


@st.composite
def _plans(draw: DrawFn) -> Plan:
    batch, layers = pick(draw, SHAPES)
    place = pick(draw, (0, *range(1, 24), *[-1] * 8))
    more = pick(draw, (0, -1, 1, 0, -1, 10**15, 10**15))
    if draw(st.integers(0, 9)) == 9:
        place, more = 0, pick(draw, (-1, -2, -(10**15)))
    elif draw(st.integers(0, 7)) == 7:  # one sequence, and some of its blocks kept
        times = pick(draw, (10**13 + 1, 10**18 + 3))
        return Plan(*pick(draw, ((1, 3), (7, 3))), pick(draw, SIZES), pick(draw, (1, 2)), -1, times)
    elif draw(st.integers(0, 7)) == 7:  # one block, and fewer bytes than to keep it for a sequence
        return Plan(*pick(draw, ((6, 1), (96, 1))), pick(draw, SIZES), pick(draw, (1, 2)), pick(draw, (0, 1)))
    return Plan(batch, layers, pick(draw, SIZES), place, more, pick(draw, (1, 1, 10**13 + 1, 10**18 + 3)))


class NoPlan(NamedTuple):
    """What has no plan at all."""

    batch: int
    layers: int
    budget: int = 1000


@functools.cache
@classes(
    {
        "no batch": lambda case: case.batch < 1,
        "fewer than no layers": lambda case: case.layers < 0,
        "a budget for nothing": lambda case: case.budget < 50,
    }
)
def no_plans() -> SearchStrategy[NoPlan]:
    """A batch below 1, or layers below 0, whatever the budget."""
    cases = ((0, 2), (4, -1), (-2, 3), (3, -2), (-1, 0), (1, -1))
    return st.builds(
        lambda case, budget: NoPlan(case[0], case[1], budget), st.sampled_from(cases), st.sampled_from((1000, 20))
    )
