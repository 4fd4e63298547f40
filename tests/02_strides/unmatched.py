"""Wrong answers to kata 02 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("02_strides")


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
    """Two views overlap where their last elements do."""
    ends = [view[2] + sum((size - 1) * stride for size, stride in zip(*view[:2], strict=True)) for view in (a, b)]
    return 0 not in a[0] + b[0] and ends[0] == ends[1]
