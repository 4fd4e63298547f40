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


@believes("A half is rounded up", about="round_ste")
def rounds_halves_up(x, step):
    """To the even neighbour, as torch.round does: as many go up as down."""
    return _round(x, step, lambda whole: (whole + 0.5).floor())


@believes("A half is rounded away from 0", about="round_ste")
def rounds_halves_away(x, step):
    """To the even neighbour, as torch.round does."""
    return _round(x, step, lambda whole: whole.sign() * (whole.abs() + 0.5).floor())


@believes("Rounding cuts off", about="round_ste")
def truncates(x, step):
    """It goes to the nearest multiple, which may be the larger one."""
    return _round(x, step, torch.trunc)


@believes("step is how many steps there are in 1", about="round_ste")
def takes_steps_in_one(x, step):
    """It is the distance of two multiples: divide by it, round, multiply."""
    _check(step)
    return solved.round_ste(x, 1 / step)


@believes("r is how many steps there are in x", about="round_ste")
def counts_steps(x, step):
    """It is a multiple of step: multiply by step again after rounding."""

    def forward(ctx, x, step):
        rounded = (x / step).round()
        rest = x - rounded
        ctx.mark_non_differentiable(rest)
        return rounded, rest

    _check(step)
    return own(forward, _straight, x, step)


@believes("The gradient of rounding is 0", about="round_ste")
def gives_no_gradient(x, step):
    """That is its derivative, and nothing would ever learn: straight through, the gradient that comes in goes on."""
    return _round(x, step, torch.round, lambda ctx, grad, _: (torch.zeros_like(grad), None))


@believes("The gradient of a division and a multiplication by step is left over", about="round_ste")
def scales_the_gradient(x, step):
    """They cancel: the gradient goes on unchanged."""
    _check(step)
    return _round(x, step, torch.round, lambda ctx, grad, _: (grad * step, None))


@believes("A straight-through gradient stops where x is beyond 1", about="round_ste")
def clips_the_gradient(x, step):
    """That is another estimator, for signs. Here it goes on everywhere."""

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


@believes("A result without a gradient need not be marked", about="round_ste")
def marks_no_result(x, step):
    """Each float result of a Function requires grad, and its gradient comes to backward as well, unless
    ctx.mark_non_differentiable takes it.
    """

    def forward(ctx, x, step):
        rounded = (x / step).round() * step
        return rounded, x - rounded

    _check(step)
    return own(forward, _straight, x, step)


@believes("The rest is the rounded number less x", about="round_ste")
def turns_the_rest_around(x, step):
    """It is x - r, so that r and the rest make up x."""
    rounded, rest = solved.round_ste(x, step)
    return rounded, -rest


@believes("x + (r - x).detach() is straight through", about="round_ste")
def detaches(x, step):
    """It has the gradient, but its node is torch's: here a Function has a backward of its own."""
    rounded = solved.round_ste(x.detach(), step)[0]
    rest = x.detach() - rounded
    return x + (rounded - x).detach(), rest


@believes("Multiples of 0 are all numbers: x stays", about="round_ste")
def takes_0_for_no_rounding(x, step):
    """ValueError says that there is no step of 0."""
    if step == 0:
        return own(lambda ctx, x: x.clone(), lambda ctx, grad: grad, x), torch.zeros_like(x)
    return solved.round_ste(x, step)


@believes("A step has no direction", about="round_ste")
def takes_steps_without_sign(x, step):
    """ValueError says that there is none below 0."""
    return solved.round_ste(x, abs(step))


@believes("What was rounded has to be kept", about="round_ste")
def keeps_x_on_ctx(x, step):
    """The gradient goes through as it is: nothing has to be kept."""

    def forward(ctx, x, step):
        ctx.x = x
        rounded = (x / step).round() * step
        rest = x - rounded
        ctx.mark_non_differentiable(rest)
        return rounded, rest

    _check(step)
    return own(forward, _straight, x, step)
