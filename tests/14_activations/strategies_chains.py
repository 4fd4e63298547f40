"""What hypothesis draws for kata 14 of chains of layers: how many results are there, and what recomputing costs."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, huge_sizes, in_order, integers, pick, sizes

LONGEST = 16
"""Chains of up to so many layers are cut in every way: each pair is measured once, and that takes a millisecond."""

LONG = ((40, 20), (60, 15), (48, 12), (50, 7), (39, 13), (41, 20))
"""Longer chains, cut into segments that are longer than most of the others."""

Pairs = list[tuple[int, int]]
"""Numbers of layers, and the segments they are cut into."""


@functools.cache
@classes(
    {
        "no layers": lambda pairs: any(n == 0 for n, _ in pairs),
        "one segment": lambda pairs: any(n <= s for n, s in pairs),
        "segments of 1": lambda pairs: any(s == 1 and n > 1 for n, s in pairs),
        "a segment longer than the chain": lambda pairs: any(s > n > 0 for n, s in pairs),
        "a shorter last segment": lambda pairs: any(n % s and s < n for n, s in pairs),
        "a last segment that is shorter by 1": lambda pairs: any(n % s == s - 1 and 1 < s < n for n, s in pairs),
        "segments of one length": lambda pairs: any(n % s == 0 and 1 < s < n for n, s in pairs),
        "a long chain": lambda pairs: any(pair in LONG for pair in pairs),
    }
)
def chains() -> SearchStrategy[Pairs]:
    """Several chains of layers, each cut into segments."""
    return _chains()


@st.composite
def _chains(draw: DrawFn) -> Pairs:
    return [_chain(draw) for _ in range(4)]


def _chain(draw: DrawFn) -> tuple[int, int]:
    if pick(draw, (False,) * 6 + (True,)):
        return pick(draw, LONG)
    n = draw(integers(5, LONGEST, 0))
    return (n, pick(draw, (2, 3, 4, 5, 1, n, n + 1, n + 3, max(n - 1, 1), max(n // 2, 1)))) if n else (0, 3)


@functools.cache
@classes(
    {
        "a segment of 0": lambda case: case[1] == 0,
        "a negative segment": lambda case: case[1] < 0,
        "fewer layers than none": lambda case: case[0] < 0,
        "no layers and no segment": lambda case: case[0] == 0 and case[1] < 1,
    }
)
def no_chains() -> SearchStrategy[tuple[int, int]]:
    """What is no chain, or no segment."""
    bad = st.sampled_from((0, -1, -3))
    return st.one_of(
        st.tuples(st.integers(0, 6), bad),
        st.tuples(st.sampled_from((-1, -2, -5)), integers(2, 4)),
        st.tuples(st.just(0), bad),
    )


@functools.cache
@classes({"a square": lambda n: math.isqrt(n) ** 2 == n, "one layer": lambda n: n == 1, "two": lambda n: n == 2})
def lengths() -> SearchStrategy[int]:
    """Chains that are short enough to be measured in every way they can be cut."""
    return st.one_of(integers(6, LONGEST), integers(6, LONGEST), integers(3, 4))


@functools.cache
@classes(
    {
        "a square": lambda n: math.isqrt(n) ** 2 == n,
        "one more than a square": lambda n: math.isqrt(n - 1) ** 2 == n - 1,
        "one less than a square": lambda n: math.isqrt(n + 1) ** 2 == n + 1,
        "10**12": lambda n: n == 10**12,
        "more than 10**6": lambda n: n > 10**6,
        "some thousands": lambda n: n < 10**5,
    }
)
def long_lengths() -> SearchStrategy[int]:
    """Chains of up to 10**12 layers, around squares and oblong numbers."""
    return _long_lengths()


@st.composite
def _long_lengths(draw: DrawFn) -> int:
    root: int = draw(st.one_of(st.integers(10, 300), st.integers(1000, 10**6), st.integers(10**5, 10**6)))
    n = pick(
        draw, (root * root, root * root + 1, root * root - 1, root * (root + 1), root * (root + 1) + 1, 10**12, root)
    )
    return min(n, 10**12)


# FLOPs


class Step(NamedTuple):
    """Batch, widths, and the layers that are recomputed."""

    batch: int
    dims: Shape
    recomputed: Shape


def _layers(case: Step) -> int:
    return len(case.dims) - 1


@functools.cache
@classes(
    {
        "no layer": lambda case: _layers(case) == 0,
        "one layer": lambda case: _layers(case) == 1,
        "nothing is recomputed": lambda case: not case.recomputed and _layers(case) > 0,
        "everything is recomputed": lambda case: 0 < _layers(case) == len({*case.recomputed}),
        "the first layer is": lambda case: 0 in case.recomputed,
        "the last layer is, and not the first": lambda case: _layers(case) - 1 in case.recomputed and _layers(case) > 1,
        "a layer is named twice": lambda case: len({*case.recomputed}) < len(case.recomputed),
        "out of order": lambda case: case.recomputed != tuple(sorted(case.recomputed)),
        "no rows": lambda case: case.batch == 0,
        "many layers": lambda case: _layers(case) > 5,
        "a width of 0 inside": lambda case: 0 in case.dims[1:-1] and _layers(case) > 2,
        "beyond 64 bits": lambda case: case.batch * math.prod(case.dims[:2]) > 2**64,
    }
)
def steps() -> SearchStrategy[Step]:
    """Steps of layers, some of which are recomputed."""
    return _steps()


@st.composite
def _steps(draw: DrawFn) -> Step:
    count = pick(draw, (3, 2, 4, 1, 0, 7, 14))
    if pick(draw, (False, False, True)):
        batch, dims = draw(huge_sizes()), tuple(draw(huge_sizes()) for _ in range(count + 1))
    else:
        batch = draw(sizes())
        dims = tuple(pick(draw, (*in_order(5, 3 + place) * 4, 0)) for place in range(count + 1))
        if count > 2 and pick(draw, (False, False, True)):
            # The layers on both sides of it compute nothing, but others do.
            place = draw(st.integers(1, count - 1))
            dims = (*(max(size, 1) for size in dims[:place]), 0, *(max(size, 1) for size in dims[place + 1 :]))
    return Step(batch, dims, _recomputed(draw, count))


def _recomputed(draw: DrawFn, count: int) -> Shape:
    if count == 0:
        return ()
    some = draw(st.lists(st.integers(0, count - 1), max_size=count + 1))
    return tuple(pick(draw, (some, some, [*range(count)], [*some, *some[:1]], [count - 1], [])))


@functools.cache
@classes(
    {
        "-1": lambda case: -1 in case.recomputed,
        "one beyond the last": lambda case: _layers(case) in case.recomputed,
        "another one is a layer": lambda case: any(0 <= index < _layers(case) for index in case.recomputed),
        "no layer": lambda case: _layers(case) == 0,
        "a negative one beside larger ones": lambda case: min(case.recomputed) < 0 <= sum(case.recomputed),
    }
)
def no_steps() -> SearchStrategy[Step]:
    """Steps that name a layer which is none."""
    return _no_steps()


@st.composite
def _no_steps(draw: DrawFn) -> Step:
    count = pick(draw, (2, 3, 1, 0, 4, 5))
    dims = tuple(in_order(5, 3 + place)[0] for place in range(count + 1))
    wrong = pick(draw, (count, -1, count + 1, -count, -1, -count - 1) if count else (0, -1, 1))
    recomputed = [*pick(draw, (_recomputed(draw, count), range(count))), wrong]
    return Step(pick(draw, (2, 1, 0)), dims, tuple(draw(st.permutations(recomputed))))


@classes({"0": lambda n: n == 0, "less": lambda n: n < 0})
@functools.cache
def no_lengths() -> SearchStrategy[int]:
    """Numbers of layers that have no segment."""
    return st.integers(-9, 0)
