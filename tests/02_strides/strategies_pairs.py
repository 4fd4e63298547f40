"""What hypothesis draws for kata 02: two views that may share elements."""

from __future__ import annotations

import functools
import itertools

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import View, view_of
from ..shared.shapes import beside, pick
from ..shared.views import places
from .strategies_parts import dims
from .strategies_views import FAR_OFFSET, in_use, no_float_holds, strided
from .truth import metadata


@functools.lru_cache(maxsize=4)  # several classes ask it of one case
def _meet(case: tuple[View, View]) -> bool:
    return not {*places(*case[0])}.isdisjoint(places(*case[1]))


@functools.lru_cache(maxsize=4)  # several classes ask it of one case
def _ranges_meet(case: tuple[View, View]) -> bool:
    a, b = (places(*view) for view in case)
    return bool(a and b) and min(a) <= max(b) and min(b) <= max(a)


KNOWN_PAIRS = (
    (((3,), (1,), 3), ((3,), (3,), 1)),  # a row and a column
    (((2, 2), (4, 1), 0), ((2, 2), (4, 1), 2)),  # the left and the right half of a matrix
    (((2, 3), (3, 1), 0), ((2, 3), (3, 1), 2)),  # six places each, four of them shared
    (((3,), (2,), 0), ((2,), (2,), 1)),  # even and odd places
)


@functools.cache
@classes(
    {
        "an element in common": _meet,
        "ranges that meet, and no element in common": lambda case: _ranges_meet(case) and not _meet(case),
        "ranges that do not meet": lambda case: 0 not in case[0][0] + case[1][0] and not _ranges_meet(case),
        "one without elements": lambda case: 0 in case[0][0] + case[1][0],
        "one without elements, whose offset the other has": lambda case: any(
            0 in one[0] and one[2] in places(*other) for one, other in itertools.permutations(case)
        ),
        "another first place, and an element in common": lambda case: case[0][2] != case[1][2] and _meet(case),
        "a first place that the other does not show, and an element in common": lambda case: (
            case[0][2] not in places(*case[1]) and case[1][2] not in places(*case[0]) and _meet(case)
        ),
        "a single element in common": lambda case: len({*places(*case[0])} & {*places(*case[1])}) == 1,
        "a 0-d view": lambda case: () in (case[0][0], case[1][0]),
        "one view that ends where the other begins, or just before": lambda case: any(
            0 not in one[0] and max(places(*one)) in (other[2], other[2] - 1)
            for one, other in itertools.permutations(case)
        ),
        "elements that are repeated": lambda case: any(
            stride == 0 for shape, strides, _ in case for _, stride in in_use(shape, strides)
        ),
        "two dimensions and more": lambda case: min(len(in_use(*view[:2])) for view in case) > 1,
        "the same view without elements twice": lambda case: 0 in case[0][0] and case[0] == case[1],
        "four dimensions and more": lambda case: max(len(in_use(*view[:2])) for view in case) > 3,
        "places that no float holds": lambda case: all(
            0 not in view[0] and no_float_holds(places(*view)) for view in case
        ),
        "places that no float holds, one beside another of the other view": lambda case: (
            not _meet(case) and not {*map(float, places(*case[0]))}.isdisjoint(map(float, places(*case[1])))
        ),
        "places that are alike but for multiples of 2**32, and no element in common": lambda case: (
            not _meet(case)
            and not {place % 2**32 for place in places(*case[0])}.isdisjoint(
                place % 2**32 for place in places(*case[1])
            )
        ),
    }
)
def view_pairs() -> SearchStrategy[tuple[View, View]]:
    """Two views of one storage."""
    return _view_pairs()


