"""What hypothesis draws for kata 08 of patterns that einops refuses: right ones with one fault put in."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, in_order, pick
from .patterns import STYLES, Sizes, styled
from .strategies_patterns import GAINS, KEEPS, LOSES, NAMES, ordered

SIDE = "side"
"""The kind of what is refused of one side alone; the others are those of patterns."""

Refused = tuple[str, Shape, Sizes, str]
"""A pattern or a side, a shape, sizes, and what is wrong."""


@dataclass
class Draft:
    """A pattern that is about to be spoilt: each dimension of the left with its sizes, and those of the right."""

    kind: str
    left: list[tuple[str, Shape]]
    right: list[str]
    sizes: Sizes = field(default_factory=dict)
    arrow: str = " -> "

    def text(self) -> str:
        """The pattern, or its left side."""
        left = " ".join(word for word, _ in self.left)
        return left if self.kind == SIDE else f"{left}{self.arrow}{' '.join(self.right)}"

    def shape(self) -> Shape:
        """What the left side describes."""
        return tuple(size for _, sizes in self.left for size in sizes)


def _draft(draw: DrawFn, kind: str) -> Draft:
    """A right pattern without groups; half of those that may have dots have them."""
    names = [*pick(draw, NAMES)[: pick(draw, (1, 2, 3, 0))]]
    left: list[tuple[str, Shape]] = [(name, (pick(draw, in_order(4, 2 + place)),)) for place, name in enumerate(names)]
    draft = Draft(kind, left, ordered(draw, names))
    if kind != SIDE and draw(st.booleans()):
        _put(draw, draft.left, ("...", pick(draw, ((3,), (), (2, 3)))))
        _put(draw, draft.right, "...")
    return draft


def _put(draw: DrawFn, items: list[Any], *new: Any) -> None:
    """Put these somewhere between the others, each by itself."""
    for one in new:
        items.insert(draw(st.integers(0, len(items))), one)


def _is_dotted(draft: Draft) -> bool:
    return any(word == "..." for word, _ in draft.left)


Fault = Callable[[DrawFn, Draft], str]
"""Spoils a draft, and says what is wrong with it."""

# Sizes that do not fit


def _does_not_divide(draw: DrawFn, draft: Draft) -> str:
    given, size = pick(draw, ((2, 5), (2, 3), (3, 4), (4, 6), (2, 1), (3, 8), (4, 2)))
    name = pick(draw, ("row", "column"))
    _put(draw, draft.left, ("(row column)", (size,)))
    _put(draw, draft.right, "row", "column")
    draft.sizes[name] = given
    return f"{given} does not divide {size}"


def _does_not_make(draw: DrawFn, draft: Draft) -> str:
    row, column, size = pick(draw, ((2, 3, 12), (2, 3, 3), (2, 2, 6), (1, 2, 4), (2, 3, 7), (3, 2, 0), (1, 3, 1)))
    _put(draw, draft.left, ("(row column)", (size,)))
    _put(draw, draft.right, "row", "column")
    draft.sizes |= {"row": row, "column": column}
    return f"{row} · {column} is not {size}"


def _two_unknown(draw: DrawFn, draft: Draft) -> str:
    group, given = pick(draw, (("(row column)", {}), ("(row column depth)", {"column": 2}), ("(row 1 column)", {})))
    _put(draw, draft.left, (group, (pick(draw, (6, 4, 2, 1, 0)) * (2 if given else 1),)))
    _put(draw, draft.right, *group.strip("()").replace("1 ", "").split())
    draft.sizes |= given
    return "two names of the group are not in sizes"


def _another_size(draw: DrawFn, draft: Draft) -> str:
    given, size = pick(draw, ((2, 3), (3, 1), (1, 3), (2, 4), (4, 1), (2, 0)))
    name = pick(draw, ("row", "(row)"))
    _put(draw, draft.left, (name, (size,)))
    _put(draw, draft.right, "row")
    draft.sizes["row"] = given
    return f"row is {given} in sizes, and {size} in the shape"


def _no_one(draw: DrawFn, draft: Draft) -> str:
    size = pick(draw, (2, 3, 0))
    one = pick(draw, ("1", "()", "(1)"))
    _put(draw, draft.left, (one, (size,)))
    if draw(st.booleans()):
        _put(draw, draft.right, one)
    return f"{one} is a dimension of size 1, and not {size}"


def _no_such_name(draw: DrawFn, draft: Draft) -> str:
    _put(draw, draft.left, ("row1", (2,)))
    _put(draw, draft.right, "row1")
    name = pick(draw, ("row", "ROW1", "row2", "depth"))
    draft.sizes[name] = pick(draw, (2, 1, 3))
    return f"there is no {name}"


# Dimensions and names on the left


def _too_many_dimensions(draw: DrawFn, draft: Draft) -> str:
    draft.left[:] = [one for one in draft.left if one[0] != "..."]
    draft.right[:] = [word for word in draft.right if word != "..."]
    _put(draw, draft.left, ("", (pick(draw, (2, 1, 3, 0)),)))
    return "the shape has a dimension more"


def _too_few_dimensions(draw: DrawFn, draft: Draft) -> str:
    draft.left[:] = [(word, () if word == "..." else sizes) for word, sizes in draft.left]
    _put(draw, draft.left, (pick(draw, ("row", "1", "()", "row")), ()))
    if any(word == "row" for word, _ in draft.left):
        _put(draw, draft.right, "row")
    return "the shape has a dimension less"


def _twice_on_the_left(draw: DrawFn, draft: Draft) -> str:
    size = pick(draw, (2, 3, 1))
    kind = pick(draw, ("apart", "apart", "in a group", "in two groups"))
    if kind == "apart":
        _put(draw, draft.left, ("row", (size,)), ("row", (size,)))
    elif kind == "in a group":
        _put(draw, draft.left, ("(row row)", (size * size,)))
        draft.sizes["row"] = size
    else:
        _put(draw, draft.left, ("(row column)", (3 * size,)), ("row", (size,)))
        _put(draw, draft.right, "column")
        draft.sizes["column"] = 3
    _put(draw, draft.right, "row")
    return "row stands twice on the left"


# What cannot be read


def _parentheses_on_the_left(draw: DrawFn, draft: Draft) -> str:
    kind, group = _spoilt_group(draw)
    sizes = {"((row) column)": (6,), "(row (column))": (6,)}.get(group, (2, 3))
    draft.sizes |= {"row": 2} if len(sizes) == 1 else {}
    draft.left.insert(_end(draw, draft.left, group), (group, sizes))
    _put(draw, draft.right, "row", "column")
    return kind


def _parentheses_on_the_right(draw: DrawFn, draft: Draft) -> str:
    kind, group = _spoilt_group(draw)
    _put(draw, draft.left, ("row", (2,)), ("column", (3,)))
    draft.right.insert(_end(draw, draft.right, group), group)
    return kind


def _end(draw: DrawFn, items: Sequence[Any], group: str) -> int:
    """Where a group goes; one that is left open to the end, so that nothing else is amiss."""
    return len(items) if group.count("(") > group.count(")") else draw(st.integers(0, len(items)))


SPOILT = {
    "a parenthesis is left open": ("row (column", "(row column", "(row) (column"),
    "a parenthesis is closed twice": ("row column)", "row) column", "(row) column)"),
    "a parenthesis is closed before it is opened": (")row column(", "row )( column"),
    "parentheses are nested": ("((row) column)", "(row (column))", "((row)) column", "row (()) column"),
}


def _spoilt_group(draw: DrawFn) -> tuple[str, str]:
    kind = pick(draw, list(SPOILT))
    return kind, pick(draw, SPOILT[kind])


def _no_arrow(draw: DrawFn, draft: Draft) -> str:
    draft.arrow = pick(draw, (" ", " - > ", " => ", ", ", " <- "))
    return "there is no ->"


def _two_arrows(draw: DrawFn, draft: Draft) -> str:
    right = " ".join(draft.right)
    draft.arrow = pick(draw, (f" -> {right} -> ", " ->-> ", " -> -> "))
    if draw(st.booleans()):
        draft.right.append("->")
    return "there are two ->"


def _dots_twice(draw: DrawFn, draft: Draft) -> str:
    if not _is_dotted(draft):
        _put(draw, draft.left, ("...", ()))
        _put(draw, draft.right, "...")
    if draw(st.booleans()):
        _put(draw, draft.left, ("...", ()))
        return "dots stand twice on the left"
    _put(draw, draft.right, "...")
    return "dots stand twice on the right"


def _dots_in_a_group(draw: DrawFn, draft: Draft) -> str:
    draft.left[:] = [one for one in draft.left if one[0] != "..."]
    group = pick(draw, ("(...)", "(row ...)", "(... row)", "( ... )"))
    _put(draw, draft.left, (group, (pick(draw, (2, 3, 1)),)))
    if "..." not in draft.right:
        _put(draw, draft.right, "...")
    if "row" in group:
        _put(draw, draft.right, "row")
    return "dots stand in a group on the left"


def _dots_on_a_side(draw: DrawFn, draft: Draft) -> str:
    dots = pick(draw, ("...", "...", "(...)", "(... 1)"))
    _put(draw, draft.left, (dots, pick(draw, ((), (1,), (2, 3))) if dots == "..." else (1,)))
    return "there are dots"


# Names of the right


def _dots_on_the_right_alone(draw: DrawFn, draft: Draft) -> str:
    draft.left[:] = [one for one in draft.left if one[0] != "..."]
    draft.right[:] = [word for word in draft.right if word != "..."]
    _put(draw, draft.right, pick(draw, ("...", "(...)")))
    return "dots stand on the right alone"


def _dots_on_the_left_alone(draw: DrawFn, draft: Draft) -> str:
    draft.right[:] = [word for word in draft.right if word != "..."]
    if not _is_dotted(draft):
        _put(draw, draft.left, ("...", pick(draw, ((), (1,)))))
    return "dots stand on the left alone"


def _lost(draw: DrawFn, draft: Draft) -> str:
    word = pick(draw, ("row", "(row column)", "row"))
    if word == "row":
        _put(draw, draft.left, ("row", (pick(draw, (2, 1, 3)),)))
    else:
        _put(draw, draft.left, (word, (pick(draw, (2, 1)) * 3,)))
        _put(draw, draft.right, "column")
        draft.sizes["column"] = 3
    return "row stands on the left alone"


def _renamed(draw: DrawFn, draft: Draft) -> str:
    name, other = pick(draw, (("row", "rows"), ("row1", "row2"), ("row", "Row"), ("row2", "row")))
    _put(draw, draft.left, (name, (pick(draw, (2, 3, 1)),)))
    _put(draw, draft.right, other)
    if draft.kind == GAINS and draw(st.booleans()):
        draft.sizes[other] = 2
    return f"{name} stands on the left alone, and {other} on the right"


def _new(draw: DrawFn, draft: Draft) -> str:
    _put(draw, draft.right, pick(draw, ("row", "(row)", "row")))
    if draft.kind != GAINS and draw(st.booleans()):
        draft.sizes["row"] = pick(draw, (2, 1))
    return "row stands on the right alone" + (", and has no size" if draft.kind == GAINS else "")


def _twice_on_the_right(draw: DrawFn, draft: Draft) -> str:
    size = pick(draw, (2, 3, 1))
    if draft.kind == GAINS and draw(st.booleans()):
        draft.sizes["row"] = size
    else:
        _put(draw, draft.left, ("row", (size,)))
    for word in pick(draw, (("row", "row"), ("(row row)",), ("row", "(1 row)"))):
        _put(draw, draft.right, word)
    return "row stands twice on the right"


# Each example has a fault of each of these classes.

OF_GROUPS = (_does_not_divide, _does_not_make, _two_unknown)
OF_SIZES = (_another_size, _no_one, _no_such_name)
OF_DIMENSIONS = (_too_many_dimensions, _too_few_dimensions, _twice_on_the_left)
OF_THE_TEXT = (_parentheses_on_the_right, _no_arrow, _two_arrows, _dots_twice, _dots_in_a_group)
OF_NAMES = {
    KEEPS: (_lost, _new, _renamed, _twice_on_the_right, _dots_on_the_right_alone, _dots_on_the_left_alone),
    LOSES: (_new, _twice_on_the_right, _dots_on_the_right_alone),
    GAINS: (_lost, _new, _renamed, _twice_on_the_right, _dots_on_the_right_alone, _dots_on_the_left_alone),
}


def _faults(kind: str) -> list[tuple[Fault, ...]]:
    on_the_left = (_parentheses_on_the_left,)
    if kind == SIDE:
        return [OF_GROUPS, OF_SIZES, OF_DIMENSIONS, (*on_the_left, *on_the_left, _dots_on_a_side)]
    return [OF_GROUPS, OF_SIZES, OF_DIMENSIONS, (*OF_THE_TEXT, *on_the_left), OF_NAMES[kind]]


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
    of_kind = {
        SIDE: {"dots": _says("there are dots")},
        KEEPS: {"a name is lost": _says("left alone"), "a name is new": _says("right alone")},
        LOSES: {"a name is new": _says("right alone")},
        GAINS: {"a name is lost": _says("left alone"), "a new name without a size": _says("has no size")},
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
    return [_spoilt(draw, kind, faults) for faults in _faults(kind)]


def _spoilt(draw: DrawFn, kind: str, faults: Sequence[Fault]) -> Refused:
    draft = _draft(draw, kind)
    because = pick(draw, faults)(draw, draft)
    style = pick(draw, (0, 0, *range(STYLES)))
    return styled(draft.text(), style), draft.shape(), draft.sizes, because
