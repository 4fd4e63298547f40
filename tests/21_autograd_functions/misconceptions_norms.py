"""Wrong answers that people give to kata 21 about rms_norm."""
# mypy: ignore-errors

import torch
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

from .making import Passing, own

solved = solution("21_autograd_functions")

# rms_norm


def _inverse(x, eps):
    return (x.square().mean(-1, keepdim=True) + eps).rsqrt()


def _forward(ctx, x, weight, eps):
    ctx.save_for_backward(x, weight)
    ctx.eps = eps
    return x * _inverse(x, eps) * weight


def _gradients(x, weight, inverse, grad):
    normed, scaled = x * inverse, grad * weight
    for_x = inverse * (scaled - normed * (scaled * normed).mean(-1, keepdim=True))
    return for_x, (grad * normed).reshape(-1, x.shape[-1]).sum(0), None


def _backward(ctx, grad):
    x, weight = ctx.saved_tensors
    return _gradients(x, weight, _inverse(x, ctx.eps), grad)


@believes("A saved root is as good as one computed again", about="rms_norm")
def keeps_the_root(x, weight, eps=1e-6):
    """It is for the first backward pass. To a second one it is a constant: compute it again, or refuse."""

    def forward(ctx, x, weight, eps):
        inverse = _inverse(x, eps)
        ctx.save_for_backward(x, weight, inverse)
        return x * inverse * weight

    def backward(ctx, grad):
        return _gradients(*ctx.saved_tensors, grad)

    return own(forward, backward, x, weight, eps)


def _backward_with_a_number(ctx, grad):
    x, weight = ctx.saved_tensors
    inverse = _inverse(x, ctx.eps)
    return inverse * grad * weight, (grad * x * inverse).reshape(-1, x.shape[-1]).sum(0), None


@believes("The root is a constant in the gradient", about="rms_norm")
def takes_the_root_for_a_number(x, weight, eps=1e-6):
    """It depends on each element of its row, which adds a term to the gradient of x."""
    return own(_forward, _backward_with_a_number, x, weight, eps)


@believes("The root is a constant in the gradient", about="rms_norm")
def takes_the_root_for_a_number_once(x, weight, eps=1e-6):
    """It depends on each element of its row, which adds a term to the gradient of x."""
    return own(_forward, once_differentiable(_backward_with_a_number), x, weight, eps)


@believes("weight takes no part in the gradient of x", about="rms_norm")
def leaves_weight_out_of_x(x, weight, eps=1e-6):
    """The normalized x is multiplied by weight, so multiply the incoming gradient by weight first."""

    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        inverse = _inverse(x, ctx.eps)
        for_x = _gradients(x, torch.ones_like(weight), inverse, grad)[0]
        return for_x, _gradients(x, weight, inverse, grad)[1], None

    return own(_forward, backward, x, weight, eps)


