"""Wrong answers that people give to kata 21 about rounding with a straight-through gradient."""

import torch

from dojo.judging.diagnose import believes, solution

from .making import own

solved = solution("21_autograd_functions")

# round_ste


def _straight(ctx, grad, _):
    return grad, None


def _check(step):
    if step <= 0:
        raise ValueError(f"a step of {step}")


def _round(x, step, to_whole, backward=_straight):
    def forward(ctx, x, step):
        rounded = to_whole(x / step) * step
        rest = x - rounded
        ctx.mark_non_differentiable(rest)
        return rounded, rest

    _check(step)
    return own(forward, backward, x, step)


@believes("Halves are rounded up", about="round_ste")
def rounds_halves_up(x, step):
    """They go to the even multiple, as in torch.round: as many go up as down."""
    return _round(x, step, lambda whole: (whole + 0.5).floor())


@believes("Halves are rounded away from 0", about="round_ste")
def rounds_halves_away(x, step):
    """They go to the even multiple, as in torch.round."""
    return _round(x, step, lambda whole: whole.sign() * (whole.abs() + 0.5).floor())


@believes("Rounding truncates", about="round_ste")
def truncates(x, step):
    """It goes to the nearest multiple, which may be the next larger one."""
    return _round(x, step, torch.trunc)


@believes("step is the number of multiples between 0 and 1", about="round_ste")
def takes_steps_in_one(x, step):
    """It is the distance between two multiples: divide by it, round, and multiply."""
    _check(step)
    return solved.round_ste(x, 1 / step)


@believes("r is x / step, rounded", about="round_ste")
def counts_steps(x, step):
    """r is a multiple of step: multiply by step again after rounding."""

    def forward(ctx, x, step):
        rounded = (x / step).round()
        rest = x - rounded
        ctx.mark_non_differentiable(rest)
        return rounded, rest

    _check(step)
    return own(forward, _straight, x, step)


@believes("The gradient of rounding is 0", about="round_ste")
def gives_no_gradient(x, step):
    """That is its derivative, with which nothing would be learned: straight through, the gradient goes on unchanged."""
    return _round(x, step, torch.round, lambda ctx, grad, _: (torch.zeros_like(grad), None))


@believes("The gradient of r is multiplied by step", about="round_ste")
def scales_the_gradient(x, step):
    """The division and the multiplication cancel: the gradient goes on unchanged."""
    _check(step)
    return _round(x, step, torch.round, lambda ctx, grad, _: (grad * step, None))


@believes("The gradient of r is divided by step", about="round_ste")
def divides_the_gradient(x, step):
    """It goes on unchanged: the division by step and the product with it cancel out."""
    return _round(x, step, torch.round, lambda ctx, grad, _: (grad / step, None))


@believes("The gradient is 0 where |x| is above 1", about="round_ste")
def clips_the_gradient(x, step):
    """Another straight-through estimator, for signs, does that. Here the gradient goes on everywhere."""

    def forward(ctx, x, step):
        ctx.save_for_backward(x)
        rounded = (x / step).round() * step
        rest = x - rounded
        ctx.mark_non_differentiable(rest)
        return rounded, rest

    def backward(ctx, grad, _):
        return grad * (ctx.saved_tensors[0].abs() <= 1), None

    _check(step)
    return own(forward, backward, x, step)


@believes("The second result need not be marked", about="round_ste")
def marks_no_result(x, step):
    """Each float result of a Function requires grad unless ctx.mark_non_differentiable is called on it."""

    def forward(ctx, x, step):
        rounded = (x / step).round() * step
        return rounded, x - rounded

    _check(step)
    return own(forward, _straight, x, step)


@believes("The second result is r - x", about="round_ste")
def turns_the_rest_around(x, step):
    """It is x - r, so that both results add up to x."""
    rounded, rest = solved.round_ste(x, step)
    return rounded, -rest


@believes("x + (r - x).detach() may be returned", about="round_ste")
def detaches(x, step):
    """It has the right gradient, but its node is torch's: write a Function of your own."""
    rounded = solved.round_ste(x.detach(), step)[0]
    rest = x.detach() - rounded
    return x + (rounded - x).detach(), rest


@believes("With a step of 0, x is not rounded", about="round_ste")
def takes_0_for_no_rounding(x, step):
    """There are no multiples to round to: raise ValueError."""
    if step == 0:
        return own(lambda ctx, x: x.clone(), lambda ctx, grad: grad, x), torch.zeros_like(x)
    return solved.round_ste(x, step)


@believes("The sign of step does not matter", about="round_ste")
def takes_steps_without_sign(x, step):
    """A step below 0 is refused: raise ValueError."""
    return solved.round_ste(x, abs(step))


@believes("x has to be kept", about="round_ste")
def keeps_x_on_ctx(x, step):
    """The gradient goes on unchanged: nothing has to be kept."""

    def forward(ctx, x, step):
        ctx.x = x
        rounded = (x / step).round() * step
        rest = x - rounded
        ctx.mark_non_differentiable(rest)
        return rounded, rest

    _check(step)
    return own(forward, _straight, x, step)
