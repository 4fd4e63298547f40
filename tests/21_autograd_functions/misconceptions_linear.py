"""Wrong answers that people give to kata 21 about a linear layer."""

import torch
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

from .making import Passing, own

solved = solution("21_autograd_functions")

# linear


def _product(x, weight, bias):
    product = x @ weight.mT
    return product if bias is None else product + bias


def _forward(ctx, x, weight, bias):
    needs = ctx.needs_input_grad
    ctx.save_for_backward(x if needs[1] else None, weight if needs[0] else None)
    return _product(x, weight, bias)


def _backward(ctx, grad):
    x, weight = ctx.saved_tensors
    for_x = None if weight is None else grad @ weight
    for_weight = None if x is None else grad.mT @ x
    return for_x, for_weight, grad.sum(0) if ctx.needs_input_grad[2] else None


def _keep_both(ctx, x, weight, bias):
    ctx.save_for_backward(x, weight)
    return _product(x, weight, bias)


@believes("Both factors are always saved", about="linear")
def keeps_both(x, weight, bias=None):
    """x is needed only for the gradient of weight, and weight for that of x: look at ctx.needs_input_grad."""

    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        needs = ctx.needs_input_grad
        for_x = grad @ weight if needs[0] else None
        return for_x, grad.mT @ x if needs[1] else None, grad.sum(0) if needs[2] else None

    return own(_keep_both, backward, x, weight, bias)


@believes("Computing a gradient that is not needed costs nothing", about="linear")
def computes_both(x, weight, bias=None):
    """Autograd drops it only after it was computed: look at ctx.needs_input_grad, and return None."""

    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad @ weight, grad.mT @ x, grad.sum(0) if ctx.needs_input_grad[2] else None

    return own(_keep_both, backward, x, weight, bias)


@believes("Arguments that require grad are saved", about="linear")
def keeps_what_requires_grad(x, weight, bias=None):
    """It is the other way round: x is saved for the gradient of weight, and weight for that of x."""

    def forward(ctx, x, weight, bias):
        needs = ctx.needs_input_grad
        ctx.save_for_backward(x if needs[0] else None, weight if needs[1] else None)
        return _product(x, weight, bias)

    return own(forward, _backward, x, weight, bias)


@believes("All three arguments are saved", about="linear")
def keeps_the_bias(x, weight, bias=None):
    """No gradient needs the bias."""

    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight, bias)
        return _product(x, weight, bias)

    def backward(ctx, grad):
        x, weight, _ = ctx.saved_tensors
        needs = ctx.needs_input_grad
        for_x = grad @ weight if needs[0] else None
        return for_x, grad.mT @ x if needs[1] else None, grad.sum(0) if needs[2] else None

    return own(forward, backward, x, weight, bias)


@believes("The gradient of the bias is the mean over the rows", about="linear")
def averages_for_the_bias(x, weight, bias=None):
    """The bias is added to each row, so the incoming gradients are summed over the rows."""

    def backward(ctx, grad):
        for_x, for_weight, for_bias = _backward(ctx, grad)
        return for_x, for_weight, None if for_bias is None else for_bias / max(len(grad), 1)

    return own(_forward, backward, x, weight, bias)


@believes("The gradient of the weight is the mean over the rows", about="linear")
def averages_for_the_weight(x, weight, bias=None):
    """Each row uses the weight, so its gradients are summed over the rows; only the loss may be a mean."""

    def backward(ctx, grad):
        for_x, for_weight, for_bias = _backward(ctx, grad)
        return for_x, None if for_weight is None else for_weight / max(len(grad), 1), for_bias

    return own(_forward, backward, x, weight, bias)


@believes("There is always a bias", about="linear")
def needs_a_bias(x, weight, bias=None):
    """It may be None."""

    def forward(ctx, x, weight, bias):
        needs = ctx.needs_input_grad
        ctx.save_for_backward(x if needs[1] else None, weight if needs[0] else None)
        return x @ weight.mT + bias

    return own(forward, _backward, x, weight, bias)


