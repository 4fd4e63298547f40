"""Wrong answers that people give to kata 22 about clip_norm."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")


@believes("An if will do", about="clip_norm")
def decides_by_if(x, limit):
    """It needs the number in the tensor, so the graph ends there: use torch.where or clamp."""
    norm = x.norm()
    if norm > limit:
        x = x * (limit / norm)
    return x


@believes("The norm may be taken out of its tensor", about="clip_norm")
def takes_the_item(x, limit):
    """.item() waits for the device and breaks the graph: compute with the tensor."""
    return x * (limit / max(x.norm().item(), limit))


@believes("float() of a tensor costs nothing", about="clip_norm")
def takes_a_float(x, limit):
    """It does what .item() does: it waits for the device and breaks the graph."""
    norm = float(x.norm())
    return x * (limit / norm) if norm > limit else x


@believes("Clipping always makes the norm equal to limit", about="clip_norm")
def scales_always(x, limit):
    """A norm below limit stays: the factor is limit / norm, but at most 1."""
    norm = x.norm()
    return torch.where(norm == 0, x, x * (limit / norm))


@believes("Clipping limits each element", about="clip_norm")
def clamps_elements(x, limit):
    """That changes the direction: all elements are multiplied by one factor."""
    return x.clamp(-limit, limit)


@believes("A norm is the sum of absolute values", about="clip_norm")
def sums_absolute_values(x, limit):
    """That is the 1-norm: this one is the square root of the sum of squares."""
    return x * (limit / x.abs().sum().clamp(min=limit))


@believes("A norm is the largest absolute value", about="clip_norm")
def takes_the_largest_element(x, limit):
    """That is the infinity norm: this one is the square root of the sum of squares."""
    largest = x.abs().amax() if x.numel() else x.sum()
    return x * (limit / largest.clamp(min=limit))


@believes("A norm is the sum of squares", about="clip_norm")
def forgets_the_root(x, limit):
    """A norm is the square root of that sum."""
    return x * (limit / x.square().sum().clamp(min=limit))


@believes("Each row is clipped by its own norm", about="clip_norm")
def clips_rows(x, limit):
    """There is one norm, of all elements together."""
    norms = x.norm(dim=-1, keepdim=True) if x.dim() else x.norm()
    return x * (limit / norms.clamp(min=limit))


@believes("0 / 0 is 0", about="clip_norm")
def divides_by_0(x, limit):
    """It is NaN, and so is 0 · NaN: do not divide by a norm of 0."""
    norm = x.norm()
    return x / norm * norm.clamp(max=limit)


@believes("Adding 0.001 to the norm does no harm", about="clip_norm")
def adds_a_thousandth(x, limit):
    """The result is too small by a fraction of 0.001 / norm, far more than rounding: clamp the norm instead."""
    return x * (limit / (x.norm() + 1e-3)).clamp(max=1.0)


@believes("A norm that is just above limit may stay", about="clip_norm")
def tolerates_a_hundredth(x, limit):
    """Its result would be too long by up to a hundredth, far more than rounding: scale whatever is above limit."""
    norm = x.norm()
    return torch.where(norm > 1.01 * limit, x * (limit / norm), x)


@believes("A norm below limit is scaled up", about="clip_norm")
def takes_the_larger_factor(x, limit):
    """The factor is at most 1: the smaller of limit / norm and 1."""
    norm = x.norm()
    return x * (limit / torch.where(norm > 0, norm, limit)).clamp(min=1.0)


@believes("The norm is the root of the mean square", about="clip_norm")
def takes_the_mean_square(x, limit):
    """It is the root of the sum of squares, and grows with the number of elements."""
    root = x.square().sum().div(max(x.numel(), 1)).sqrt()
    return x * (limit / root.clamp(min=limit))


@believes("The result is always float32", about="clip_norm")
def returns_single_precision(x, limit):
    """It has the dtype of x."""
    return solved.clip_norm(x, limit).float()


@believes("The result has one dimension", about="clip_norm")
def flattens_the_result(x, limit):
    """The result has the shape of x, 0-d or with several dimensions."""
    return solved.clip_norm(x, limit).flatten()
