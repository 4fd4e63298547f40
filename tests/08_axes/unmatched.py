"""Wrong answers to kata 08 that no belief in misconceptions.py explains."""

from dojo.judging.diagnose import answers, solution

solved = solution("08_axes")


@answers("axis_sizes")
def axis_sizes_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.axis_sizes(n)


@answers("rearrange_shape")
def rearrange_shape_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.rearrange_shape(n)


@answers("rearrange")
def rearrange_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.rearrange(n)


@answers("reduce")
def reduce_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.reduce(n)


@answers("repeat")
def repeat_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.repeat(n)


@answers("einsum")
def einsum_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.einsum(n)


@answers("per_head")
def per_head_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.per_head(n)


@answers("patchify")
def patchify_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.patchify(n)


@answers("grouped_attention")
def grouped_attention_twice(n):
    """WRITE: what it does wrong, that nobody believes."""
    return 2 * solved.grouped_attention(n)
