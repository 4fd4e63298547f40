"""Wrong answers to kata 08 that no belief in misconceptions.py explains."""

import math

from dojo.judging.diagnose import answers, solution

solved = solution("08_axes")


@answers("axis_sizes")
def counts_from_zero(names, shape, sizes):
    """The largest index of each."""
    return {name: size - 1 for name, size in solved.axis_sizes(names, shape, sizes).items()}


@answers("axis_sizes")
def deals_the_sizes_out_anew(names, shape, sizes):
    """The right numbers for the wrong names."""
    found = solved.axis_sizes(names, shape, sizes)
    return dict(zip(found, [*found.values()][1:] + [*found.values()][:1], strict=True))


_sizes: dict[tuple[str, tuple[tuple[str, int], ...]], dict[str, int]] = {}
_shapes: dict[tuple[str, int, tuple[tuple[str, int], ...]], tuple[int, ...]] = {}


@answers("axis_sizes")
def remembers_sizes_by_the_side(names, shape, sizes):
    """Whatever the shape is."""
    key = names, tuple(sizes.items())
    if key not in _sizes:
        _sizes[key] = solved.axis_sizes(names, shape, sizes)
    return dict(_sizes[key])


@answers("rearrange_shape")
def remembers_shapes_by_the_pattern(pattern, shape, sizes):
    """Whatever the sizes of the shape are."""
    key = pattern, len(shape), tuple(sizes.items())
    if key not in _shapes:
        _shapes[key] = solved.rearrange_shape(pattern, shape, sizes)
    return _shapes[key]


@answers("rearrange_shape")
def sorts_the_shape(pattern, shape, sizes):
    """The smallest first."""
    return tuple(sorted(solved.rearrange_shape(pattern, shape, sizes)))


@answers("rearrange_shape")
def makes_it_all_one(pattern, shape, sizes):
    """A single dimension."""
    return (math.prod(solved.rearrange_shape(pattern, shape, sizes)),)


@answers("rearrange")
def turns_the_result(x, pattern, sizes):
    """The first dimension backwards."""
    made = solved.rearrange(x, pattern, sizes)
    return made.flip(0) if made.ndim else made


@answers("reduce")
def takes_the_median(x, pattern, op, sizes):
    """In place of the mean: the middle between least and most."""
    if op != "mean":
        return solved.reduce(x, pattern, op, sizes)
    halves = [solved.reduce(x, pattern, which, sizes) for which in ("min", "max")] if x.numel() else []
    return sum(halves) / 2 if halves else solved.reduce(x, pattern, op, sizes)


@answers("repeat")
def numbers_the_copies(x, pattern, sizes):
    """Each copy is larger by one."""
    made = solved.repeat(x, pattern, sizes)
    return made + (made.shape[0] if made.ndim else 0)


@answers("einsum")
def adds_in_place_of_multiplying(x, y, pattern):
    """A sum of sums."""
    return solved.einsum(x + 1, y, pattern)


@answers("per_head")
def forgets_the_last_number(x, w):
    """Its weight is 0."""
    made = solved.per_head(x, w).clone()
    made[..., -1] = 0
    return made


@answers("patchify")
def mirrors_patches(images, patch):
    """Left is right."""
    return solved.patchify(images.flip(3), patch)


@answers("grouped_attention")
def averages_the_values(q, k, v):
    """Every key weighs the same."""
    return solved.grouped_attention(q * 0, k, v)
