"""What hypothesis draws for kata 22 of kernels: operations that may share one, and those that may not."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import integers, pick

POINTWISE, OTHER = "pointwise", "other"
MOST = 8

Ops = list[tuple[str, list[int]]]


class Refused(NamedTuple):
    """Operations that are to be refused, and why."""

    ops: Ops
    because: str


def in_order(ops: Ops) -> int:
    """How many kernels there are if only neighbours share one."""
    kinds = [kind for kind, _ in ops]
    pairs = zip(kinds, [None, *kinds], strict=False)
    return sum(kind == OTHER or before != POINTWISE for kind, before in pairs)


def greedily(ops: Ops, first: str) -> int:
    """How many there are if all that is ready of one kind runs, then all of the other kind, and so on."""
    done: set[int] = set()
    kernels, kind = 0, first
    while len(done) < len(ops):
        before = len(done)
        for number, (other, needs) in enumerate(ops):
            if other == kind and number not in done and done.issuperset(needs):
                done.add(number)
                kernels += kind == OTHER
        kernels += kind == POINTWISE and len(done) > before
        kind = OTHER if kind == POINTWISE else POINTWISE
    return kernels


def touching(ops: Ops) -> int:
    """In how many groups the pointwise operations lie, if those share a kernel that need each other."""
    group = list(range(len(ops)))
    for number, (kind, needs) in enumerate(ops):
        for need in needs:
            if kind == ops[need][0] == POINTWISE:
                group = [group[number] if one == group[need] else one for one in group]
    return len({group[number] for number, (kind, _) in enumerate(ops) if kind == POINTWISE})


def fewest(ops: Ops) -> int:
    """How many there have to be."""
    return min(greedily(ops, POINTWISE), greedily(ops, OTHER))


def others(ops: Ops) -> int:
    """How many are other."""
    return sum(kind == OTHER for kind, _ in ops)


@functools.cache
@classes(
    {
        "none": lambda ops: not ops,
        "eight": lambda ops: len(ops) == MOST,
        "pointwise alone": lambda ops: len(ops) > 1 and not others(ops),
        "others alone": lambda ops: len(ops) > 1 and others(ops) == len(ops),
        "neighbours are not enough": lambda ops: in_order(ops) > fewest(ops),
        "pointwise first is one too many": lambda ops: greedily(ops, POINTWISE) > fewest(ops),
        "an index twice": lambda ops: any(len({*needs}) < len(needs) for _, needs in ops),
        "pointwise that do not touch": lambda ops: touching(ops) + others(ops) > fewest(ops),
        "pointwise in two kernels": lambda ops: fewest(ops) - others(ops) > 1,
        "touching is too little": lambda ops: 0 < touching(ops) < fewest(ops) - others(ops),
    }
)
def operations() -> SearchStrategy[Ops]:
    """Up to eight operations."""
    return _operations()


@st.composite
def _operations(draw: DrawFn, smallest: int = 0) -> Ops:
    count = draw(integers(max(3, smallest), MOST, smallest))
    kinds = pick(draw, KINDS)
    turns = len(kinds) > 1 and pick(draw, (False, False, True))
    shape = pick(draw, ("chain", "any", "any", "ladder", "short"))
    begins = pick(draw, BEGINNINGS)
    return [
        *begins[:count],
        *(
            (kinds[number % len(kinds)] if turns else pick(draw, kinds), _needs(draw, number, shape))
            for number in range(len(begins), count)
        ),
    ]


BEGINNINGS: tuple[Ops, ...] = (
    *([],) * 6,
    [(POINTWISE, []), (OTHER, []), (POINTWISE, [1])],
    [(POINTWISE, []), (OTHER, [0]), (POINTWISE, [1, 0])],
    [(POINTWISE, []), (POINTWISE, [0, 0])],
)
"""Where one that waits joins the first, where it must not, and one that needs another one twice."""


KINDS: tuple[Sequence[str], ...] = (
    (POINTWISE, OTHER),
    (POINTWISE, POINTWISE, OTHER),
    (POINTWISE, OTHER, OTHER),
    (OTHER, POINTWISE),
    (POINTWISE,),
    (OTHER,),
)
"""In most cases there are both, at random or in turns."""


def _needs(draw: DrawFn, number: int, shape: str) -> list[int]:
    if not number:
        return []
    if shape == "chain":
        return [max(0, number - pick(draw, (1, 1, 2)))]
    if shape == "ladder":
        return [number - 1, *range(max(0, number - 2), number - 1)]
    if shape == "short":
        return [number - 1] if pick(draw, (False, True)) else []
    count = pick(draw, (1, 1, 2, 0, 0))
    return [number - 1 - draw(st.integers(0, number - 1)) for _ in range(count)]


@functools.cache
@classes(
    {
        "another word": lambda case: "neither" in case.because,
        "a word with a capital letter": lambda case: any(kind != kind.lower() for kind, _ in case.ops),
        "a negative number": lambda case: "negative" in case.because,
        "itself": lambda case: "itself" in case.because,
        "a later one": lambda case: "later" in case.because,
        "one that is not there": lambda case: "there is no" in case.because,
        "a negative number that Python knows": lambda case: any(
            -number <= need < 0 for number, (_, needs) in enumerate(case.ops) for need in needs
        ),
        "the last one": lambda case: (
            case.ops[-1][0] not in (POINTWISE, OTHER)
            or any(not 0 <= need < len(case.ops) - 1 for need in case.ops[-1][1])
        ),
        "in an operation that is other": lambda case: any(
            kind == OTHER and any(not 0 <= need < number for need in needs)
            for number, (kind, needs) in enumerate(case.ops)
        ),
    }
)
@st.composite
def refused_operations(draw: DrawFn) -> Refused:
    """Operations of which one has another word for a kind, or a number that is none of an earlier operation."""
    ops = draw(_operations(1))
    place = pick(draw, range(len(ops)))
    kind, needs = ops[place]
    fault = pick(draw, ("negative", "itself", "later", "gone", "word", "word"))
    if fault == "word":
        word = pick(draw, ("reduction", "Pointwise", "Other", "others", ""))
        ops[place] = (word, needs)
        return Refused(ops, f'{word!r} is neither "pointwise" nor "other"')
    bad, because = {
        "negative": lambda: (-draw(integers(1, place + 1)), "{} is negative"),
        "itself": lambda: (place, "operation {} needs itself"),
        "later": lambda: (draw(integers(place + 1, len(ops), place + 1)), "{} is a later operation"),
        "gone": lambda: (draw(integers(len(ops), len(ops) + 3, len(ops))), "there is no operation {}"),
    }[fault]()
    if fault == "later" and bad >= len(ops):
        because = "there is no operation {}"
    ops[place] = (kind, [*needs, bad] if pick(draw, (True, False)) else [bad, *needs])
    return Refused(ops, because.format(bad))
