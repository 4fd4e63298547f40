"""Wrong answers that people give to kata 22 about clip_norm."""

import torch

from dojo.judging.diagnose import believes, solution

solved = solution("22_fusion")


@believes("An if is as good as a where", about="clip_norm")
def decides_by_if(x, limit):
    """It needs the number, so the graph ends there: torch.where or clamp decide inside of it."""
    norm = x.norm()
    if norm > limit:
        x = x * (limit / norm)
    return x


@believes("A norm is a number, so take it out of its tensor", about="clip_norm")
def takes_the_item(x, limit):
    """.item() waits for the device, and a graph that is written down has no number yet: compute with the tensor."""
    return x * (limit / max(x.norm().item(), limit))


@believes("float() of a tensor is free", about="clip_norm")
def takes_a_float(x, limit):
    """It is .item() by another name, and waits for the device."""
    norm = float(x.norm())
    return x * (limit / norm) if norm > limit else x


@believes("To clip is to scale to the limit", about="clip_norm")
def scales_always(x, limit):
    """What is shorter stays as it is: the factor is limit / norm, or 1 if that is less."""
    norm = x.norm()
    return torch.where(norm == 0, x, x * (limit / norm))


@believes("To clip is to bound each element", about="clip_norm")
def clamps_elements(x, limit):
    """That changes the direction: all elements are multiplied by one factor."""
    return x.clamp(-limit, limit)


@believes("A norm is the sum of absolute values", about="clip_norm")
def sums_absolute_values(x, limit):
    """That is the 1-norm: this one is the root of the sum of squares."""
    return x * (limit / x.abs().sum().clamp(min=limit))


@believes("A norm is the largest absolute value", about="clip_norm")
def takes_the_largest_element(x, limit):
    """That is the norm of inf: this one is the root of the sum of squares."""
    largest = x.abs().amax() if x.numel() else x.sum()
    return x * (limit / largest.clamp(min=limit))


@believes("A norm is the sum of squares", about="clip_norm")
def forgets_the_root(x, limit):
    """It is the root of that."""
    return x * (limit / x.square().sum().clamp(min=limit))


@believes("Each row has its norm", about="clip_norm")
def clips_rows(x, limit):
    """The norm is one of all elements together."""
    norms = x.norm(dim=-1, keepdim=True) if x.dim() else x.norm()
    return x * (limit / norms.clamp(min=limit))


@believes("0 / 0 is 0", about="clip_norm")
def divides_by_0(x, limit):
    """It is NaN, and 0 * NaN as well: a norm of 0 must not be divided by."""
    norm = x.norm()
    return x / norm * norm.clamp(max=limit)


@believes("A thousandth in the denominator does no harm", about="clip_norm")
def adds_a_thousandth(x, limit):
    """It makes everything smaller by a thousandth and more: clamp the norm, and nothing has to be added."""
    return x * (limit / (x.norm() + 1e-3)).clamp(max=1.0)


@believes("A norm below the limit is scaled up", about="clip_norm")
def takes_the_larger_factor(x, limit):
    """The factor is never above 1: of limit / norm and 1 it is the smaller one."""
    norm = x.norm()
    return x * (limit / torch.where(norm > 0, norm, limit)).clamp(min=1.0)


@believes("The mean of squares makes a norm", about="clip_norm")
def takes_the_mean_square(x, limit):
    """That depends on how many elements there are: a norm has their sum."""
    root = x.square().sum().div(max(x.numel(), 1)).sqrt()
    return x * (limit / root.clamp(min=limit))


@believes("The result is float32 in every case", about="clip_norm")
def returns_single_precision(x, limit):
    """It has the dtype of x."""
    return solved.clip_norm(x, limit).float()


@believes("A vector is what has one dimension", about="clip_norm")
def flattens_the_result(x, limit):
    """The result has the shape of x, 0-d or with several dimensions."""
    return solved.clip_norm(x, limit).flatten()
