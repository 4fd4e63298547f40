"""What hypothesis draws for kata 02: expansions, and views of another shape."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.shapes import OFTEN_ONE, Shape, beside, pick, shapes
from ..shared.views import places
from .strategies_views import FAR_STRIDE, balanced, in_use, is_balanced, no_float_holds, numel, strided
from .truth import metadata


def _kept(case: tuple[Shape, Shape, Shape]) -> list[tuple[int, int]]:
    """Return the old and new size of each old dimension, or nothing if the new shape is too short."""
    shape, _, new_shape = case
    added = len(new_shape) - len(shape)
    return [] if added < 0 else list(zip(shape, new_shape[added:], strict=True))


@functools.cache
@classes(
    {
        "0-d": lambda case: case[0] == (),
        "a new dimension": lambda case: len(case[2]) > len(case[0]),
        "two new dimensions": lambda case: len(case[2]) > len(case[0]) + 1,
        "a new dimension of size 0": lambda case: 0 in case[2][: len(case[2]) - len(case[0])],
        "a new dimension of size 1": lambda case: 1 in case[2][: len(case[2]) - len(case[0])],
        "no new dimension": lambda case: len(case[2]) == len(case[0]) > 0,
        "1 that grows": lambda case: any(old == 1 < new for old, new in _kept(case)),
        "1 that becomes 0": lambda case: (1, 0) in _kept(case),
        "1 that stays, as -1": lambda case: (1, -1) in _kept(case),
        "more than 1 that stays, as -1": lambda case: any(old > 1 and new == -1 for old, new in _kept(case)),
        "more than 1 that stays": lambda case: any(old == new > 1 for old, new in _kept(case)),
        "0 that stays": lambda case: (0, 0) in _kept(case) or (0, -1) in _kept(case),
        "a stride that stays, and that no float holds": lambda case: (
            0 not in case[2] and no_float_holds(stride for _, stride in in_use(*case[:2]))
        ),
    }
)
@st.composite
def expansions(draw: DrawFn, fewest_dims: int = 0) -> tuple[Shape, Shape, Shape]:
    """Arguments of expand_strides that torch accepts."""
    shape, strides, _ = draw(strided(3, fewest_dims, OFTEN_ONE))
    wider = [pick(draw, (2, 0, 3, 1, -1) if size == 1 else (size, size, -1)) for size in shape]
    return shape, strides, (*draw(shapes(2)), *wider)


def _new(case: tuple[Shape, Shape, Shape]) -> Shape:
    """The sizes of the new dimensions."""
    return case[2][: max(len(case[2]) - len(case[0]), 0)]


@functools.cache
@classes(
    {
        "too few dimensions": lambda case: len(case[2]) < len(case[0]),
        "no dimensions left": lambda case: case[2] == () != case[0],
        "without a first dimension of size 1": lambda case: len(case[2]) < len(case[0]) and case[0][0] == 1,
        "a new dimension of -1": lambda case: -1 in _new(case),
        "a new dimension of -2 and below": lambda case: min(_new(case), default=0) < -1,
        "below 0 behind another new dimension": lambda case: min(_new(case)[1:], default=0) < 0,
        "a multiple": lambda case: any(old > 1 and new > old and new % old == 0 for old, new in _kept(case)),
        "no multiple": lambda case: any(old > 1 and new > old and new % old > 0 for old, new in _kept(case)),
        "more than 1 that becomes 1": lambda case: any(old > 1 == new for old, new in _kept(case)),
        "more than 1 that becomes 0": lambda case: any(old > 1 and new == 0 for old, new in _kept(case)),
        "0 that grows": lambda case: any(old == 0 < new for old, new in _kept(case)),
        "0 that becomes 1": lambda case: (0, 1) in _kept(case),
        "1 that becomes -2": lambda case: (1, -2) in _kept(case),
        "more than 1 that becomes -2": lambda case: any(old > 1 and new == -2 for old, new in _kept(case)),
        "0-d": lambda case: case[0] == (),
    }
)
@st.composite
def refused_expansions(draw: DrawFn, kind: str) -> tuple[Shape, Shape, Shape]:
    """Arguments of expand_strides that torch refuses: "fewer" dimensions, a "size" that changes, a "new" one below 0.

    If nothing has to match, torch accepts negative sizes that it should refuse: a -2 if the result is empty, and a -1
    for a 0-d view. Those are left out.
    """
    below_0 = kind == "new"
    old = new = 1
    if kind == "size":
        old, new = pick(draw, CHANGED)(draw(st.integers(2, 4)))
        below_0 = new < 0
    twists = ("plain", "one") if below_0 else OFTEN_ONE
    shape, strides, _ = draw(strided(2 if kind == "size" else 3, int(kind == "fewer"), twists))
    kept = tuple(pick(draw, (2, 3, 1, -1) if size == 1 else (size, size, -1)) for size in shape)
    added = draw(shapes(2, twists=twists))
    if kind == "fewer":
        return shape, strides, kept[draw(st.integers(1, len(shape))) :]
    if kind == "new":
        return shape, strides, (*pick(draw, (added, added, ())), pick(draw, (-1, -2, -3)), *added[:1], *kept)
    dim = draw(st.integers(0, len(shape)))
    strides = (*strides[:dim], draw(st.integers(0, 12)), *strides[dim:])
    return (*shape[:dim], old, *shape[dim:]), strides, (*added, *kept[:dim], new, *kept[dim:])


CHANGED: tuple[Callable[[int], tuple[int, int]], ...] = (
    lambda size: (size, 2 * size),
    lambda size: (size, size + 1),
    lambda size: (size, 1),
    lambda size: (size, 0),
    lambda size: (size, -2),
    lambda size: (0, size),
    lambda size: (0, 1),
    lambda size: (1, -2),
)
"""Old and new sizes that do not fit, of a size above 1."""
Reshape = tuple[Shape, Shape, Shape]


@functools.lru_cache(maxsize=4)  # several classes ask it of one case
def _can_view(case: Reshape) -> bool:
    shape, strides, new_shape = case
    if numel(shape) != numel(new_shape):
        return False
    try:
        metadata(shape, strides).view(new_shape)
    except RuntimeError:
        return False
    return True


@functools.lru_cache(maxsize=4)  # several classes ask it of one case
def _pieces(shape: Shape, new_shape: Shape) -> int:
    """Return the largest number of new sizes above 1 that one old size is cut into."""
    if 0 in shape or numel(shape) != numel(new_shape):
        return 0
    old, new = ({numel(each[dim:]) for dim in range(len(each) + 1)} for each in (shape, new_shape))
    return max((sum(low < end <= high for end in new) for low, high in itertools.pairwise(sorted(old))), default=0)


def _is_merged_across_a_one(case: Reshape) -> bool:
    """Return whether sizes are merged that have a 1 between them, whose stride fits neither."""
    shape, strides, _ = case
    used = [dim for dim, size in enumerate(shape) if size > 1]
    between = (dim for left, right in itertools.pairwise(used) for dim in range(left + 1, right))
    return (
        _pieces(case[2], shape) > 1
        and _can_view(case)
        and any(strides[dim] != shape[dim + 1] * strides[dim + 1] for dim in between)
    )


SAME: dict[str, Callable[[Reshape], object]] = {
    "can be viewed": _can_view,
    "cannot be viewed": lambda case: numel(case[0]) == numel(case[2]) and not _can_view(case),
    "sizes merged": lambda case: _pieces(case[2], case[0]) > 1 and _can_view(case),
    "sizes merged across a 1 of any stride": _is_merged_across_a_one,
    "sizes that cannot be merged": lambda case: _pieces(case[2], case[0]) > 1 and not _can_view(case),
    "the same sizes but for 1s": lambda case: (
        case[0] != case[2] and [n for n in case[0] if n != 1] == [n for n in case[2] if n != 1]
    ),
    "not contiguous, and can be viewed": lambda case: (
        0 not in case[0] and _can_view(case) and not metadata(*case[:2]).is_contiguous()
    ),
    "elements that are repeated, and can be viewed": lambda case: (
        any(stride == 0 for _, stride in in_use(*case[:2])) and _can_view(case)
    ),
    "0-d, or becomes so": lambda case: () in (case[0], case[2]),
    "without elements": lambda case: 0 in case[0],
}


@functools.cache
@classes(SAME)
def reshapes() -> SearchStrategy[Reshape]:
    """Arguments of view_strides with as many elements, found by merging and splitting."""
    known = ((2, 3), (6, 2), (6,)), ((2, 3), (3, 1), (3, 2)), ((2, 3), (0, 0), (6,)), ((2, 1, 3), (3, 7, 1), (6,))
    return beside(_reshapes(), *known)


@st.composite
def _reshapes(draw: DrawFn) -> Reshape:
    shape, strides, _ = draw(strided())
    return shape, strides, reshaped(draw, shape)


def _only_lines_are_even(case: Reshape) -> bool:
    """Return whether steps from the first element along each new dimension are even, though there is no such view."""
    shape, strides, new_shape = case
    if numel(shape) != numel(new_shape) or 0 in shape or _can_view(case):
        return False
    found = places(shape, strides)
    lines = [found[:: numel(new_shape[dim + 1 :])][:size] for dim, size in enumerate(new_shape)]
    return all(len({after - place for place, after in itertools.pairwise(line)}) < 2 for line in lines)


def _only_places_are_the_same(case: Reshape) -> bool:
    """Return whether first steps along each new dimension lead to strides that show each place, but not in order."""
    shape, strides, new_shape = case
    if numel(shape) != numel(new_shape) or 0 in shape or _can_view(case):
        return False
    found = places(shape, strides)
    steps = [found[numel(new_shape[dim + 1 :])] - found[0] if size > 1 else 0 for dim, size in enumerate(new_shape)]
    return {*places(new_shape, tuple(steps))} == {*found}


def _nearly_merged(case: Reshape, by: int) -> bool:
    """Return whether two neighbors miss a merge `by` an amount that their large strides hide from a float."""
    used = in_use(*case[:2])
    return numel(case[0]) == numel(case[2]) and any(
        left == size * right + by and (right > 2**53 or by > 1) for (_, left), (size, right) in itertools.pairwise(used)
    )


KINDS = (
    *("other", "other", "split", "merged", "nearly merged", "nearly merged", "balanced", "empty", "none", "none"),
    *("diagonals", "shuffled"),
)

DIAGONALS: tuple[tuple[Shape, Shape], ...] = (((4, 3), (3, 2, 2)), ((3, 4), (2, 2, 3)))
"""Old sizes and new ones: a step along the new 3 is one in both old dimensions, whatever their strides are."""


@functools.cache
@classes(
    {
        "fewer elements": lambda case: numel(case[2]) < numel(case[0]),
        "more elements": lambda case: numel(case[2]) > numel(case[0]),
        "from elements to none": lambda case: 0 not in case[0] and 0 in case[2],
        "from none to elements": lambda case: 0 in case[0] and 0 not in case[2],
        "without elements, in another shape": lambda case: 0 in case[0] and 0 in case[2] and case[0] != case[2],
        "a size split": lambda case: _pieces(case[0], case[2]) > 1 and _can_view(case),
        "a size split into three": lambda case: _pieces(case[0], case[2]) > 2 and _can_view(case),
        "three sizes merged": lambda case: _pieces(case[2], case[0]) > 2 and _can_view(case),
        "three sizes of which two can be merged": lambda case: _pieces(case[2], case[0]) > 2 and not _can_view(case),
        "strides that fall, no gaps, and elements that meet": lambda case: is_balanced(*case[:2]),
        "even steps along each new dimension, but not across them": _only_lines_are_even,
        "the same places, in another order than any strides can show": _only_places_are_the_same,
        "strides that no float holds, and can be viewed": lambda case: (
            no_float_holds(stride for _, stride in in_use(*case[:2])) and _can_view(case)
        ),
        "sizes that cannot be merged, by less than a float holds": lambda case: _nearly_merged(case, 1),
        "sizes that cannot be merged, by 2**32": lambda case: _nearly_merged(case, 2**32),
    }
)
@st.composite
def odd_reshapes(draw: DrawFn) -> Reshape:
    """Arguments of view_strides that are seldom drawn: another number of elements, or three sizes for one."""
    kind = pick(draw, KINDS)
    if kind == "balanced":
        shape, strides = balanced(draw)
        return shape, strides, pick(draw, ((numel(shape),), reshaped(draw, shape)))
    shape, strides, _ = draw(strided(4 if kind in ("other", "empty", "none") else 2, twists=("plain", "one")))
    if kind in ("empty", "none"):
        shape, strides, new_shape = shape or (2,), strides or (1,), draw(shapes(fewest_dims=1, twists=("plain", "one")))
        old, new = (True, True) if kind == "empty" else pick(draw, ((True, False), (False, True)))
        return _emptied(draw, shape) if old else shape, strides, _emptied(draw, new_shape) if new else new_shape
    if kind == "other":
        new_shape = pick(draw, (reshaped(draw, shape), draw(shapes()))) or (1,)
        dim = pick(draw, range(len(new_shape)))
        other = pick(draw, (max(new_shape[dim] - 1, 1), new_shape[dim] + 1, 2 * new_shape[dim]))
        return shape, strides, (*new_shape[:dim], other, *new_shape[dim + 1 :])
    dim, small = draw(st.integers(0, len(shape))), draw(st.integers(0, 4))
    stride, by = pick(draw, ((small, pick(draw, (1, small))), (small, 2**32), (FAR_STRIDE, 1)))
    if kind == "diagonals":
        before, after = pick(draw, DIAGONALS)
        there = (*strides[:dim], draw(st.integers(0, 4)), stride, *strides[dim:])
        return (*shape[:dim], *before, *shape[dim:]), there, (*shape[:dim], *after, *shape[dim:])
    if kind == "shuffled":
        few, right = draw(st.integers(2, 3)), draw(st.integers(2, 3))
        many = few + draw(st.integers(1, 2))  # the first step passes `few` of them, and comes to the same place again
        there = (*strides[:dim], right * stride, 0, stride, *strides[dim:])
        return (*shape[:dim], few, many, right, *shape[dim:]), there, (*shape[:dim], many, few * right, *shape[dim:])
    pieces = tuple(draw(st.integers(2, 3)) for _ in range(pick(draw, (3, 2, 3))))
    steps = [numel(pieces[place:]) * stride for place in range(1, len(pieces) + 1)]
    if kind == "nearly merged":
        steps[pick(draw, (0, 0, len(pieces) - 2))] += by
    with_one = (*shape[:dim], numel(pieces), *shape[dim:]), (*strides[:dim], stride, *strides[dim:])
    if kind != "split" and pick(draw, (True, False)):  # a 1 of any stride between them
        place = draw(st.integers(1, len(pieces) - 1))
        pieces, steps = (*pieces[:place], 1, *pieces[place:]), [*steps[:place], draw(st.integers(0, 9)), *steps[place:]]
    with_several = (*shape[:dim], *pieces, *shape[dim:]), (*strides[:dim], *steps, *strides[dim:])
    return (*with_one, with_several[0]) if kind == "split" else (*with_several, with_one[0])


def _emptied(draw: DrawFn, shape: Shape) -> Shape:
    """A shape with one size replaced by 0."""
    dim = pick(draw, range(len(shape)))
    return (*shape[:dim], 0, *shape[dim + 1 :])


def reshaped(draw: DrawFn, shape: Shape) -> Shape:
    """A shape with as many elements: neighbors merged, sizes split, sizes of 1 inserted and left out."""
    merged: list[int] = []
    for size in shape:
        join: bool = draw(st.booleans())
        if merged and join:
            merged[-1] *= size
        else:
            merged.append(size)
    result: list[int] = []
    for size in merged:
        if size > 1:
            for _ in range(pick(draw, (0, 1, 2))):
                factor = pick(draw, [n for n in range(1, size + 1) if size % n == 0])
                result.append(factor)
                size //= factor
            result.append(size)
        elif size == 0 or draw(st.booleans()):
            result.append(size)
    return (*pick(draw, ((), (), (1,))), *result)
