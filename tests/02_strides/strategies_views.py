"""What hypothesis draws for kata 02: views (shape, strides, offset), and shapes of fresh tensors."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Sequence

import torch
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dojo.judging.classes import classes

from ..shared.described import View
from ..shared.shapes import OFTEN_ONE, OFTEN_PLAIN, Shape, huge_sizes, integers, pick, shapes, sizes
from ..shared.views import places
from .truth import metadata


def numel(shape: Sequence[int]) -> int:
    """Return the number of elements of a tensor of this shape."""
    return math.prod(shape)


def in_use(shape: Shape, strides: Shape) -> list[tuple[int, int]]:
    """Return the sizes and strides of the dimensions whose stride is used."""
    return [] if 0 in shape else [(size, stride) for size, stride in zip(shape, strides, strict=True) if size > 1]


def in_order(shape: Shape, strides: Shape) -> bool:
    """Return whether the strides that are used fall from left to right."""
    used = [stride for _, stride in in_use(shape, strides)]
    return used == sorted(used, reverse=True)


def has_gaps(shape: Shape, strides: Shape) -> bool:
    """Return whether a view has no element at some place between its first and last; for views that are in order."""
    reached = 0
    for size, stride in sorted(in_use(shape, strides), key=lambda both: both[1]):
        if stride > reached + 1:
            return True
        reached += (size - 1) * stride
    return False


@functools.lru_cache(maxsize=4)  # several classes ask it of one case
def is_balanced(shape: Shape, strides: Shape) -> bool:
    """Return whether a view ends where a fresh tensor would, its strides fall, and elements meet (see `balanced`)."""
    used = in_use(shape, strides)
    ends_alike = sum((size - 1) * stride for size, stride in used) + 1 == numel(shape)
    if not ends_alike or not in_order(shape, strides) or strides[-1:] != (1,):
        return False
    return len({*places(shape, strides)}) < numel(shape)


@functools.cache
@classes(
    {
        "0-d": lambda view: view[0] == (),
        "without elements": lambda view: 0 in view[0],
        "without elements, and with an offset": lambda view: 0 in view[0] and view[2] > 0,
        "two sizes of 0, and an offset": lambda view: view[0].count(0) > 1 and view[2] > 0,
        "with an offset": lambda view: view[2] > 0,
        "without an offset": lambda view: view[2] == 0,
        "a size of 1": lambda view: 1 in view[0],
        "elements that are repeated": lambda view: any(stride == 0 for _, stride in in_use(*view[:2])),
        "strides that do not fall": lambda view: not in_order(*view[:2]),
        "gaps between elements": lambda view: has_gaps(*view[:2]),
        "two strides alike": lambda view: len({stride for _, stride in in_use(*view[:2])}) < len(in_use(*view[:2])),
        "a last stride that is not 1": lambda view: any(stride > 1 for _, stride in in_use(*view[:2])[-1:]),
        "a stride that no float holds": lambda view: no_float_holds(stride for _, stride in in_use(*view[:2])),
        "an offset that no float holds": lambda view: 0 not in view[0] and no_float_holds(view[2:]),
    }
)
def strided(
    most_dims: int = 4, fewest_dims: int = 0, twists: tuple[str, ...] = OFTEN_PLAIN, far: bool = True
) -> SearchStrategy[View]:
    """Views (shape, strides, offset): fresh, permuted, stepped, expanded, or with any strides at all.

    A dimension of size 1, and a view without elements, may have any stride. If `far`, some strides and offsets are so
    large that neither a float nor 32 bits can hold them.
    """
    return _strided(most_dims, fewest_dims, twists, far)


FAR_STRIDE = 10**17 + 1
"""A stride that no float holds; a few steps of it stay below 2**63."""

FAR_OFFSET = 10**18 + 1
"""An offset that no float holds."""


def no_float_holds(numbers: Iterable[int]) -> bool:
    """Return whether a float cannot hold one of them exactly."""
    return any(int(float(number)) != number for number in numbers)


def far_apart(strides: Shape) -> Shape:
    """Return the strides times a power of 10 plus 1, such that the places of a few elements stay below 2**62."""
    most = 2**62 // max(16 * sum(strides), 1)
    return tuple(stride * (min(10 ** (len(str(most)) - 1), FAR_STRIDE - 1) + 1) for stride in strides)


SIMPLE_STRIDES = (1, 3, 12, 12)
"""What a failing example shows of strides that may be any, from the last dimension on: those of a fresh (…, 4, 3)."""


@st.composite
def _strided(draw: DrawFn, most_dims: int, fewest_dims: int, twists: tuple[str, ...], far: bool) -> View:
    shape, strides, offset = draw(_near(most_dims, fewest_dims, twists))
    near = far_strides, far_offset = False, False
    if far:
        far_strides, far_offset = pick(draw, (near, near, near, (False, True), (True, False), (True, True)))
    return shape, far_apart(strides) if far_strides else strides, FAR_OFFSET if far_offset else offset


@st.composite
def _near(draw: DrawFn, most_dims: int, fewest_dims: int, twists: tuple[str, ...]) -> View:
    shape = draw(shapes(most_dims, fewest_dims=fewest_dims, twists=twists))
    offset = pick(draw, (0, 0, 1, 5))
    layout = pick(draw, ("rows", "rows", "permuted", "any", "close"))
    if layout in ("any", "close"):
        most = 12 if layout == "any" else 3
        simple = [min(SIMPLE_STRIDES[left], most) for left in range(len(shape))[::-1]]
        return shape, tuple(draw(integers(stride, most, 0)) for stride in simple), offset
    # Laid out evenly in some order of the dimensions; a dimension may be followed by a gap, or be repeated.
    order: Sequence[int] = range(len(shape))[::-1]
    if layout == "permuted":
        order = pick(draw, list(itertools.permutations(order)))
    strides = [0] * len(shape)
    step = pick(draw, (1, 1, 2, 3))
    for dim in order:
        how = pick(draw, ("dense", "dense", "dense", "gap", "repeated"))
        strides[dim] = 0 if how == "repeated" else step
        step *= 1 if how == "repeated" else max(shape[dim], 1) + (how == "gap")
        if shape[dim] == 1:
            strides[dim] = pick(draw, (strides[dim], 0, 7, step))
    return shape, tuple(strides), offset


def _fresh_strides(shape: Shape) -> Shape:
    return torch.empty(shape, device="meta").stride()


def _odd_strides(shape: Shape, strides: Shape) -> list[int]:
    """Return which of the strides that are used are not those of a fresh tensor."""
    both = zip(in_use(shape, strides), in_use(shape, _fresh_strides(shape)), strict=True)
    return [place for place, (mine, fresh) in enumerate(both) if mine != fresh]


CHANGES = (
    *("none", "permuted", "stride", "stride", "part", "balanced", "double", "repeated", "too far", "between", "one"),
    *("one", "balanced", "stride"),
)
"""How a view differs from a fresh tensor."""

FEWEST_DIMS = {"permuted": 2, "part": 2, "repeated": 2, "one": 2, "between": 3, "double": 1, "too far": 1}
"""The dimensions that there have to be for it."""


@functools.cache
@classes(
    {
        "contiguous": lambda view: metadata(*view).is_contiguous(),
        "not contiguous": lambda view: not metadata(*view).is_contiguous(),
        "0-d": lambda view: view[0] == (),
        "without elements": lambda view: 0 in view[0],
        "without elements, and strides of no fresh tensor": lambda view: (
            0 in view[0] and view[1] != torch.empty(view[0], device="meta").stride()
        ),
        "contiguous but for strides that are never used": lambda view: (
            0 not in view[0]
            and view[1] != torch.empty(view[0], device="meta").stride()
            and metadata(*view).is_contiguous()
        ),
        "strides that do not fall": lambda view: not in_order(*view),
        "strides that fall, and gaps": lambda view: in_order(*view) and has_gaps(*view),
        "elements that are repeated": lambda view: any(stride == 0 for _, stride in in_use(*view)),
        "strides that fall, no gaps, and elements that meet": lambda view: is_balanced(*view),
        "places that never fall and end where a fresh tensor ends, and elements that meet": lambda view: (
            is_balanced(*view) and places(*view) == sorted(places(*view))
        ),
        "every second element": lambda view: [stride for _, stride in in_use(*view)][-1:] == [2],
        "a stride of 2**32 too much": lambda view: max((stride for _, stride in in_use(*view)), default=0) >= 2**32,
        "a wrong stride that is neither the first nor the last": lambda view: (
            len(in_use(*view)) > 2
            and {0, len(in_use(*view)) - 1}.isdisjoint(_odd_strides(*view))
            and _odd_strides(*view)
        ),
        "contiguous, with a 1 behind another size and a stride of its own": lambda view: (
            not _odd_strides(*view)
            and any(
                dim > 0 and shown == 1 and view[0][0] > 1 and stride != fresh
                for dim, (shown, stride, fresh) in enumerate(zip(*view, _fresh_strides(view[0]), strict=True))
            )
        ),
        "contiguous, with a stride of 0": lambda view: 0 not in view[0] and 0 in view[1] and not _odd_strides(*view),
    }
)
@st.composite
def nearly_contiguous(draw: DrawFn) -> tuple[Shape, Shape]:
    """Shape and strides of a fresh tensor, of a permuted one, of a part of a larger one, or with one stride changed.

    The changed stride is often one that is never used: then the view is as contiguous as before. Other views are
    balanced, show every second element, repeat elements, or have a stride that is off by 2**32.
    """
    change = pick(draw, CHANGES)
    if change == "balanced":
        return balanced(draw)
    rearranged = change in ("permuted", "part", "repeated")
    twists = (*OFTEN_ONE, "zero") if change == "stride" else OFTEN_ONE
    shape = draw(shapes(fewest_dims=FEWEST_DIMS.get(change, 0), twists=twists))
    if change in ("between", "one", "too far", "double") or (rearranged and draw(st.booleans())):
        shape = tuple(max(size, 2) for size in shape)  # permuting or cutting off a size of 1 changes nothing
    if change == "one":
        dim = draw(st.integers(1, len(shape) - 1))
        shape = (*shape[:dim], 1, *shape[dim + 1 :])
    x = torch.empty(shape, device="meta")
    if change == "permuted":
        x = x.permute(pick(draw, list(itertools.permutations(range(x.ndim)))[1:]))
    if change == "part":
        dim = draw(st.integers(0, x.ndim - 1))
        larger = torch.empty((*shape[:dim], shape[dim] + 1, *shape[dim + 1 :]), device="meta")
        x = larger.narrow(dim, 0, shape[dim])
    if change == "repeated":
        dim = draw(st.integers(0, x.ndim - 1))
        x = torch.empty((*x.shape[:dim], 1, *x.shape[dim + 1 :]), device="meta").expand(x.shape)
    strides = [stride * (2 if change == "double" else 1) for stride in x.stride()]
    if change == "stride" and x.ndim:
        unused = [dim for dim, size in enumerate(shape) if size == 1 or 0 in shape]
        in_vain: bool = draw(st.booleans())
        dim = pick(draw, unused if unused and in_vain else range(x.ndim))
        strides[dim] = draw(st.integers(0, 12))
    if change == "one":
        strides[shape.index(1)] = pick(draw, (0, 0, 7))
    if change == "between":
        dim = draw(st.integers(1, x.ndim - 2))
        strides[dim] = pick(draw, (strides[dim] + 1, strides[dim + 1], strides[dim - 1], 0))
    if change == "too far":
        strides[draw(st.integers(0, x.ndim - 1))] += 2**32
    return tuple(x.shape), tuple(strides)


def balanced(draw: DrawFn) -> tuple[Shape, Shape]:
    """Shape and strides of a view that ends where a fresh tensor would, with falling strides and coinciding elements.

    One stride of a fresh tensor is raised by as much as that of another dimension of the same size is lowered:
    (2, 2, 2), (3, 3, 1) and (5, 1, 1) reach as far as (4, 2, 1).
    """
    size, rank = draw(st.integers(2, 3)), draw(st.integers(3, 4))
    shape = (size,) * rank
    strides = list(torch.empty(shape, device="meta").stride())
    dim = draw(st.integers(0, rank - 3))
    left, right = strides[dim : dim + 2]
    lower = max(right - strides[dim + 2], 0)  # the right one falls at most to the stride to its right
    by = pick(draw, [*range(1, (left - right) // 2 + 1), *range(-lower, 0)])
    if lower and pick(draw, (False, True)):
        by = -1  # then places rise, or stay, from one element to the next
    strides[dim : dim + 2] = left - by, right + by
    return shape, tuple(strides)


@functools.cache
@classes(
    {
        "0-d": lambda shape: shape == (),
        "one dimension": lambda shape: len(shape) == 1,
        "a size of 0 that is not the first": lambda shape: 0 in shape[1:],
        "two sizes of 0": lambda shape: shape.count(0) > 1,
        "a size of 1": lambda shape: 1 in shape,
        "a size of 0 and one of 1": lambda shape: {0, 1} <= {*shape},
        "a stride beyond 2**53": lambda shape: numel(shape[1:]) > 2**53,
        "a size that no float holds": lambda shape: no_float_holds(shape[1:]),
    }
)
def fresh_shapes() -> SearchStrategy[Shape]:
    """Shapes of fresh tensors, including huge ones."""
    huge = st.tuples(sizes(3), huge_sizes(), huge_sizes(), st.integers(2**8, 2**9))
    return st.one_of(shapes(5), shapes(5, 4, twists=("zeros", "zero", "zeros", "one")), huge, long_shapes())


@functools.cache
def long_shapes() -> SearchStrategy[Shape]:
    """Shapes with one size that neither a float nor 32 bits can hold."""
    return st.tuples(integers(2, 5), st.just(FAR_STRIDE), integers(3, 5))
