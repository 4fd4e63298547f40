"""What hypothesis draws for kata 10 of orders: of an epoch, and of what a rank takes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import Lines
from ..shared.random_states import SEEDED
from ..shared.shapes import beside, integers, pick

Pair = tuple[int, int]
"""A seed and an epoch."""

LARGEST = 2**32 - 1


@functools.cache
def pairs() -> SearchStrategy[Pair]:
    """Any seeds and epochs, mostly small ones."""
    number = st.one_of(st.integers(0, 9), st.integers(0, 9999), st.integers(0, LARGEST))
    return st.tuples(number, number)


@functools.cache
@classes(
    {
        "one window": lambda case: case[0] == 1,
        "two windows": lambda case: case[0] == 2,
        "a seed beyond what an int32 holds": lambda case: case[1][0] >= 2**31,
        "an epoch beyond a million": lambda case: case[1][1] > 10**6,
        "epoch 0": lambda case: case[1][1] == 0,
    }
)
def epochs() -> SearchStrategy[tuple[int, Pair]]:
    """A number of windows, a seed and an epoch."""
    return st.tuples(beside(integers(5, 40), 1, 2), pairs_with_edges())


@functools.cache
def pairs_with_edges() -> SearchStrategy[Pair]:
    """Seeds and epochs, of which one may be the first or the last one that there is."""
    edges = st.sampled_from(((0, 0), (LARGEST, 0), (0, LARGEST), (LARGEST, LARGEST)))
    return st.one_of(pairs(), pairs(), pairs(), edges)


class Others(NamedTuple):
    """A number of windows, and seeds with epochs, all different."""

    num_windows: int
    pairs: list[Pair]


@functools.cache
@classes(
    {
        "the same sum": lambda case: _meet(case, lambda seed, epoch: seed + epoch),
        "the same product": lambda case: _meet(case, lambda seed, epoch: seed * epoch),
        "the same difference": lambda case: _meet(case, lambda seed, epoch: seed - epoch),
        "the same digits": lambda case: _meet(case, lambda seed, epoch: f"{seed}{epoch}"),
        "the same low half of 32 bits": lambda case: _meet(case, lambda seed, epoch: (seed % 2**16, epoch % 2**16)),
        "the same but for the seed": lambda case: _meet(case, lambda seed, epoch: epoch),
        "the same but for the epoch": lambda case: _meet(case, lambda seed, epoch: seed),
        "the same of 1,000 a seed": lambda case: _meet(case, lambda seed, epoch: 1000 * seed + epoch),
        "the same in bits that differ": lambda case: _meet(case, lambda seed, epoch: seed ^ epoch),
    }
)
def others() -> SearchStrategy[Others]:
    """Two of each kind that a formula for one number out of two mixes up."""
    return _others()


def _meet(case: Others, formula: Callable[[int, int], object]) -> bool:
    found = [formula(*pair) for pair in case.pairs]
    return len(set(found)) < len(found)


FACTORS = (
    *(7, 10, 13, 17, 31, 37, 42, 97, 100, 101, 123, 997, 999, 1000, 1009, 1234, 1337, 7919, 9973, 9999, 10_000, 10_007),
    *(12_345, 65_537, 99_991, 100_000, 100_003, 104_729, 123_456, 10**6, 1_000_003, 10**6 + 7, 10**7, 10**8, 10**9),
    *(10**9 + 7, 2_654_435_761, 2_654_435_769, *(2**bits for bits in range(4, 32)), 2**16 - 1, 2**31 - 1),
)
"""By which one number is multiplied before the other is added, in formulas that people write."""

USUAL = (1, 42, 123, 1234, 1337)
"""Seeds that people write where none is given, and so in place of 0."""


@st.composite
def _others(draw: DrawFn) -> Others:
    seed, epoch = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    found = [(seed, epoch), (seed + 1, epoch - 1), (epoch, seed), (seed, epoch + 1), (seed + 1, epoch)]
    found += [(seed + 1, epoch + 1), (2 * seed, 3 * epoch), (3 * seed, 2 * epoch), (seed, 0), (0, seed), (0, epoch)]
    found += [(seed, 10 * epoch + 1), (10 * seed + epoch % 10, 1), *((usual, epoch) for usual in USUAL)]
    found += [(seed + 2**16, epoch), (seed, epoch + 2**16), (seed + 2**31, epoch), (seed, epoch + 2**31)]
    found += [pair for by in FACTORS for pair in ((seed - 1, epoch + by), (seed + by, epoch - 1))]
    inside = [pair for pair in dict.fromkeys(found) if max(pair) <= LARGEST and not _is_twin(pair, found)]
    return Others(draw(integers(50, 60, smallest=50)), inside)


def _is_twin(pair: Pair, found: list[Pair]) -> bool:
    """Return whether Python's generator cannot tell this pair from another one, when a pair gives it 64 bits.

    It splits its seed into 32-bit words and adds to each its place: n becomes [n], and [n + 0, n - 1 + 1] comes from
    another number. An answer that relies on this is as right as one can be.
    """
    seed, epoch = pair
    return (seed == 0 and (epoch - 1, epoch) in found) or (epoch == 0 and (seed, seed - 1) in found)


@functools.cache
@classes({"one seed": lambda line: "epoch in range" in line, "one epoch": lambda line: "seed in range" in line})
def many_orders() -> SearchStrategy[str]:
    """Many orders of two, of three and of four windows are made, one for each epoch or for each seed."""
    return _many_orders()


ORDERS, FEW_WINDOWS = 1000, (2, 3, 4)


@st.composite
def _many_orders(draw: DrawFn) -> str:
    fixed = draw(st.integers(0, 9999))
    made = pick(draw, (f"epoch_order(n, {fixed}, epoch)) for epoch", f"epoch_order(n, seed, {fixed})) for seed"))
    return f"orders = collections.Counter(str({made} in range({ORDERS}) for n in {FEW_WINDOWS})"


WINDOWS, LONG_ORDERS = 2**12, 16


@functools.cache
@classes({"one seed": lambda line: "epoch in range" in line, "one epoch": lambda line: "seed in range" in line})
def long_orders() -> SearchStrategy[str]:
    """Orders of many windows, one for each epoch or for each seed."""
    return _long_orders()


@st.composite
def _long_orders(draw: DrawFn) -> str:
    fixed = draw(st.integers(0, 9999))
    made = pick(
        draw, (f"epoch_order({WINDOWS}, {fixed}, epoch) for epoch", f"epoch_order({WINDOWS}, seed, {fixed}) for seed")
    )
    return f"orders = [{made} in range({LONG_ORDERS})]"


@functools.cache
@classes({"epoch 0": lambda line: ", 0)" in line, "another epoch": lambda line: ", 0)" not in line})
def large_orders() -> SearchStrategy[str]:
    """An order of more windows than 16 bits count."""
    return _large_orders()


@st.composite
def _large_orders(draw: DrawFn) -> str:
    windows, (seed, epoch) = draw(st.integers(2**16 + 1, 70_000)), draw(pairs())
    return f"order = epoch_order({windows}, {seed}, {pick(draw, (epoch, 0))})"


class Twice(NamedTuple):
    """A program that makes `a`, and after other random numbers `b`; and the last seed of the global states."""

    lines: Lines
    seed: int


def twice(draw: DrawFn, made: str, seen: str = "{}") -> Twice:
    """A program that makes the same twice, and what is seen of it."""
    first, last = draw(st.integers(0, 999)), draw(st.integers(1000, 1999))
    lines = [SEEDED.format(first), f"a = {made}", SEEDED.format(last), f"b = {made}"]
    return Twice([*lines, *([f"a, b = ({seen.format('made')} for made in (a, b))"] if seen != "{}" else [])], last)


@functools.cache
@classes(
    {
        "epoch 0": lambda case: ", 0)" in case.lines[1],
        "another epoch": lambda case: ", 0)" not in case.lines[1],
        "one window": lambda case: "(1," in case.lines[1],
        "many windows": lambda case: "(200," in case.lines[1],
        "a list that is changed": lambda case: any("reverse" in line for line in case.lines),
    }
)
def repeated_orders() -> SearchStrategy[Twice]:
    """Programs that make an order twice."""
    return _repeated_orders()


@st.composite
def _repeated_orders(draw: DrawFn) -> Twice:
    seed, epoch = draw(pairs_with_edges())
    windows = draw(beside(integers(20, 30, smallest=20), 1, 200))
    case = twice(draw, f"epoch_order({windows}, {seed}, {pick(draw, (epoch, epoch, 0))})")
    if pick(draw, (True, False)):
        return case
    # A list that was returned is the caller's: it may be changed before the same order is asked for again.
    seeds, first, *rest = case.lines
    return Twice([seeds, first, "returned, a = a, list(a)", "returned.reverse()", *rest], case.seed)


@functools.cache
@classes({"epoch 0": lambda made: ", 0)" in made, "another epoch": lambda made: ", 0)" not in made})
def carried_orders() -> SearchStrategy[str]:
    """An order that is made in one process and in another."""
    return _carried_orders()


@st.composite
def _carried_orders(draw: DrawFn) -> str:
    seed, epoch = draw(pairs_with_edges())
    return f"epoch_order({draw(integers(20, 30, smallest=20))}, {seed}, {pick(draw, (epoch, epoch, 0))})"


class Share(NamedTuple):
    """An order, a rank and the number of ranks."""

    order: list[int]
    rank: int
    world_size: int


@functools.cache
@classes(
    {
        "one rank": lambda case: case.world_size == 1,
        "a rest": lambda case: len(case.order) % case.world_size,
        "no rest": lambda case: not len(case.order) % case.world_size,
        "a rest that this rank would have": lambda case: case.rank < len(case.order) % case.world_size,
        "fewer than ranks": lambda case: 0 < len(case.order) < case.world_size,
        "nothing": lambda case: not case.order,
        "the first rank": lambda case: case.rank == 0 < case.world_size - 1,
        "the last rank": lambda case: case.rank == case.world_size - 1 > 0,
    }
)
def shares() -> SearchStrategy[Share]:
    """Orders of any length, and ranks."""
    return _shares()


@st.composite
def _shares(draw: DrawFn) -> Share:
    world_size = pick(draw, (3, 2, 4, 5, 1))
    rank = draw(st.integers(0, world_size - 1))
    whole, rest = pick(draw, (2, 1, 3, 4, 0)), draw(st.integers(0, world_size - 1))
    order = draw(st.permutations(range(world_size * whole + rest)))
    return Share(list(order), rank, world_size)


@functools.cache
@classes(
    {
        "a rank too many": lambda case: case.rank == case.world_size > 0,
        "below 0": lambda case: case.rank < 0 < case.world_size,
        "no rank": lambda case: case.world_size == 0,
        "fewer than none": lambda case: case.world_size < 0,
    }
)
def no_shares() -> SearchStrategy[Share]:
    """Ranks that there are not."""
    return _no_shares()


@st.composite
def _no_shares(draw: DrawFn) -> Share:
    world_size = draw(st.integers(1, 4))
    rank, world_size = pick(
        draw,
        (
            (world_size, world_size),
            (-1, world_size),
            (world_size + 2, world_size),
            (-world_size, world_size),
            (0, 0),
            (0, -world_size),
            (-1, 0),
            (-3, -2),
        ),
    )
    return Share(list(draw(st.permutations(range(pick(draw, (6, 4, 0)))))), rank, world_size)
