"""Wrong answers that people give to kata 21 about swiglu."""

import torch
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from dojo.judging.diagnose import believes, solution

from .making import Passing, own

solved = solution("21_autograd_functions")

# swiglu


def _forward(ctx, gate, up):
    ctx.save_for_backward(gate, up)
    return gate * gate.sigmoid() * up


def _by(slope):
    """A backward whose derivative of silu is this one."""

    def backward(ctx, grad):
        gate, up = ctx.saved_tensors
        return grad * up * slope(gate), grad * gate * gate.sigmoid()

    return backward


def _slope(gate):
    share = gate.sigmoid()
    return share + gate * share * (1 - share)


def _keep_three(ctx, gate, up):
    silu = gate * gate.sigmoid()
    ctx.save_for_backward(gate, up, silu)
    return silu * up


def _use_three(ctx, grad):
    gate, up, silu = ctx.saved_tensors
    return grad * up * _slope(gate), grad * silu


@believes("silu(gate) is saved beside gate and up", about="swiglu")
def keeps_three(gate, up):
    """It can be computed again from gate, at little cost."""
    return own(_keep_three, _use_three, gate, up)


@believes("silu(gate) is saved beside gate and up", about="swiglu")
def keeps_three_and_refuses(gate, up):
    """It can be computed again from gate, at little cost."""
    return own(_keep_three, once_differentiable(_use_three), gate, up)


@believes("A saved sigmoid is as good as one computed again", about="swiglu")
def keeps_the_sigmoid_beside(gate, up):
    """It takes as much memory as gate, and to a second backward pass it is a constant: compute it again from gate."""

    def forward(ctx, gate, up):
        share = gate.sigmoid()
        ctx.save_for_backward(gate, up, share)
        return gate * share * up

    def backward(ctx, grad):
        gate, up, share = ctx.saved_tensors
        return grad * up * (share + gate * share * (1 - share)), grad * gate * share

    return own(forward, backward, gate, up)


@believes("What the backward pass computes again needs no graph", about="swiglu")
def recomputes_without_a_graph(gate, up):
    """To a second pass it is a function of gate: compute it where gradients are recorded, or refuse."""

    def backward(ctx, grad):
        gate, up = ctx.saved_tensors
        with torch.no_grad():
            share = gate.sigmoid()
        return grad * up * (share + gate * share * (1 - share)), grad * gate * share

    return own(_forward, backward, gate, up)


@believes("sigmoid(gate) may be saved instead of gate", about="swiglu")
def keeps_a_sigmoid(gate, up):
    """Near 0 and 1 rounding loses gate in it, and to a second pass it is a constant: save gate."""

    def forward(ctx, gate, up):
        share = gate.sigmoid()
        ctx.save_for_backward(share, up)
        return gate * share * up

    def backward(ctx, grad):
        share, up = ctx.saved_tensors
        gate = share.log() - (1 - share).log()
        return grad * up * (share + gate * share * (1 - share)), grad * gate * share

    return own(forward, backward, gate, up)


@believes("up is the result divided by silu(gate)", about="swiglu")
def divides_the_result(gate, up):
    """It is not where silu(gate) is 0: save gate and up."""

    def forward(ctx, gate, up):
        y = gate * gate.sigmoid() * up
        ctx.save_for_backward(gate, y)
        return y

    def backward(ctx, grad):
        gate, y = ctx.saved_tensors
        silu = gate * gate.sigmoid()
        return grad * y / silu * _slope(gate), grad * silu

    return own(forward, backward, gate, up)


@believes("1 / (1 + exp(-z)) never overflows", about="swiglu")
def overflows(gate, up):
    """exp(100) is inf in float32, and inf / inf in the derivative is NaN: use torch.sigmoid."""

    def slope(gate):
        e = (-gate).exp()
        return 1 / (1 + e) + gate * e / (1 + e) ** 2

    return own(_forward, _by(slope), gate, up)


@believes("The derivative of silu is sigmoid", about="swiglu")
def forgets_the_second_term(gate, up):
    """z * s(z) is a product: its derivative is s + z * s * (1 - s)."""
    return own(_forward, _by(torch.sigmoid), gate, up)


@believes("The derivative of silu is that of sigmoid", about="swiglu")
def takes_sigmoids_slope(gate, up):
    """z * s(z) is a product: its derivative is s + z * s * (1 - s)."""
    return own(_forward, _by(lambda gate: gate.sigmoid() * (1 - gate.sigmoid())), gate, up)


@believes("The gate goes through a sigmoid", about="swiglu")
def gates_by_a_sigmoid(gate, up):
    """That is GLU. In SwiGLU it goes through silu: z * sigmoid(z)."""

    def forward(ctx, gate, up):
        ctx.save_for_backward(gate, up)
        return gate.sigmoid() * up

    def backward(ctx, grad):
        gate, up = ctx.saved_tensors
        share = gate.sigmoid()
        return grad * up * share * (1 - share), grad * share

    return own(forward, backward, gate, up)


@believes("silu is applied to the second argument", about="swiglu")
def swaps(gate, up):
    """It is applied to the first one, gate."""
    return solved.swiglu(up, gate)


@believes("If gate needs no gradient, up needs none", about="swiglu")
def gives_up_with_the_gate(gate, up):
    """Either of them may be the only one that requires grad."""

    def backward(ctx, grad):
        for_gate, for_up = _by(_slope)(ctx, grad)
        return for_gate, for_up if ctx.needs_input_grad[0] else None

    return own(_forward, backward, gate, up)


_memory: dict[str, torch.Tensor] = {}


@believes("A tensor in a global does not count as kept", about="swiglu")
def keeps_it_in_a_global(gate, up):
    """It lives longer than anything that is saved, and nothing frees it: use save_for_backward."""

    def forward(ctx, gate, up):
        _memory["gate"] = gate
        ctx.save_for_backward(gate, up)
        return gate * gate.sigmoid() * up

    return own(forward, _by(_slope), gate, up)


@believes("torch's own operations may be composed", about="swiglu")
def composes(gate, up):
    """Autograd then saves three tensors: write a Function that saves two."""
    return F.silu(gate) * up


@believes("Calling a Function on the product is enough", about="swiglu")
def wraps_the_product(gate, up):
    """torch records what is computed before it: compute inside forward."""
    return Passing.apply(F.silu(gate) * up)


@believes("The gradients of a product are its factors", about="swiglu")
def forgets_to_multiply(gate, up):
    """They are the factors times the incoming gradient."""

    def backward(ctx, grad):
        return _by(_slope)(ctx, torch.ones_like(grad))

    return own(_forward, backward, gate, up)
