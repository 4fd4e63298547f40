"""The faults that are put into right patterns of kata 08, of which each makes einops refuse them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ..shared.shapes import Shape, in_order, pick
from .patterns import Sizes
from .strategies_patterns import GAINS, LOSES, NAMES, ordered

SIDE = "side"
"""The kind of what is refused of one side alone; the others are those of patterns."""

SHAPES = "shapes"
"""The kind of patterns that keep all names, of shapes that no memory holds: of these and of sides, some are huge."""


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


def draft(draw: DrawFn, kind: str) -> Draft:
    """A right pattern without groups; half of those that may have dots, or a new name with a size, have them."""
    names = [*pick(draw, NAMES)[: pick(draw, (1, 2, 3, 0))]]
    left: list[tuple[str, Shape]] = [(name, (pick(draw, in_order(4, 2 + place)),)) for place, name in enumerate(names)]
    made = Draft(kind, left, ordered(draw, names))
    if kind != SIDE and draw(st.booleans()):
        _put(draw, made.left, ("...", pick(draw, ((3,), (), (2, 3)))))
        _put(draw, made.right, "...")
    if kind == GAINS and draw(st.booleans()):
        _put(draw, made.right, "copies")
        made.sizes["copies"] = pick(draw, (2, 3, 1))
    return made


def _put(draw: DrawFn, items: list[Any], *new: Any) -> None:
    """Put these somewhere between the others, each by itself."""
    for one in new:
        items.insert(draw(st.integers(0, len(items))), one)


def _is_dotted(draft: Draft) -> bool:
    return any(word == "..." for word, _ in draft.left)


def _huge(draft: Draft, *numbers: int) -> tuple[tuple[int, ...], ...]:
    """Numbers whose quotient a float rounds, three times, if the shape may be as large as that."""
    return (numbers,) * 3 if draft.kind in (SIDE, SHAPES) else ()


Fault = Callable[[DrawFn, Draft], str]
"""Spoils a draft, and says what is wrong with it."""

# Sizes that do not fit


def _does_not_divide(draw: DrawFn, draft: Draft) -> str:
    given, size = pick(draw, ((2, 5), (2, 3), (3, 4), (4, 6), (2, 1), (3, 8), (4, 2), *_huge(draft, 2, 2**54 + 1)))
    name = pick(draw, ("row", "column"))
    _put(draw, draft.left, ("(row column)", (size,)))
    _put(draw, draft.right, "row", "column")
    draft.sizes[name] = given
    return f"{given} does not divide {size}"


def _does_not_make(draw: DrawFn, draft: Draft) -> str:
    row, column, size = pick(
        draw,
        (
            *((2, 3, 12), (2, 3, 3), (2, 2, 6), (1, 2, 4), (2, 3, 7), (3, 2, 0), (1, 3, 1)),
            *_huge(draft, 2**27, 2**27, 2**54 + 1),
        ),
    )
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
    return _row_of(draw, draft, *pick(draw, ((2, 3), (1, 3), (3, 2), (2, 0))))


def _another_size_than_one(draw: DrawFn, draft: Draft) -> str:
    return _row_of(draw, draft, pick(draw, (3, 2, 4)), 1)


def _row_of(draw: DrawFn, draft: Draft, given: int, size: int) -> str:
    _put(draw, draft.left, (pick(draw, ("row", "row", "(row)")), (size,)))
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
    # Whoever begins a dimension at each parenthesis reads (row (column)) as two.
    sizes = {"((row) column)": (6,), "(row (column))": pick(draw, ((2, 3), (2, 3), (6,)))}.get(group, (2, 3))
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
    "a parenthesis is left open": ("row (column", "(row column", "(row) (column", "(row (column)"),
    "a parenthesis is closed twice": ("row column)", "row) column", "(row) column)"),
    "a parenthesis is closed before it is opened": (")row column(", "row )( column"),
    "parentheses are nested": (
        "(row (column))",
        "((row) column)",
        "(row (column))",
        "((row)) column",
        "row (()) column",
    ),
}


def _spoilt_group(draw: DrawFn) -> tuple[str, str]:
    kind = pick(draw, list(SPOILT))
    return kind, pick(draw, SPOILT[kind])


def _no_arrow(draw: DrawFn, draft: Draft) -> str:
    draft.arrow = pick(draw, (" ", " - > ", " => ", ", ", " <- "))
    if draw(st.booleans()):
        draft.arrow, draft.right = " ", []  # where names may be lost, nothing else is amiss
    return "there is no ->"


def _two_arrows(draw: DrawFn, draft: Draft) -> str:
    if not _is_dotted(draft):  # which would take a second arrow for the name of a dimension
        _put(draw, draft.left, ("...", (2, 3)))
        _put(draw, draft.right, "...")
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
        _put(draw, draft.left, ("row", (pick(draw, (2, 3)),)))
    else:
        _put(draw, draft.left, (word, (pick(draw, (2, 1)) * 3,)))
        _put(draw, draft.right, "column")
        draft.sizes["column"] = 3
    return "row stands on the left alone"


def _lost_one(draw: DrawFn, draft: Draft) -> str:
    _put(draw, draft.left, ("row", (1,)))
    if draw(st.booleans()):
        draft.sizes["row"] = 1
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


# The classes of faults

OF_GROUPS = (_does_not_divide, _does_not_make, _two_unknown)
OF_SIZES = (_another_size, _no_one, _no_such_name)
OF_ONES = (_another_size_than_one,)
OF_DIMENSIONS = (_too_many_dimensions, _too_few_dimensions, _twice_on_the_left)
OF_PARENTHESES = (_parentheses_on_the_left, _parentheses_on_the_right)
OF_THE_TEXT = (_no_arrow, _two_arrows, _dots_twice, _dots_in_a_group)
OF_NEW_NAMES = (_new, _twice_on_the_right, _dots_on_the_right_alone)
OF_LOST_NAMES = (_lost, _lost_one, _renamed, _dots_on_the_left_alone)


def faults(kind: str) -> list[tuple[Fault, ...]]:
    """The faults of a kind of patterns, by classes: an example has one of each class."""
    if kind == SIDE:
        return [OF_GROUPS, OF_SIZES, OF_ONES, OF_DIMENSIONS, (*[_parentheses_on_the_left] * 2, _dots_on_a_side)]
    lost = [OF_LOST_NAMES] if kind != LOSES else []
    return [OF_GROUPS, OF_SIZES, OF_ONES, OF_DIMENSIONS, OF_PARENTHESES, OF_THE_TEXT, OF_NEW_NAMES, *lost]
