"""What hypothesis draws for kata 08 of patterns that einops refuses: right ones with one fault put in."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, pick
from .faults import SHAPES, SIDE, SPOILT, Draft, Fault, draft, faults
from .patterns import STYLES, Sizes, styled
from .strategies_patterns import GAINS, KEEPS, LOSES

Refused = tuple[str, Shape, Sizes, str]
"""A pattern or a side, a shape, sizes, and what is wrong."""


def _says(text: str) -> Callable[[Sequence[Refused]], bool]:
    """Whether that is wrong with one of the cases."""
    return lambda cases: any(text in because for *_, because in cases)


OF_EVERY_KIND = {
    "a group that does not divide": _says("does not divide"),
    "a group that does not make the dimension": _says("· "),
    "two unknown names": _says("two names"),
    "another size is given": _says("in sizes, and"),
    "another size of 1, which is not stretched": _says("and 1 in the shape"),
    "no 1": _says("is a dimension of size 1"),
    "a name that is not there": _says("there is no "),
    "a dimension too many": _says("dimension more"),
    "a dimension too few": _says("dimension less"),
    "a name twice on the left": _says("twice on the left"),
    **{kind: _says(kind) for kind in SPOILT},
}


@functools.cache
def refused(kind: str) -> SearchStrategy[list[Refused]]:
    """Patterns of this kind, one for each class of faults, and what is wrong with them."""
    huge = {
        "a huge group that does not divide": _says(f"divide {2**54 + 1}"),
        "a huge group that does not make the dimension": _says(f"is not {2**54 + 1}"),
    }
    of_names = {"a name is lost": _says("left alone"), "a name is new": _says("right alone")}
    of_kind = {
        SIDE: {"dots": _says("there are dots"), **huge},
        SHAPES: of_names | huge,
        KEEPS: of_names,
        LOSES: {"a name is new": _says("right alone")},
        GAINS: {
            "a name is lost": _says("left alone"),
            "a new name without a size": _says("has no size"),
            "a new name with a size": lambda cases: any("copies" in sizes for _, _, sizes, _ in cases),
        },
    }[kind]
    of_both_sides = {
        "no arrow": _says("no ->"),
        "two arrows": _says("two ->"),
        "a name twice on the right": _says("row stands twice on the right"),
        "dots twice": _says("dots stand twice"),
        "dots in a group": _says("dots stand in a group"),
        "dots on the right alone": _says("dots stand on the right alone"),
    }
    return classes(OF_EVERY_KIND | of_kind | ({} if kind == SIDE else of_both_sides))(refusals)(kind=kind)


@st.composite
def refusals(draw: DrawFn, kind: str) -> list[Refused]:
    """The same, without classes."""
    right, style = draft(draw, kind), pick(draw, (0, 0, *range(STYLES)))
    return [_spoilt(draw, right, some, style) for some in faults(kind)]


def _spoilt(draw: DrawFn, right: Draft, some: Sequence[Fault], style: int) -> Refused:
    spoilt = replace(right, left=[*right.left], right=[*right.right], sizes={**right.sizes})
    because = pick(draw, some)(draw, spoilt)
    return styled(spoilt.text(), style), spoilt.shape(), spoilt.sizes, because