@believes("Without rows the gradient is None", about="linear")
def gives_none_without_rows(x, weight, bias=None):
    """It is a tensor of zeros."""

    def backward(ctx, grad):
        return _backward(ctx, grad) if len(grad) else (None, None, None)

    return own(_forward, backward, x, weight, bias)


@believes("Arguments may be kept as ctx.x", about="linear")
def keeps_arguments_on_ctx(x, weight, bias=None):
    """Autograd neither frees them nor checks whether they were changed: use save_for_backward."""

    def forward(ctx, x, weight, bias):
        needs = ctx.needs_input_grad
        ctx.x, ctx.weight = x if needs[1] else None, weight if needs[0] else None
        return _product(x, weight, bias)

    def backward(ctx, grad):
        for_x = None if ctx.weight is None else grad @ ctx.weight
        for_weight = None if ctx.x is None else grad.mT @ ctx.x
        return for_x, for_weight, grad.sum(0) if ctx.needs_input_grad[2] else None

    return own(forward, backward, x, weight, bias)


@believes("A view or a copy of x may be saved", about="linear")
def detaches_x(x, weight, bias=None):
    """forward records nothing, so to a second derivative it is a constant: save x itself, or refuse."""

    def forward(ctx, x, weight, bias):
        needs = ctx.needs_input_grad
        ctx.save_for_backward(x.detach() if needs[1] else None, weight if needs[0] else None)
        return _product(x, weight, bias)

    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        for_weight = None if x is None else grad.mT @ x.detach()
        return None if weight is None else grad @ weight, for_weight, grad.sum(0) if ctx.needs_input_grad[2] else None

    return own(forward, backward, x, weight, bias)


@believes("A view or a copy of the weight may be saved", about="linear")
def detaches_the_weight(x, weight, bias=None):
    """forward records nothing, so to a second derivative it is a constant: save weight itself, or refuse."""

    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        for_weight = None if x is None else grad.mT @ x
        for_x = None if weight is None else grad @ weight.detach()
        return for_x, for_weight, grad.sum(0) if ctx.needs_input_grad[2] else None

    return own(_forward, backward, x, weight, bias)


@believes("A view or a copy of the weight may be saved", about="linear")
def saves_a_transposed_weight(x, weight, bias=None):
    """forward records nothing, so to a second derivative it is a constant: save weight itself, or refuse."""

    def forward(ctx, x, weight, bias):
        needs, turned = ctx.needs_input_grad, weight.t()
        ctx.save_for_backward(x if needs[1] else None, turned if needs[0] else None)
        product = x @ turned
        return product if bias is None else product + bias

    def backward(ctx, grad):
        x, turned = ctx.saved_tensors
        for_x = None if turned is None else grad @ turned.t()
        for_weight = None if x is None else grad.t() @ x
        return for_x, for_weight, grad.sum(0) if ctx.needs_input_grad[2] else None

    return own(forward, backward, x, weight, bias)


@believes("F.linear may be called", about="linear")
def calls_f_linear(x, weight, bias=None):
    """It gives the right result, but the node is torch's: write a Function of your own."""
    return F.linear(x, weight, bias)


@believes("Calling a Function on the result of F.linear is enough", about="linear")
def wraps_f_linear(x, weight, bias=None):
    """torch's node is still behind it: compute inside forward."""
    return Passing.apply(F.linear(x, weight, bias))


@believes("Only x and weight have gradients", about="linear")
def forgets_the_bias(x, weight, bias=None):
    """bias has one as well: the sum of the incoming gradient over the rows."""

    def backward(ctx, grad):
        return *_backward(ctx, grad)[:2], None

    return own(_forward, backward, x, weight, bias)


@believes("The incoming gradient is all ones", about="linear")
def takes_the_gradient_for_ones(x, weight, bias=None):
    """It is so only for a sum: multiply by it."""

    def backward(ctx, grad):
        return _backward(ctx, torch.ones_like(grad))

    return own(_forward, backward, x, weight, bias)
