"""Wrong answers to kata 21 that no belief in misconceptions.py explains."""

import torch

from dojo.judging.diagnose import answers, solution

from .making import made

solved = solution("21_autograd_functions")


def _scaled(base, number, places):
    """The Function with the gradients of these places multiplied."""

    def backward(ctx, *grads):
        found = base.backward(ctx, *grads)
        found = found if isinstance(found, tuple) else (found,)
        return tuple(g * number if place in places and g is not None else g for place, g in enumerate(found))

    return made(base.forward, backward)


@answers("relu")
def leaks(x):
    """A tenth of what is below 0 comes out."""

    def forward(ctx, x):
        ctx.save_for_backward(x > 0)
        return torch.nn.functional.leaky_relu(x, 0.1)

    def backward(ctx, grad):
        return grad * torch.where(ctx.saved_tensors[0], 1.0, 0.1).to(grad.dtype)

    return made(forward, backward).apply(x)


@answers("relu_")
def doubles_what_stays(x):
    """And its gradient."""
    solved.relu_(x)
    with torch.no_grad():
        return x.mul_(2)


@answers("round_ste")
def rounds_to_double_steps(x, step):
    """Every second multiple."""
    return solved.round_ste(x, 2 * step)


@answers("linear")
def triples_the_gradient_of_weight(x, weight, bias=None):
    """For one third of the learning rate."""
    return _scaled(solved._Linear, 3.0, (1,)).apply(x, weight, bias)


@answers("swiglu")
def halves_the_gradient_of_the_gate(gate, up):
    """Since up has the other half."""
    return _scaled(solved._Swiglu, 0.5, (0,)).apply(gate, up)


@answers("rms_norm")
def adds_a_large_eps(x, weight, eps=1e-6):
    """Ten times as much."""
    return solved.rms_norm(x, weight, 10 * eps)


@answers("cross_entropy")
def halves_the_temperature(logits, targets, ignore_index=-100):
    """Half of each logit."""
    return solved.cross_entropy(logits / 2, targets, ignore_index)


@answers("linear_cross_entropy")
def doubles_the_gradient_of_x(x, weight, targets, rows):
    """It is used twice."""
    if rows < 1 or len(x) < 1:
        raise ValueError("no rows")
    return _scaled(solved._LinearCrossEntropy, 2.0, (0,)).apply(x, weight, targets, rows)


@answers("define_swiglu")
def squares_the_gate(name):
    """And has the gradients of what it should be."""

    def kernel(gate, up):
        if gate.shape != up.shape:
            raise ValueError("gate and up differ")
        return gate * gate * up

    op = torch.library.custom_op(name, kernel, mutates_args=(), schema="(Tensor gate, Tensor up) -> Tensor")
    op.register_fake(kernel)
    op.register_autograd(
        lambda ctx, grad: solved._swiglu_backward(grad, *ctx.saved_tensors),
        setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
    )
    return op