@st.composite
def _view_pairs(draw: DrawFn) -> tuple[View, View]:
    """Two views near each other, both far behind the first place, one on a page of 2**32 places, or one and the same.

    On pages, one view shows the same places of two pages, and the other is on the second page or the one after it.
    """
    a, b = draw(beside(_near_pairs(), *KNOWN_PAIRS))
    how = pick(draw, ("near", "near", "near", "behind", "behind", "pages", "pages", "twins"))
    if how == "twins":
        empty = ((0, *a[0][1:]), a[1], a[2]) if a[0] else ((0,), (1,), a[2])
        return pick(draw, ((a, a), (empty, empty), (empty, empty), (a, empty)))
    if how == "behind":
        return (*a[:2], a[2] + FAR_OFFSET), (*b[:2], b[2] + FAR_OFFSET)
    if how == "pages":
        page = 2**32
        dim = draw(st.integers(0, len(a[0])))
        both = (*a[0][:dim], 2, *a[0][dim:]), (*a[1][:dim], page, *a[1][dim:]), a[2]
        other = *b[:2], b[2] + pick(draw, (1, 2)) * page
        return pick(draw, ((both, other), (other, both)))
    return a, b


@st.composite
def _near_pairs(draw: DrawFn) -> tuple[View, View]:
    """Two views of one storage: parts of one view, a row and a column, near each other, interleaved, or far apart."""
    kind = pick(draw, ("two", "two", "parts", "split", "point", "cross"))
    fewest = pick(draw, (0, 0, 4, 0, 4))
    if kind == "parts":
        whole = draw(strided(4, max(fewest, 1), far=False))
        return part_of(draw, whole), part_of(draw, whole)
    if kind == "split":
        return split(draw)
    if kind == "cross":
        x = torch.empty((draw(st.integers(2, 5)), draw(st.integers(2, 5))), device="meta")
        return view_of(x.select(0, draw(dims(x.shape[0])))), view_of(x.select(1, draw(dims(x.shape[1]))))
    if kind == "point":
        whole = draw(strided(4, fewest, far=False))
        return pick(draw, ((whole, near(draw, whole)), (near(draw, whole), whole)))
    a, b = draw(strided(4, fewest, far=False)), draw(strided(4, far=False))
    step = pick(draw, (1, 1, 2, 3))  # both are on a grid of this step: shifted by less, they interleave
    shift = draw(st.integers(0, pick(draw, (3, 3, 40))))
    a_view = (a[0], tuple(stride * step for stride in a[1]), a[2])
    b_view = (b[0], tuple(stride * step for stride in b[1]), a[2] + shift)
    return pick(draw, [(a_view, b_view), (b_view, a_view)])


def part_of(draw: DrawFn, view: View) -> View:
    """A view with one or two of its dimensions sliced: halves, rows, columns, every other place."""
    x = metadata(*view)
    for dim in {draw(st.integers(0, x.ndim - 1)) for _ in range(2)}:
        start = draw(st.integers(0, x.shape[dim]))
        length = draw(st.integers(0, x.shape[dim] - start))
        index = (slice(None),) * dim + (slice(start, start + length, pick(draw, (1, 1, 2))),)
        x = x[index]
    return view_of(x)


def near(draw: DrawFn, view: View) -> View:
    """A view of a single element, in the given view or beside it, or a view without elements there."""
    x = metadata(*view)
    if x.numel():
        for size in x.shape:
            x = x.select(0, draw(st.integers(0, size - 1)))
    shape, strides = pick(draw, (((), ()), ((), ()), ((0,), (1,)), ((0,), (0,))))
    return shape, strides, int(x.storage_offset()) + pick(draw, (0, 0, 1))


def split(draw: DrawFn) -> tuple[View, View]:
    """A matrix cut in two along one dimension: the parts interleave, or meet in one row or column."""
    rows, columns = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    x = torch.empty((rows, columns), device="meta")
    dim = draw(st.integers(0, 1))
    cut = draw(st.integers(1, x.shape[dim] - 1))
    parts = (x.narrow(dim, 0, cut + pick(draw, (0, 0, 1))), x.narrow(dim, cut, x.shape[dim] - cut))
    left, right = map(view_of, parts)
    return pick(draw, ((left, right), (right, left)))
