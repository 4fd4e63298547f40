"""Wrong answers that people give to kata 13 about what a whole step is given, what it clears, and what it says."""

import math

import torch

from dojo.judging.diagnose import believes, solution

from .misconceptions_steps import stepping

solved = solution("13_mixed_precision")


def _taken_if(took):
    """A step that tells by the scales before and after it whether it was taken."""

    def step(optimizer, scaler):
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        return took(before, scaler.get_scale())

    return step


@believes("The data have to be float32", about="mixed_step")
def casts_the_data(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """x may be narrow, and y may hold ints, such as classes: pass them on as they are, since autocast casts."""
    return solved.mixed_step(
        model, optimizer, scaler, loss_of, x.float(), y.float(), lower, max_norm, scheduler=scheduler
    )


@believes("The data never need gradients", about="mixed_step")
def detaches_the_data(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """x may have been computed by another model, or be trained itself: pass it on as it is."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x.detach(), y, lower, max_norm, scheduler)


@believes("A scale that is halved means that the step was skipped, and no other scale does", about="mixed_step")
def looks_for_half(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """backoff_factor may be another one: check whether the scale has fallen."""
    step = _taken_if(lambda before, after: after != before / 2)
    return stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("A skipped step lowers the scale to half or less", about="mixed_step")
def looks_for_half_or_less(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """backoff_factor may be 0.75 as well: check whether the scale has fallen at all."""
    step = _taken_if(lambda before, after: after > before / 2)
    return stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes(
    "A scale that was doubled or stayed means that the step was taken, and no other scale does", about="mixed_step"
)
def looks_for_double(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """growth_factor may be another one: check whether the scale has fallen."""
    step = _taken_if(lambda before, after: after in (before, 2 * before))
    return stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("A scaler with a scale of 1 is disabled", about="mixed_step")
def takes_1_for_disabled(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """An enabled scaler may have a scale of 1, and skips steps: check whether the scale has fallen."""
    step = _taken_if(lambda before, after: before == 1 or after >= before)
    return stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("A frozen parameter has no gradient to clear", about="mixed_step")
def clears_what_is_trained(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It may have one from before it was frozen, and the optimizer would still use it: clear all gradients."""

    def clear(model, optimizer):
        for p in model.parameters():
            if p.requires_grad:
                p.grad = None

    return stepping(clear=clear)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("A norm of inf is not clipped", about="mixed_step")
def clips_finite_norms(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """clip_grad_norm_ multiplies by max_norm / norm, which is 0 then; a disabled scaler takes that step."""

    def clip(model, optimizer, scaler, max_norm):
        scaler.unscale_(optimizer)
        gradients = [p.grad for p in model.parameters() if p.grad is not None]
        if torch.nn.utils.get_total_norm(gradients).isfinite():
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)

    return stepping(clip=clip)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)
