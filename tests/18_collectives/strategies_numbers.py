"""What hypothesis draws for kata 18 of rings, of programs that meet, and of sizes of gradients."""

from __future__ import annotations

import functools
import itertools
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import beside, integers, pick

Programs = list[list[tuple[str, int]]]


class Ring(NamedTuple):
    """The arguments of ring_seconds; a latency of None is not given."""

    nbytes: float
    world: int
    bandwidth: float
    latency: float | None

    @property
    def given(self) -> tuple[float, ...]:
        """As the function is called."""
        return self[:3] if self.latency is None else self[:4]  # type: ignore[return-value]


LARGE = (Ring(14e9, 8, 450e9, None), Ring(14e9, 8, 450e9, 1e-5), Ring(0.0, 40, 450e9, 1e-5))


@functools.cache
@classes(
    {
        "one rank": lambda case: case.world == 1,
        "two ranks": lambda case: case.world == 2,
        "a latency": lambda case: case.latency,
        "a latency of 0": lambda case: case.latency == 0,
        "no latency given": lambda case: case.latency is None,
        "no bytes": lambda case: case.nbytes == 0,
        "parts of no whole number": lambda case: case.nbytes % case.world,
        "a fraction of a byte": lambda case: case.nbytes % 1,
    }
)
def rings() -> SearchStrategy[Ring]:
    """Rings of 1 to 12 ranks, and large ones."""
    return beside(_rings(), *LARGE)


@st.composite
def _rings(draw: DrawFn) -> Ring:
    world = draw(integers(4, 12))
    nbytes = pick(draw, (1, 1, 1, 0.25, 0)) * draw(integers(12, 99))
    bandwidth = draw(integers(3, 9)) * pick(draw, (1.0, 0.5, 1e9))
    latency = pick(draw, (None, 0.5, 0.125, 0.0, 7.0))
    return Ring(float(nbytes), world, bandwidth, latency)


@functools.cache
@classes(
    {
        "no ranks": lambda case: case.world == 0,
        "fewer than none": lambda case: case.world < 0,
        "no bandwidth": lambda case: case.bandwidth == 0,
        "less than none": lambda case: case.bandwidth < 0,
        "one rank": lambda case: case.world == 1,
        "no bytes": lambda case: case.nbytes == 0,
    }
)
def no_rings() -> SearchStrategy[Ring]:
    """Too few ranks, or links that carry nothing."""
    return _no_rings()


@st.composite
def _no_rings(draw: DrawFn) -> Ring:
    nbytes = pick(draw, (12.0, 12.0, 0.0))
    if draw(st.booleans()):
        return Ring(nbytes, pick(draw, (4, 1, 2)), pick(draw, (0.0, -3.0)), pick(draw, (None, 0.5)))
    return Ring(nbytes, pick(draw, (0, -1, -4)), pick(draw, (3.0, 3.0, 0.0)), pick(draw, (None, 0.5)))


def _meets(programs: Programs) -> list[list[str]]:
    return [[what for what, _ in program] for program in programs]


@functools.cache
@classes(
    {
        "neighbours that both send first": lambda case: any(
            program and program[0] == ("send", peer) and case[peer] and case[peer][0] == ("send", rank)
            for rank, program in enumerate(case)
            for peer in [program[0][1] if program else 0]
        ),
        "a program of nothing": lambda case: any(not program for program in case),
        "three ranks or more": lambda case: len(case) > 2,
        "many messages": lambda case: sum(map(len, case)) > 60,
        "more than a hundred messages": lambda case: sum(map(len, case)) > 200,
        "a message around many ranks": lambda case: len(case) > 6,
        "two ranks of the same steps": lambda case: any(
            one and one == other for one, other in itertools.combinations(case, 2)
        ),
        "no ranks": lambda case: not case,
        "two messages one after the other": lambda case: any(
            one == other for program in case for one, other in itertools.pairwise(program)
        ),
        "as many receives as sends": lambda case: (
            sum(s == "send" for p in _meets(case) for s in p) == sum(s == "recv" for p in _meets(case) for s in p)
        ),
    }
)
def programs() -> SearchStrategy[Programs]:
    """Messages in one order, of which two neighbours may be swapped or a step dropped, or two ranks do the same."""
    return _programs()


LAPS = 18
"""So often a message passes each of seven ranks that going through the ranks a hundred times is not enough."""


def _around(size: int, laps: int, hop: int) -> Programs:
    """What came from one neighbour is passed on to the other, so that no two messages go on at once."""
    made: Programs = [[] for _ in range(size)]
    for step in range(size * laps):
        source, to = step * hop % size, (step + 1) * hop % size
        made[source].append(("send", to))
        made[to].append(("recv", source))
    return made