@believes("The mean is subtracted first, as in layer norm", about="rms_norm")
def centres(x, weight, eps=1e-6):
    """RMS norm subtracts nothing: it divides by the root of the mean of the squares."""

    def forward(ctx, x, weight, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        centred = x - x.mean(-1, keepdim=True)
        return centred * _inverse(centred, eps) * weight

    return own(forward, _backward, x, weight, eps)


@believes("eps is added to the root", about="rms_norm")
def adds_eps_outside(x, weight, eps=1e-6):
    """It is added to the mean, inside the root."""

    def inverse(x, eps):
        return 1 / (x.square().mean(-1, keepdim=True).sqrt() + eps)

    def forward(ctx, x, weight, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return x * inverse(x, eps) * weight

    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return _gradients(x, weight, inverse(x, ctx.eps), grad)

    return own(forward, backward, x, weight, eps)


@believes("eps is always 1e-6", about="rms_norm")
def fixes_eps(x, weight, eps=1e-6):
    """eps is an argument."""
    return solved.rms_norm(x, weight)


@believes("The backward pass does not need eps", about="rms_norm")
def forgets_eps_in_the_backward(x, weight, eps=1e-6):
    """The root is the same in both passes: keep eps on ctx."""

    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return _gradients(x, weight, _inverse(x, 1e-6), grad)

    return own(_forward, backward, x, weight, eps)


@believes("The squares are summed", about="rms_norm")
def sums_the_squares(x, weight, eps=1e-6):
    """Their mean is inside the root."""

    def inverse(x, eps):
        return (x.square().sum(-1, keepdim=True) + eps).rsqrt()

    def forward(ctx, x, weight, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return x * inverse(x, eps) * weight

    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        found, normed, scaled = inverse(x, ctx.eps), x * inverse(x, ctx.eps), grad * weight
        for_x = found * (scaled - normed * (scaled * normed).sum(-1, keepdim=True))
        return for_x, (grad * normed).reshape(-1, x.shape[-1]).sum(0), None

    return own(forward, backward, x, weight, eps)


@believes("The second term of the gradient of x has a sum", about="rms_norm")
def sums_in_the_backward(x, weight, eps=1e-6):
    """It has a mean: the derivative of the mean of the squares has a factor of 1 / d."""

    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        inverse = _inverse(x, ctx.eps)
        normed, scaled = x * inverse, grad * weight
        for_x = inverse * (scaled - normed * (scaled * normed).sum(-1, keepdim=True))
        return for_x, (grad * normed).reshape(-1, x.shape[-1]).sum(0), None

    return own(_forward, backward, x, weight, eps)


@believes("x always has two dimensions", about="rms_norm")
def sums_over_the_first_dimension(x, weight, eps=1e-6):
    """It has one or more: sum the gradient of weight over all but the last one."""

    def backward(ctx, grad):
        x, _ = ctx.saved_tensors
        normed = x * _inverse(x, ctx.eps)
        return _backward(ctx, grad)[0], (grad * normed).sum(0), None

    return own(_forward, backward, x, weight, eps)


@believes("The gradient of weight is the incoming one times x", about="rms_norm")
def takes_x_for_its_norm(x, weight, eps=1e-6):
    """weight multiplies the normalized x: use x divided by its root."""

    def backward(ctx, grad):
        x, _ = ctx.saved_tensors
        return _backward(ctx, grad)[0], (grad * x).reshape(-1, x.shape[-1]).sum(0), None

    return own(_forward, backward, x, weight, eps)


@believes("All of x has one root", about="rms_norm")
def takes_one_root_for_all(x, weight, eps=1e-6):
    """Each row has a root of its own."""

    def forward(ctx, x, weight, eps):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return x * (x.square().mean() + eps).rsqrt() * weight

    return own(forward, _backward, x, weight, eps)


@believes("The normalized x is saved beside x", about="rms_norm")
def keeps_the_normed_x(x, weight, eps=1e-6):
    """It is x times one number per row: save that number, or compute it again."""

    def forward(ctx, x, weight, eps):
        inverse = _inverse(x, eps)
        ctx.save_for_backward(x, weight, x * inverse)
        ctx.eps = eps
        return x * inverse * weight

    def backward(ctx, grad):
        x, weight, _ = ctx.saved_tensors
        return _gradients(x, weight, _inverse(x, ctx.eps), grad)

    return own(forward, backward, x, weight, eps)


@believes("The normalized x is the result divided by weight", about="rms_norm")
def divides_by_the_weight(x, weight, eps=1e-6):
    """It is not where weight is 0: save x."""

    def forward(ctx, x, weight, eps):
        inverse = _inverse(x, eps)
        y = x * inverse * weight
        ctx.save_for_backward(y, weight, inverse)
        return y

    def backward(ctx, grad):
        y, weight, inverse = ctx.saved_tensors
        return _gradients(y.detach() / weight.detach() / inverse, weight.detach(), inverse, grad)

    return own(forward, backward, x, weight, eps)


@believes("A closure keeps no tensors", about="rms_norm")
def keeps_it_in_a_closure(x, weight, eps=1e-6):
    """It keeps what it uses, as long as it lives: use save_for_backward."""

    def forward(ctx, x, weight, eps):
        y = _forward(ctx, x, weight, eps)
        ctx.again = lambda grad: _gradients(x, weight, _inverse(x, eps), grad)
        return y

    return own(forward, _backward, x, weight, eps)


@believes("weight needs no gradient if x needs none", about="rms_norm")
def gives_up_with_x(x, weight, eps=1e-6):
    """Either of them may be the only one that requires grad."""

    def backward(ctx, grad):
        return _backward(ctx, grad) if ctx.needs_input_grad[0] else (None, None, None)

    return own(_forward, backward, x, weight, eps)


@believes("Calling a Function on the result of F.rms_norm is enough", about="rms_norm")
def wraps_f_rms_norm(x, weight, eps=1e-6):
    """torch records what is computed before it: compute inside forward."""
    return Passing.apply(F.rms_norm(x, x.shape[-1:], weight, eps))


@believes("The incoming gradient is all ones", about="rms_norm")
def takes_the_gradient_for_ones_here(x, weight, eps=1e-6):
    """It is so only for a sum: both gradients contain it."""

    def backward(ctx, grad):
        return _backward(ctx, torch.ones_like(grad))

    return own(_forward, backward, x, weight, eps)
