"""What hypothesis draws for kata 08 of einsum: patterns of two operands, right ones and such that einops refuses."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import Shape, in_order, narrowed, pick, two_sizes
from .patterns import STYLES, Sizes, styled
from .strategies_patterns import NAMES, OF_DOTS_TOO, ordered
from .strategies_tensors import LARGE, typed

ROLES = ("x alone", "summed", "y alone", "kept in both", "summed in x", "summed in y")
"""Where a name stands: what is summed is not on the right, and the rest is."""

OF_X = {"summed", "x alone", "kept in both", "summed in x"}
OF_Y = {"summed", "y alone", "kept in both", "summed in y"}
OF_THE_RIGHT = {"x alone", "kept in both", "y alone"}

ALL_SUMMED = {"x alone": "summed in x", "y alone": "summed in y", "kept in both": "summed"}
"""What becomes of each where nothing is left."""

DOTS = "..."

OF_OTHER_LENGTHS: tuple[tuple[Shape, Shape], ...] = (((2, 3), (3,)), ((3,), (2, 3)))
"""What the dots of x and y stand for, where it shows at which end they are aligned."""

OF_NO_ELEMENTS: tuple[tuple[Shape, Shape], ...] = (((1,), (0,)), ((2, 0), (2, 1)))
"""The same, where what stretches is not the smaller one."""


@dataclass
class Product:
    """The names of both operands and of the right, their sizes, and what the dots of each operand stand for."""

    x: list[str]
    y: list[str]
    right: list[str]
    size_of: Sizes
    dots: tuple[Shape, Shape] = ((), ())
    style: int = 0

    @property
    def text(self) -> str:
        """The pattern as it is written."""
        return styled(f"{' '.join(self.x)}, {' '.join(self.y)} -> {' '.join(self.right)}", self.style)

    def shapes(self) -> tuple[Shape, Shape]:
        """The shapes of both operands."""
        both = zip((self.x, self.y), self.dots, strict=True)
        x, y = (tuple(n for name in names for n in self._sizes(name, dots)) for names, dots in both)
        return x, y

    def _sizes(self, name: str, dots: Shape) -> Shape:
        return dots if name == DOTS else (self.size_of[name],)


@st.composite
def _products(draw: DrawFn) -> Product:
    names = pick(draw, NAMES + OF_DOTS_TOO[:6])[: pick(draw, (3, 2, 4, 3, 4, 1))]
    roles = {name: pick(draw, ROLES[place:] + ROLES[:place]) for place, name in enumerate(names)}
    nothing_left = draw(st.integers(0, 11)) == 11
    if nothing_left:
        roles = {name: ALL_SUMMED.get(role, role) for name, role in roles.items()}
    if not OF_X.intersection(roles.values()) or not OF_Y.intersection(roles.values()):
        roles[names[0]] = pick(draw, ("kept in both", "summed"))  # an operand of no names is not asked
    size_of = {name: pick(draw, in_order(4, 2 + place)) for place, name in enumerate(names)}
    if draw(st.integers(0, 7)) == 7:
        size_of[pick(draw, names)] = 0
    x, y, right = (ordered(draw, [name for name in names if roles[name] in of]) for of in (OF_X, OF_Y, OF_THE_RIGHT))
    product = Product(x, y, right, size_of, style=pick(draw, (0, 0, 0, *range(STYLES))))
    where = "" if nothing_left else pick(draw, ("", "both", "both", "x", "y", "both"))
    if where:
        dots = pick(draw, ((3,), (2, 3), (3, 3), (2, 1, 3), (), (3, 0)))
        product.dots = tuple(narrowed(draw, dots) if where in ("both", name) else () for name in "xy")  # type: ignore[assignment]
        if where == "both" and draw(st.integers(0, 2)) == 2:
            product.dots = pick(draw, OF_OTHER_LENGTHS + OF_NO_ELEMENTS)
        for name, operand in (("x", x), ("y", y)):
            if where in ("both", name):
                operand.insert(draw(st.integers(0, len(operand))), DOTS)
        right.insert(draw(st.integers(0, len(right))), DOTS)
    return product


def _of_names(holds: Callable[[set[str], set[str], set[str]], object]) -> Callable[[tuple[Product, list[str]]], object]:
    return lambda case: holds({*case[0].x} - {DOTS}, {*case[0].y} - {DOTS}, {*case[0].right} - {DOTS})


def _of_dots(holds: Callable[[Shape, Shape], object]) -> Callable[[tuple[Product, list[str]]], object]:
    return lambda case: DOTS in case[0].x and DOTS in case[0].y and holds(*case[0].dots)


@functools.cache
@classes(
    {
        "a name of both is summed": _of_names(lambda x, y, right: (x & y) - right),
        "two names of both are summed": _of_names(lambda x, y, right: len((x & y) - right) > 1),
        "a name of both is kept": _of_names(lambda x, y, right: x & y & right),
        "a name of x alone is summed": _of_names(lambda x, y, right: x - y - right),
        "a name of y alone is summed": _of_names(lambda x, y, right: y - x - right),
        "nothing is left": lambda case: not case[0].right,
        "nothing is summed": _of_names(lambda x, y, right: (x | y) <= right),
        "shared names in another order": lambda case: (
            [n for n in case[0].x if n in case[0].y] != [n for n in case[0].y if n in case[0].x]
        ),
        "the right in another order than x": lambda case: (
            [n for n in case[0].x if n in case[0].right] != [n for n in case[0].right if n in case[0].x]
        ),
        "dots in x alone": lambda case: DOTS in case[0].x and DOTS not in case[0].y,
        "dots in y alone": lambda case: DOTS in case[0].y and DOTS not in case[0].x,
        "dots that broadcast": _of_dots(lambda x, y: x != y),
        "more dots in x": _of_dots(lambda x, y: len(x) > len(y)),
        "more dots in y": _of_dots(lambda x, y: len(y) > len(x)),
        "dots that fit at one end alone": _of_dots(lambda x, y: (x, y) in OF_OTHER_LENGTHS),
        "a 1 in the dots is stretched": _of_dots(
            lambda x, y: any(a != b and 1 in (a, b) for a, b in zip(x[::-1], y[::-1], strict=False))
        ),
        "a 1 in the dots meets a 0": _of_dots(lambda x, y: (x, y) in OF_NO_ELEMENTS),
        "dots of three dimensions": lambda case: max(map(len, case[0].dots)) > 2,
        "dots that are no dimension": lambda case: DOTS in case[0].right and not any(case[0].dots),
        "dots that are not first": lambda case: DOTS in case[0].right[1:],
        "a size of 0": lambda case: any(0 in shape for shape in case[0].shapes()),
        "few blanks": lambda case: case[0].style == 1,
        "many blanks": lambda case: case[0].style == 2,
        "one tensor as both": lambda case: case[1][1] == "y = x",
        "dots, and a name that one may give them": lambda case: any(case[0].dots) and "dim0" in case[0].size_of,
        "dots, and another name that one may give them": lambda case: any(case[0].dots) and "dots0" in case[0].size_of,
        "dots, and a third name that one may give them": lambda case: any(case[0].dots) and "dot0" in case[0].size_of,
        "numbers of x that neither float32 nor ints hold": lambda case: LARGE in case[1][0],
        "numbers of y that neither float32 nor ints hold": lambda case: LARGE in case[1][1],
    }
)
@st.composite
def products(draw: DrawFn) -> tuple[Product, list[str]]:
    """A pattern of two operands, and the lines that make them."""
    both = pick(draw, (False,) * 6 + (True,))
    product = draw(_of_one_tensor() if both else _products())
    # The sum of 81 squares of such numbers does not fit into 53 bits.
    large = ("", "") if both else pick(draw, (("", ""), ("", ""), ("", ""), (LARGE, ""), ("", LARGE)))
    x, y = (typed(draw, shape, large=more) for shape, more in zip(product.shapes(), large, strict=True))
    return product, [f"x = {x}", f"y = {'x' if both else y}"]


@st.composite
def _of_one_tensor(draw: DrawFn) -> Product:
    """A pattern of two operands of one shape, whose names are the same or others."""
    names = pick(draw, NAMES)
    x, y = list(names[:2]), pick(draw, (list(names[2:]), [names[1], names[2]], [names[1], names[0]], list(names[:2])))
    right = ordered(draw, [name for name in dict.fromkeys((*x, *y)) if pick(draw, (True, True, False))])
    return Product(x, y, right, dict.fromkeys(names, pick(draw, (3, 2))))


# What einops refuses

Refused = tuple[str, tuple[Shape, Shape], str]
"""A pattern, the shapes of x and y, and what is wrong."""


def _another_number_of_operands(draw: DrawFn, product: Product) -> tuple[str, tuple[Shape, Shape], str]:
    operands, _, right = product.text.partition("->")
    text = pick(
        draw,
        (
            operands.replace(",", " "),
            f"{operands}, row",
            f"{operands},",
            operands.partition(",")[0],
            f",{operands}",
        ),
    )
    return f"{text} -> {right}", product.shapes(), "there are not two operands"


def _arrows(draw: DrawFn, product: Product) -> tuple[str, tuple[Shape, Shape], str]:
    arrow = pick(draw, (" ", f" -> {' '.join(product.right)} -> ", " => ", " ->-> ", " - > "))
    operands, _, right = product.text.partition("->")
    text = operands if draw(st.booleans()) else f"{operands}{arrow}{right}"
    return text, product.shapes(), "there is not one ->"


def _dimensions(draw: DrawFn, product: Product) -> tuple[str, tuple[Shape, Shape], str]:
    x, y = product.shapes()
    size = (pick(draw, (2, 1, 3, 0)),)
    more = [both for side, both in ((product.x, (x + size, y)), (product.y, (x, size + y))) if DOTS not in side]
    few = tuple(tuple(product.size_of[name] for name in side if name != DOTS) for side in (product.x, product.y))
    less = [(few[0][1:], y)] * bool(few[0]) + [(x, few[1][:-1])] * bool(few[1])
    wrong = [*more, *less]
    if not wrong:
        product.x.append("row")
        wrong = [((), y)]
        product.right.append("row")
    return product.text, pick(draw, wrong), "an operand has another number of dimensions"


def _two_sizes(draw: DrawFn, product: Product) -> tuple[str, tuple[Shape, Shape], str]:
    here, there = pick(draw, (two_sizes(draw), (2, 4), (4, 2)))  # also such that one divides the other
    sides = [product.x, product.y]
    for place, side in enumerate(sides):
        product.size_of[f"row{place}"] = (here, there)[place]
        side.insert(draw(st.integers(0, len(side))), f"row{place}")
    if draw(st.booleans()):
        product.right.append("row")
    shapes = product.shapes()
    for side in sides:
        side[:] = ["row" if name in ("row0", "row1") else name for name in side]
    return product.text, shapes, f"row has the sizes {here} and {there}"


def _of_no_operand(draw: DrawFn, product: Product) -> tuple[str, tuple[Shape, Shape], str]:
    product.right.insert(draw(st.integers(0, len(product.right))), pick(draw, ("row", "rows")))
    return product.text, product.shapes(), "a name on the right is of no operand"


def _twice_on_the_right(draw: DrawFn, product: Product) -> tuple[str, tuple[Shape, Shape], str]:
    product.size_of["row"] = pick(draw, (2, 1, 3))
    for side in pick(draw, ((product.x, product.y), (product.x,), (product.y,))):
        side.append("row")
    for _ in range(2):
        product.right.insert(draw(st.integers(0, len(product.right))), "row")
    return product.text, product.shapes(), "row stands twice on the right"


def _dots(draw: DrawFn, product: Product) -> tuple[str, tuple[Shape, Shape], str]:
    here, there = two_sizes(draw)
    before: Any = pick(draw, (((), ()), ((5,), ()), ((), (4,)), ((1,), (3,)), ((2,), (2,))))
    product.dots = ((*before[0], here), (*before[1], there))
    for side in (product.x, product.y, product.right):
        if DOTS not in side:
            side.insert(draw(st.integers(0, len(side))), DOTS)
    return product.text, product.shapes(), "the dots do not broadcast"


FAULTS: tuple[tuple[Callable[[DrawFn, Product], Refused], ...], ...] = (
    (_another_number_of_operands, _arrows, _dimensions),
    (_two_sizes, _dots),
    (_of_no_operand, _twice_on_the_right),
)


def _says(text: str) -> Callable[[Sequence[Refused]], bool]:
    return lambda cases: any(text in because for *_, because in cases)


@functools.cache
@classes(
    {
        "another number of operands": _says("not two operands"),
        "no arrow, or two": _says("not one ->"),
        "another number of dimensions": _says("number of dimensions"),
        "two sizes of a name": _says("row has the sizes"),
        "two sizes of a name, of which one divides the other": lambda cases: (
            _says("the sizes 2 and 4")(cases) or _says("the sizes 4 and 2")(cases)
        ),
        "a name of no operand": _says("of no operand"),
        "a name twice on the right": _says("twice on the right"),
        "dots that do not broadcast": _says("do not broadcast"),
    }
)
def refused_products() -> SearchStrategy[list[Refused]]:
    """Patterns of two operands, one for each class of faults, and what is wrong with them."""
    return _refused()


@st.composite
def _refused(draw: DrawFn) -> list[Refused]:
    right = draw(_products())
    return [pick(draw, faults)(draw, copy.deepcopy(right)) for faults in FAULTS]
