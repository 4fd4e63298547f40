"""Wrong answers to kata 02 that no belief in misconceptions.py explains."""

from itertools import pairwise
from math import prod

from dojo.judging.diagnose import answers, solution

solved = solution("02_strides")


@answers("contiguous_strides")
def passes_over_one_0_alone(shape):
    """Skip only the first 0, as list.remove does."""
    sizes = [1 if dim == (*shape, 0).index(0) else size for dim, size in enumerate(shape)]
    return tuple(prod(sizes[dim + 1 :]) for dim in range(len(sizes)))


@answers("expand_strides")
def looks_at_the_first_new_size_alone(shape, strides, new_shape):
    """If it is below 0, torch refuses."""
    added = max(0, len(new_shape) - len(shape))
    if added and new_shape[0] < 0:
        raise ValueError(new_shape)
    return solved.expand_strides(shape, strides, tuple(map(abs, new_shape[:added])) + new_shape[added:])


@answers("view_strides")
def splits_into_two_at_most(shape, strides, new_shape):
    """Claim that a split into more than two needs a copy."""
    pieces = [size for size in new_shape if size > 1]
    return None if len(shape) == 1 and len(pieces) > 2 else solved.view_strides(shape, strides, new_shape)


@answers("storage_index")
def steps_once_more_in_the_last_dimension(index, strides, offset=0):
    """The last index counts from 1."""
    return solved.storage_index(index, strides, offset) + (strides[-1] if strides else 0)


@answers("slice_dim")
def steps_after_the_offset(shape, strides, offset, dim, start, stop, step=1):
    """The offset is stretched with the stride."""
    sizes, steps, _ = solved.slice_dim(shape, strides, offset, dim, start, stop, step)
    return sizes, steps, solved.slice_dim(shape, strides, offset, dim, start, stop, step)[2] * step


@answers("overlaps")
def compares_the_last_places(a, b):
    """Two views overlap if their last elements do."""
    ends = [view[2] + sum((size - 1) * stride for size, stride in zip(*view[:2], strict=True)) for view in (a, b)]
    return 0 not in a[0] + b[0] and ends[0] == ends[1]


@answers("view_strides")
def steps_along_each_new_dimension_alone(shape, strides, new_shape):
    """If its steps from the first element are even, that is its stride."""
    if 0 in shape or prod(shape) != prod(new_shape):
        return solved.view_strides(shape, strides, new_shape)
    found = []
    for dim, size in enumerate(new_shape):
        elements = range(0, size * prod(new_shape[dim + 1 :]), prod(new_shape[dim + 1 :]))
        places = [solved.storage_index(solved.unravel_index(element, shape), strides) for element in elements]
        steps = {after - place for place, after in pairwise(places)}
        if len(steps) > 1:
            return None
        found.append(sum(steps))
    return tuple(found)
