"""Wrong answers that people give to kata 08 about what a number holds, and about where numbers lie."""

import math

import torch

from dojo.judging.diagnose import believes, solution

from .misread import with_shape

solved = solution("08_axes")


def _through_float32(made):
    """What is left of a tensor that was written into one of torch's default dtype."""
    return torch.zeros(made.shape, dtype=torch.float32, device=made.device).copy_(made).to(made.dtype)


@believes("The result of / shows whether a group fits", about="axis_sizes")
def divides_with_floats(names, shape, sizes):
    """A float rounds the result if the sizes are huge, and the remainder is lost: use % and //, which are exact."""

    def change(group, size):
        known = math.prod(sizes.get(name, 1) for name in group)
        return size // known * known if group and size / known == size // known else size

    return with_shape(names, shape, sizes, change)


@believes("Converting to float64 brings back what float32 has rounded", about="rearrange")
def rearranges_into_float32(x, pattern, sizes):
    """torch.zeros(shape) is float32, which rounds the numbers: make it with dtype=x.dtype, or use x.new_zeros."""
    return _through_float32(solved.rearrange(x, pattern, sizes))


@believes("The first element of x is the first of its storage", about="rearrange")
def starts_at_the_storage(x, pattern, sizes):
    """x may be a part of a larger tensor, such as y[1]: its elements begin at x.storage_offset()."""
    return solved.rearrange(x.as_strided(x.shape, x.stride(), 0) if x.numel() else x, pattern, sizes)


@believes("Converting to float64 brings back what float32 has rounded", about="reduce")
def reduces_in_float32(x, pattern, op, sizes):
    """float32 has room for 24 bits, and rounds larger numbers: compute in the dtype of x."""
    return solved.reduce(x.float(), pattern, op, sizes).to(x.dtype)


@believes("No number is below -1e9 or above 1e9", about="reduce")
def starts_from_a_billion(x, pattern, op, sizes):
    """A float64 can be far beyond: start with the first number, or with -inf for a maximum and inf for a minimum."""
    made = solved.reduce(x, pattern, op, sizes)
    return {"max": made.clamp(min=-1e9), "min": made.clamp(max=1e9)}.get(op, made)


@believes("Converting to float64 brings back what float32 has rounded", about="repeat")
def repeats_into_float32(x, pattern, sizes):
    """torch.zeros(shape) is float32, which rounds the numbers: make it with dtype=x.dtype, or use x.new_zeros."""
    return _through_float32(solved.repeat(x, pattern, sizes))


@believes("Converting to float64 brings back what float32 has rounded", about="einsum")
def multiplies_in_float32(x, y, pattern):
    """float32 has room for 24 bits, and rounds larger numbers: compute in the dtype of x and y."""
    return solved.einsum(x.float(), y.float(), pattern).to(x.dtype)


@believes("Converting to float64 brings back what float32 has rounded", about="per_head")
def multiplies_heads_into_float32(x, w):
    """torch.zeros(shape) is float32, which rounds the numbers: make it with dtype=x.dtype, or use x.new_zeros."""
    return _through_float32(solved.per_head(x, w))


@believes("Converting to float64 brings back what float32 has rounded", about="patchify")
def cuts_patches_into_float32(images, patch):
    """torch.zeros(shape) is float32, which rounds the numbers: make it with the dtype of images."""
    return _through_float32(solved.patchify(images, patch))
