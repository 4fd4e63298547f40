"""What hypothesis draws for kata 08 of two calls with the same text, of which the second differs in something else."""

from __future__ import annotations

import copy
import functools
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import pick
from .patterns import Pattern, Sizes, has_dots, names_of
from .strategies_einsum import Product, products
from .strategies_patterns import KEEPS, LOSES, patterns
from .strategies_tensors import OPS, reduces_nothing, typed

Call = tuple[Pattern, str, str]
"""A pattern, x, and an op, which is "" except for reduce."""


def _with_other_sizes(draw: DrawFn, pattern: Pattern) -> Pattern:
    """The same text for the same shape with other sizes, if there are any; otherwise for another shape."""
    size_of = dict(pattern.size_of)
    for dim in pattern.left:
        names = [name for name in names_of([dim]) if size_of[name] > 0]
        if len(names) > 1:
            size_of |= {name: size_of[other] for name, other in zip(names, names[1:] + names[:1], strict=True)}
    size_of |= {name: size_of[name] + 1 for name in pattern.new}
    return _with(pattern, size_of) if size_of != pattern.size_of else _with_another_shape(draw, pattern)


def _with_another_shape(draw: DrawFn, pattern: Pattern) -> Pattern:
    """The same text for a larger shape; with the same sizes, if that is possible."""
    kept = {} if set(pattern.size_of) == set(pattern.sizes) and not pattern.dots else pattern.sizes
    size_of = {name: size + (name not in kept) for name, size in pattern.size_of.items()}
    dots = pick(draw, (tuple(size + 1 for size in pattern.dots), (2, *pattern.dots))) if has_dots(pattern.left) else ()
    return replace(_with(pattern, size_of), dots=dots)


def _with(pattern: Pattern, size_of: Sizes) -> Pattern:
    sizes = {name: max(size_of[name], 1) if name in pattern.new else size_of[name] for name in pattern.sizes}
    return replace(pattern, size_of=size_of, sizes=sizes)


def _another(draw: DrawFn, pattern: Pattern) -> Pattern:
    """The same text for the same sizes, for other sizes, or for another shape."""
    change = pick(draw, (_with_another_shape, _with_other_sizes, _with_other_sizes))
    return change(draw, pattern)


OF_BOTH = {
    "another shape": lambda case: case[0][0].shape != case[1][0].shape,
    "other sizes for the same shape": lambda case: (
        case[0][0].shape == case[1][0].shape and case[0][0].sizes != case[1][0].sizes
    ),
    "another number of dimensions": lambda case: len(case[0][0].shape) != len(case[1][0].shape),
}


@st.composite
def _of_patterns(draw: DrawFn, kind: str, plain: bool) -> tuple[Call, Call]:
    one = draw(patterns(kind, plain=plain))
    same = not plain and pick(draw, (False, False, False, True))
    other = one if same else _another(draw, one)
    ops = ("", "")
    if kind == LOSES:
        which = [("sum", "mean") if reduces_nothing(pattern) else OPS for pattern in (one, other)]
        ops = pick(draw, which[0]), pick(draw, which[1])
    first, second = ((p, typed(draw, p.shape, negative=True), op) for p, op in zip((one, other), ops, strict=True))
    return first, second


@functools.cache
def twice(kind: str) -> SearchStrategy[tuple[Call, Call]]:
    """Two calls with the same text, and other numbers."""
    of_kind = {"another op": lambda case: case[0][2] != case[1][2]} if kind == LOSES else {}
    of_shapes = {"the same shape": lambda case: case[0][0] == case[1][0]}
    return classes(OF_BOTH | of_kind | of_shapes)(_of_patterns)(kind=kind, plain=False)


@functools.cache
def sides_twice() -> SearchStrategy[tuple[Call, Call]]:
    """The same for sides, which differ in something that is given, or in the shape."""
    without_dots = {name: holds for name, holds in OF_BOTH.items() if "number" not in name}
    return classes(without_dots)(_of_patterns)(kind=KEEPS, plain=True)


@functools.cache
@classes(
    {
        "another shape": lambda case: case[0][0].shapes() != case[1][0].shapes(),
        "the same shape": lambda case: case[0][0].shapes() == case[1][0].shapes(),
    }
)
@st.composite
def products_twice(draw: DrawFn) -> tuple[tuple[Product, list[str]], tuple[Product, list[str]]]:
    """Two calls of einsum with the same text, and other numbers."""
    product, lines = draw(products())
    other = copy.deepcopy(product)
    if pick(draw, (False, True)):
        other.size_of = {name: size + 1 for name, size in product.size_of.items()}
    x, y = (typed(draw, shape, negative=True) for shape in other.shapes())
    return (product, lines), (other, [f"x = {x}", f"y = {y}"])
