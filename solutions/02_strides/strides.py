"""Kata 02, solved: where an element is."""

from itertools import product
from math import prod

Shape = tuple[int, ...]
Strides = tuple[int, ...]
View = tuple[Shape, Strides, int]


def contiguous_strides(shape: Shape) -> Strides:
    """Go from the right: each stride is the product of the sizes already passed."""
    strides = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def storage_index(index: tuple[int, ...], strides: Strides, offset: int = 0) -> int:
    """Add index times stride, over all dimensions, to the offset."""
    if len(index) != len(strides):
        raise ValueError(f"index {index} has {len(index)} dimensions, strides {strides} have {len(strides)}")
    return offset + sum(place * stride for place, stride in zip(index, strides, strict=True))


def unravel_index(flat: int, shape: Shape) -> tuple[int, ...]:
    """Peel off the fastest dimension first."""
    if not 0 <= flat < prod(shape):
        raise IndexError(f"element {flat} of a tensor of shape {shape}, which has {prod(shape)}")
    index = []
    for size in reversed(shape):
        flat, place = divmod(flat, size)
        index.append(place)
    return tuple(reversed(index))


def storage_size(shape: Shape, strides: Strides, offset: int = 0) -> int:
    """Add 1 to the place of the last element."""
    if 0 in shape:
        return 0
    return 1 + storage_index(tuple(size - 1 for size in shape), strides, offset)


def is_contiguous(shape: Shape, strides: Strides) -> bool:
    """Compare every stride that is used with the contiguous one."""
    return 0 in shape or _used(shape, strides) == _used(shape, contiguous_strides(shape))


def transpose(shape: Shape, strides: Strides, dim0: int, dim1: int) -> tuple[Shape, Strides]:
    """Swap two entries in both tuples."""
    order = list(range(len(shape)))
    first, second = _dimension(dim0, len(shape)), _dimension(dim1, len(shape))
    order[first], order[second] = second, first
    return tuple(shape[dim] for dim in order), tuple(strides[dim] for dim in order)


def select(shape: Shape, strides: Strides, offset: int, dim: int, index: int) -> View:
    """Move the offset to that index, and drop the dimension."""
    dim = _dimension(dim, len(shape))
    size = shape[dim]
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of range for dimension {dim} of size {size}")
    offset += (index % size) * strides[dim]
    return shape[:dim] + shape[dim + 1 :], strides[:dim] + strides[dim + 1 :], offset


def slice_dim(
    shape: Shape, strides: Strides, offset: int, dim: int, start: int | None, stop: int | None, step: int = 1
) -> View:
    """Move the offset to the start, and multiply the stride by the step."""
    dim = _dimension(dim, len(shape))
    if step < 1:
        raise ValueError(f"a step must be 1 or more, not {step}")
    places = range(shape[dim])[start:stop:step]
    return (
        (*shape[:dim], len(places), *shape[dim + 1 :]),
        (*strides[:dim], strides[dim] * step, *strides[dim + 1 :]),
        offset + places.start * strides[dim],
    )


def expand_strides(shape: Shape, strides: Strides, new_shape: Shape) -> Strides:
    """Give a repeated dimension stride 0: every index finds the same element."""
    added = len(new_shape) - len(shape)
    if added < 0:
        raise ValueError(f"{new_shape} has fewer dimensions than {shape}")
    if any(size < 0 for size in new_shape[:added]):
        raise ValueError(f"a new dimension needs a size: {new_shape}")
    result = [0] * added
    for old, stride, new in zip(shape, strides, new_shape[added:], strict=True):
        if new in (old, -1):
            result.append(stride)
        elif old == 1 and new >= 0:
            result.append(0)
        else:
            raise ValueError(f"{shape} does not expand to {new_shape}: size {old} cannot become {new}")
    return tuple(result)


def view_strides(shape: Shape, strides: Strides, new_shape: Shape) -> Strides | None:
    """Split the old dimensions into evenly spaced runs, and cut each run into whole new dimensions."""
    if prod(shape) != prod(new_shape):
        return None
    if 0 in shape:
        return contiguous_strides(new_shape)

    runs: list[tuple[int, int]] = []  # (elements, stride), from the left
    for size, stride in _used(shape, strides):
        if runs and runs[-1][1] == size * stride:
            runs[-1] = (runs[-1][0] * size, stride)
        else:
            runs.append((size, stride))

    result = []
    left, step = 1, 1  # what is left of the current run, and the stride of its next dimension
    for size in reversed(new_shape):
        if size > 1 and left == 1:
            left, step = runs.pop()
        left, rest = divmod(left, size)
        if rest:
            return None
        result.append(step)
        step *= size
    return tuple(reversed(result))


def overlaps(a: View, b: View) -> bool:
    """Check whether a place of one view is a place of the other."""
    return not _places(a).isdisjoint(_places(b))


def _places(view: View) -> set[int]:
    shape, strides, offset = view
    return {storage_index(index, strides, offset) for index in product(*map(range, shape))}


def _used(shape: Shape, strides: Strides) -> list[tuple[int, int]]:
    """Return the sizes and strides of the dimensions of more than one element."""
    return [(size, stride) for size, stride in zip(shape, strides, strict=True) if size > 1]


def _dimension(dim: int, rank: int) -> int:
    if not -rank <= dim < rank:
        raise IndexError(f"dimension {dim} of a view that has {rank}")
    return dim % rank
