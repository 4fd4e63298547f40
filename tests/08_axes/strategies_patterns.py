"""What hypothesis draws for kata 08 of right patterns, and of the tensors that they are about."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, in_order, pick
from .patterns import DOTS, STYLES, Dim, Pattern, Side, Sizes, has_dots, names_of, shape_of

NAMES = (
    ("batch", "seq", "heads", "hidden"),
    ("seq", "seq1", "seq2", "hidden2"),
    ("b", "c", "h", "w"),
    ("B", "b", "H", "h"),
    ("H", "h", "B", "b"),
    ("d_in", "d_out", "d", "n_heads"),
    ("x11", "x1", "x", "number_of_the_layer"),
)
"""Names of the field; some begin as others do, or differ in case alone."""

OF_DOTS_TOO = (
    ("dim0", "d0", "dots", "ellipsis"),
    ("dots0", "d1", "a", "dim1"),
    ("dot0", "dot1", "axis0", "axis1"),
) * 7
"""Names that one may give the dimensions that dots stand for."""

LARGE = ((50_000, 65_536), (50_000, 65_536), (50_000, 65_536), (10_000, 13_000))
"""Bounds of huge sizes: all of them together stay below 2**63, beyond which torch makes no tensor, not even on meta."""

ONE_LARGE = (2**53, 2**54)
"""Bounds of a half of one huge size, which is odd, and so none that a float holds."""


@functools.cache
def _orders(count: int) -> list[tuple[int, ...]]:
    """All orders of so many places, and the one in which they stand last."""
    return [*itertools.permutations(range(count))][::-1]


def ordered(draw: DrawFn, names: Sequence[str]) -> list[str]:
    """The names in any order."""
    return [names[place] for place in pick(draw, _orders(len(names)))]


def _cut(draw: DrawFn, names: Sequence[str]) -> list[Dim]:
    """The names in groups of neighbours."""
    joined = pick(draw, range(2 ** max(len(names) - 1, 0)))
    groups: list[list[str]] = []
    for place, name in enumerate(names):
        if place and joined >> (place - 1) & 1:
            groups[-1].append(name)
        else:
            groups.append([name])
    return [group[0] if len(group) == 1 else tuple(group) for group in groups]


ONES = ("", "", "1", "()", "both", *("inside", "around", "twice", "two inside") * 2, "around", "two inside")
FEW_ONES = (*("",) * 6, "1", "both")


def _with_ones(draw: DrawFn, side: list[Dim]) -> list[Dim]:
    """A side with a 1 or a () somewhere, or two, or parentheses around a single name; without names mostly as it is.

    Two of 1 may stand in one group, which has names or not.
    """
    kind = pick(draw, ONES if side else FEW_ONES)
    if not kind:
        return side
    place = draw(st.integers(0, len(side)))
    if kind in ("inside", "around") and place < len(side):
        dim = side[place]
        words = (dim,) if isinstance(dim, str) else dim
        if kind == "inside":
            words = ("1", *words) if len(words) % 2 else (*words, "1")
        return [*side[:place], words, *side[place + 1 :]]
    if kind == "two inside":
        dim = side[place] if place < len(side) else ()
        words = (dim,) if isinstance(dim, str) else dim
        words = ("1", "1", *words) if len(words) > 1 else ("1", *words, "1")
        return [*side[:place], words, *side[place + 1 :]]
    if kind == "twice":
        other = draw(st.integers(0, place))
        return [*side[:other], "1", *side[other:place], "1", *side[place:]]
    one: list[Dim] = [("1",), ()] if kind == "both" else [()] if kind == "()" else ["1"]
    return [*side[:place], *one, *side[place:]]


def _with_dots(draw: DrawFn, side: list[Dim], grouped: bool) -> list[Dim]:
    """A side with dots somewhere; inside of a group, too, where they may be."""
    place = draw(st.integers(0, len(side)))
    if grouped and draw(st.booleans()):
        dim = side[place] if place < len(side) else ()
        words = (dim,) if isinstance(dim, str) else dim
        return [*side[:place], (DOTS, *words) if len(words) < 2 else (*words, DOTS), *side[place + 1 :]]
    return [*side[:place], DOTS, *side[place:]]


def _given(draw: DrawFn, side: Sequence[Dim], size_of: Sizes) -> Sizes:
    """Sizes for all names of each group but one, or for all; a size of 0 is never given, nor one beyond 2**53."""
    found: Sizes = {}
    for dim in side:
        names = names_of([dim])
        computed = [name for name in names if not 0 < size_of[name] <= 2**53]
        if computed or len(names) > 1:
            missing = computed[0] if computed else pick(draw, (*names[::-1], ""))
            names = [name for name in names if name != missing]
        elif not names or not pick(draw, (False, False, True)):
            continue
        found |= {name: size_of[name] for name in names}
    return found


def _sized(draw: DrawFn, names: Sequence[str], huge: bool) -> Sizes:
    """A size for each name: mostly not 1, and in one of five examples one of them 0; or huge ones, or one of them."""
    if huge and pick(draw, (True, False)):
        return {name: draw(st.integers(*bounds)) for name, bounds in zip(names, LARGE, strict=False)}
    size_of = {name: pick(draw, in_order(4, 2 + place)) for place, name in enumerate(names)}
    if huge:
        return size_of | {pick(draw, names): draw(st.integers(*ONE_LARGE)) * 2 + 1}
    if names and draw(st.integers(0, 4)) == 4:
        size_of[pick(draw, names)] = 0
    return size_of


KEEPS, LOSES, GAINS = "keeps", "loses", "gains"


@st.composite
def patterns(draw: DrawFn, kind: str = KEEPS, huge: bool = False, plain: bool = False, count: int = -1) -> Pattern:
    """A pattern that einops takes: of rearrange, of reduce, which loses names, or of repeat, which gains some.

    plain: without dots. count: of so many names, or of one to four; if it is drawn, and sizes are not huge, one in five
    patterns has no name on the left.
    """
    is_bare = count < 0 and not huge and draw(st.integers(0, 4)) == 4
    if count < 0:
        count = pick(draw, ((1, 2) if kind == GAINS else (0,)) if is_bare else (2, 3, 4, 4, 4, 4, 3, 4, 3, 4, 1))
    dotted = not plain and pick(draw, (False, True))
    names = pick(draw, NAMES + OF_DOTS_TOO if dotted else NAMES)[:count]
    size_of = _sized(draw, names, huge)
    every = 2**count - 1
    few = 0 if kind == KEEPS else every if is_bare else pick(draw, range(every + (kind == LOSES)))
    few &= pick(draw, range(every + 1)) if kind == GAINS and not is_bare else every  # mostly a few are new
    here = [name for place, name in enumerate(names) if not few >> place & 1]
    mine, theirs = (names, here) if kind == LOSES else (here if kind == GAINS else names, names)
    left = _with_ones(draw, _cut(draw, ordered(draw, mine)))
    right = _with_ones(draw, _cut(draw, ordered(draw, theirs)))
    dots: Shape = ()
    if dotted:
        dots = pick(draw, ((3, 2), (5,), (), (1, 2), (2, 0), (2, 1, 3))) if not huge else ()
        left = _with_dots(draw, left, grouped=False)
        if kind != LOSES or pick(draw, (True, True, False)):
            right = _with_dots(draw, right, grouped=True)
    new = {name: max(size_of[name], 1) for name in names if name not in mine}
    sizes = _given(draw, left, size_of) | new
    style = pick(draw, (0, 0, 0, *range(STYLES)))
    return Pattern(tuple(left), tuple(right), size_of, dots, sizes, style)


# The classes of patterns


def _groups(side: Side, fewest: int = 2) -> list[tuple[str, ...]]:
    return [dim for dim in side if isinstance(dim, tuple) and len(names_of([dim])) >= fewest]


def _ones_of_a_group(side: Side) -> int:
    """How many 1s stand in the group that has most of them."""
    return max((dim.count("1") for dim in side if isinstance(dim, tuple)), default=0)


def _any(holds: Callable[[Pattern], object]) -> Callable[[Any], object]:
    """Whether that holds for the pattern of a case."""
    return lambda case: holds(case if isinstance(case, Pattern) else case[0])


OF_THE_LEFT = {
    "two names in a group": _any(lambda p: _groups(p.left)),
    "three names in a group": _any(lambda p: any(len(names_of([group])) > 2 for group in _groups(p.left))),
    "the first of a group is not given": _any(lambda p: any(names_of([g])[0] not in p.sizes for g in _groups(p.left))),
    "the last of a group is not given": _any(lambda p: any(names_of([g])[-1] not in p.sizes for g in _groups(p.left))),
    "a group in full": _any(lambda p: any({*names_of([g])} <= {*p.sizes} for g in _groups(p.left))),
    "the size of a single name is given": _any(lambda p: any(isinstance(d, str) and d in p.sizes for d in p.left)),
    "1 as a dimension": _any(lambda p: "1" in p.left),
    "()": _any(lambda p: () in p.left),
    "a 1 inside of a group": _any(lambda p: any("1" in dim for dim in _groups(p.left, 1))),
    "(1)": _any(lambda p: ("1",) in p.left),
    "1 twice": _any(lambda p: p.left.count("1") > 1),
    "1 twice in a group": _any(lambda p: _ones_of_a_group(p.left) > 1),
    "(a)": _any(lambda p: any(len(dim) == 1 for dim in _groups(p.left, 1))),
    "no dimension": _any(lambda p: not p.shape),
    "a size of 0": _any(lambda p: 0 in p.shape),
    "few blanks": _any(lambda p: p.style == 1),
    "many blanks": _any(lambda p: p.style == 2),
    "a name begins as another one does": _any(
        lambda p: any(a != b and b.startswith(a) for a, b in itertools.permutations(names_of(p.left), 2))
    ),
    "names differ in case alone": _any(
        lambda p: len({name.lower() for name in names_of(p.left)}) < len(names_of(p.left))
    ),
}

OF_DOTS = {
    "dots": _any(lambda p: has_dots(p.left)),
    "dots that are no dimension": _any(lambda p: has_dots(p.left) and not p.dots),
    "dots of three dimensions": _any(lambda p: len(p.dots) > 2),
    "dots, and a name that one may give them": _any(lambda p: p.dots and "dim0" in p.size_of),
    "dots, and another name that one may give them": _any(lambda p: p.dots and "dots0" in p.size_of),
    "dots, and a third name that one may give them": _any(lambda p: p.dots and "dot0" in p.size_of),
    "dots and no name": _any(lambda p: has_dots(p.left) and not names_of(p.left)),
}

OF_THE_RIGHT = {
    "two names are made one": _any(lambda p: _groups(p.right)),
    "dots inside of a group": _any(lambda p: has_dots(p.right) and DOTS not in p.right),
    "1 or () on the right": _any(lambda p: "1" in p.right or () in p.right),
    "1 twice on the right": _any(lambda p: p.right.count("1") > 1),
    "1 twice in a group on the right": _any(lambda p: _ones_of_a_group(p.right) > 1),
    "another order": _any(lambda p: [n for n in names_of(p.left) if n in names_of(p.right)] != names_of(p.right)),
}


@functools.cache
@classes(
    OF_THE_LEFT
    | {
        "beyond 2**32": lambda p: max(p.shape, default=0) > 2**32,
        "a size to compute that no float holds": lambda p: any(
            n not in p.sizes and p.size_of[n] > 2**53 for group in _groups(p.left) for n in names_of([group])
        ),
    }
)
def sides() -> SearchStrategy[Pattern]:
    """Patterns whose left side is asked alone, small and huge."""
    small = [patterns(plain=True) for _ in range(2)]  # one strategy that is given twice counts once
    return st.one_of(*small, patterns(plain=True, huge=True))


@functools.cache
@classes(
    OF_THE_LEFT
    | OF_DOTS
    | OF_THE_RIGHT
    | {
        "huge": lambda p: max(p.shape, default=0) >= 10_000,
        "a size beyond 2**53": lambda p: any(size > 2**53 for size in shape_of(p.right, p.size_of, p.dots)),
    }
)
def shapes_to_rearrange() -> SearchStrategy[Pattern]:
    """Patterns of rearrange, small and huge."""
    small = [patterns() for _ in range(6)]
    return st.one_of(*small, patterns(huge=True), merged())


@st.composite
def merged(draw: DrawFn) -> Pattern:
    """A pattern with huge sizes that are all made one."""
    pattern = draw(patterns(huge=True, plain=True, count=pick(draw, (4, 3))))
    return replace(pattern, right=(tuple(ordered(draw, names_of(pattern.left))),))