@st.composite
def _programs(draw: DrawFn) -> Programs:
    if pick(draw, (False,) * 6 + (True,)):
        return _around(pick(draw, (7, 8)), pick(draw, (1, 2, LAPS, LAPS)), pick(draw, (-1, -1, 1)))
    size = pick(draw, (2, 3, 4, 3, 5, 6, 2, 1, 0))
    made: Programs = [[] for _ in range(size)]
    count = pick(draw, (*(draw(integers(2, 8, 0)),) * 9, 40))
    for _ in range(count if size > 1 else 0):
        source = draw(st.integers(0, size - 1))
        to = (source + 1 + draw(st.integers(0, size - 2))) % size
        made[source].append(("send", to))
        made[to].append(("recv", source))
    if size > 1 and pick(draw, (False, False, False, False, True)):
        one, other = pick(draw, list(itertools.combinations(range(size), 2)))
        made[one][:0] = [("send", other), ("recv", other)]
        made[other][:0] = [("send", one), ("recv", one)]
    for _ in range(pick(draw, (1, 0, 1, 2, 3))):
        rank = draw(st.integers(0, max(0, size - 1)))
        kind = pick(draw, ("swap", "swap", "drop"))
        if kind == "swap" and size and len(made[rank]) > 1:
            place = draw(st.integers(0, len(made[rank]) - 2))
            made[rank][place : place + 2] = reversed(made[rank][place : place + 2])
        if kind == "drop" and size and made[rank]:
            made[rank].pop(draw(st.integers(0, len(made[rank]) - 1)))
    if size > 2 and pick(draw, (False, False, False, False, True)):
        one, other = pick(draw, list(itertools.combinations(range(size), 2)))
        third = next(rank for rank in range(size) if rank not in (one, other))
        steps = [step for step in made[one] if step[1] != other] or [("recv", third)]
        made[one], made[other] = steps, [*steps]
    return made


MEGABYTE = 10**6
MANY = 10 * MEGABYTE
"""Of so many bytes a float32 misses single ones."""


class Gradients(NamedTuple):
    """Bytes of the parameters' gradients, and of a bucket; again: the same was asked before, and emptied since."""

    sizes: list[int]
    cap: int
    again: bool = False


def _fills(case: Gradients) -> list[int]:
    """What a bucket holds after each gradient, if it is emptied once it is full."""
    held, found = 0, []
    for size in reversed(case.sizes):
        held += size
        found.append(held)
        held = held if held < case.cap else 0
    return found


def _shares(case: Gradients) -> float:
    """What a bucket holds that is just full, added up as shares of cap; 1 if none is."""
    held, share = 0, 0.0
    for size in reversed(case.sizes):
        held, share = held + size, share + size / case.cap
        if held == case.cap:
            return share
        held, share = (held, share) if held < case.cap else (0, 0.0)
    return 1.0


@functools.cache
@classes(
    {
        "a bucket is just full": lambda case: case.cap in _fills(case),
        "more than full": lambda case: any(fill > case.cap for fill in _fills(case)),
        "one is larger than a bucket": lambda case: any(size > case.cap for size in case.sizes),
        "the last one is not full": lambda case: case.sizes and _fills(case)[-1] < case.cap,
        "of no bytes": lambda case: 0 in case.sizes,
        "the first parameters are of no bytes": lambda case: case.sizes and case.sizes[0] == 0,
        "no parameters": lambda case: not case.sizes,
        "a cap of 1": lambda case: case.cap == 1,
        "millions of bytes": lambda case: case.cap >= MEGABYTE,
        "a byte less than full, of millions": lambda case: case.cap > 2**24 and case.cap - 1 in _fills(case),
        "just full, by shares that add up to less than 1": lambda case: _shares(case) < 1,
        "once more": lambda case: case.again and case.sizes,
    }
)
def gradients() -> SearchStrategy[Gradients]:
    """Up to eight gradients."""
    return _gradients()


@st.composite
def _gradients(draw: DrawFn) -> Gradients:
    cap = pick(draw, (12, 8, 20, 24, 1))
    count = draw(integers(4, 8, 0))
    unit = pick(draw, (1, 1, MANY))
    more = pick(draw, (0, 1, 1)) if unit > 1 else 0
    sizes = [unit * pick(draw, (4, 8, 12, 3, 20, 0, cap, 100)) for _ in range(count)]
    if pick(draw, (False,) * 7 + (True,)):
        sizes, cap, more = [4 * unit] * 8, 4 * pick(draw, (6, 7)), 0
    return Gradients(sizes, unit * cap + more, pick(draw, (False,) * 5 + (True,)))
