"""Wrong answers that people give to kata 13 about one whole step in mixed precision."""

import math

import torch
from torch import nn

from dojo.judging.diagnose import believes, solution

solved = solution("13_mixed_precision")


def _forward(model, loss_of, x, y, lower):
    with torch.autocast("cpu", dtype=lower):
        return loss_of(model(x), y)


def _unscale_and_clip(model, optimizer, scaler, max_norm):
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)


def _step_and_update(optimizer, scaler):
    """Return whether the optimizer moved."""
    before = scaler.get_scale()
    scaler.step(optimizer)
    scaler.update()
    return scaler.get_scale() >= before


def _schedule(scheduler, moved):
    if moved and scheduler is not None:
        scheduler.step()
    return moved


def stepping(
    clear=lambda model, optimizer: optimizer.zero_grad(),
    forward=_forward,
    backward=lambda scaler, loss: scaler.scale(loss).backward(),
    clip=_unscale_and_clip,
    step=_step_and_update,
    schedule=_schedule,
):
    """Return the step in parts, all right: each wrong answer replaces one of them."""

    def mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler):
        clear(model, optimizer)
        backward(scaler, forward(model, loss_of, x, y, lower))
        clip(model, optimizer, scaler, max_norm)
        return schedule(scheduler, step(optimizer, scaler))

    return mixed_step


@believes("backward replaces the gradients from before", about="mixed_step")
def never_clears(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """backward adds to them: clear them first."""
    take = stepping(clear=lambda model, optimizer: None)
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("Gradients are cleared after a step, so there are none before it", about="mixed_step")
def clears_at_the_end(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """Before the first step, the model may already have gradients: clear them first."""
    take = stepping(clear=lambda model, optimizer: None)
    moved = take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)
    optimizer.zero_grad()
    return moved


@believes("The model runs in the dtype of its parameters", about="mixed_step")
def without_autocast(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """The parameters stay float32; under autocast, the products run in lower."""
    take = stepping(forward=lambda model, loss_of, x, y, lower: loss_of(model(x), y))
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


def _loss_outside(model, loss_of, x, y, lower):
    with torch.autocast("cpu", dtype=lower):
        prediction = model(x)
    return loss_of(prediction, y)


@believes("Only the model runs under autocast", about="mixed_step")
def loss_outside(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """Outside, a loss of narrow predictions is computed in their dtype: call loss_of under autocast too."""
    take = stepping(forward=_loss_outside)
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("The narrow dtype is bfloat16", about="mixed_step")
def always_bfloat16_steps(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It is lower, which may also be float16."""
    return solved.mixed_step(
        model, optimizer, scaler, loss_of, x, y, torch.bfloat16, max_norm=max_norm, scheduler=scheduler
    )


@believes("The narrow dtype is float16", about="mixed_step")
def always_float16_steps(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It is lower, which is bfloat16 by default."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, torch.float16, max_norm, scheduler)


@believes("The scaler scales automatically", about="mixed_step")
def never_scales(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """step only divides the gradients; the loss has to be multiplied first: scaler.scale(loss).backward()."""

    def backward(scaler, loss):
        scaler.scale(loss)
        loss.backward()

    return stepping(backward=backward)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("Gradients are clipped before they are unscaled", about="mixed_step")
def clips_what_is_scaled(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """Scaled gradients may be 65536 times too large: call scaler.unscale_(optimizer) before clipping."""

    def clip(model, optimizer, scaler, max_norm):
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)

    return stepping(clip=clip)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("With a scaler, there is no need to clip", about="mixed_step")
def never_clips(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """A scale only keeps small gradients from becoming 0; the norm is clipped as usual."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, math.inf, scheduler)


@believes("Each gradient is clipped to max_norm by itself", about="mixed_step")
def clips_each(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """All gradients share one norm and one factor, so that the direction of the step stays the same."""

    def clip(model, optimizer, scaler, max_norm):
        scaler.unscale_(optimizer)
        for p in model.parameters():
            nn.utils.clip_grad_norm_([p], max_norm)

    return stepping(clip=clip)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


def _clip_groups(model, optimizer, scaler, max_norm):
    scaler.unscale_(optimizer)
    for group in optimizer.param_groups:
        nn.utils.clip_grad_norm_(group["params"], max_norm)


@believes("Each group of the optimizer is clipped by itself", about="mixed_step")
def clips_each_group(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """The norm is that of all gradients together: pass all parameters to clip_grad_norm_ at once."""
    step = stepping(clip=_clip_groups)
    return step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


def _clip_the_first(model, optimizer, scaler, max_norm):
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], max_norm)


@believes("An optimizer has one group", about="mixed_step")
def clips_the_first_group(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It may have several: clip the gradients of all parameters of the model."""
    step = stepping(clip=_clip_the_first)
    return step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("max_norm is the limit of each element", about="mixed_step")
def clips_values(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """It is the limit of the norm of all gradients together."""

    def clip(model, optimizer, scaler, max_norm):
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_value_(model.parameters(), max_norm)

    return stepping(clip=clip)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("The scheduler is stepped in every step", about="mixed_step")
def always_schedules(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """If the optimizer's step was skipped, the scheduler is not stepped: it would run ahead of the optimizer."""
    moved = solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm)
    _schedule(scheduler, True)
    return moved


@believes("The scheduler is stepped when the scale fell", about="mixed_step")
def schedules_what_was_skipped(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It is the other way round: if the scale fell, the step was skipped."""
    moved = solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm)
    _schedule(scheduler, not moved)
    return moved


@believes("The scheduler is stepped elsewhere", about="mixed_step")
def never_schedules(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """No other code steps it: call scheduler.step() after a step that was taken."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm)


@believes("The scheduler is stepped before the optimizer", about="mixed_step")
def schedules_first(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """Then the first learning rate would never be used: step the scheduler after the optimizer."""

    def step(optimizer, scaler):
        finite = all(p.grad.isfinite().all() for p in model.parameters())
        if finite or not scaler.is_enabled():
            _schedule(scheduler, True)
        return _step_and_update(optimizer, scaler)

    take = stepping(step=step, schedule=lambda scheduler, moved: moved)
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("A scale that has changed means that the step was skipped", about="mixed_step")
def takes_growth_for_a_skip(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """The scale may have grown after a step that was taken: check whether it has fallen."""

    def step(optimizer, scaler):
        before = scaler.get_scale()
        _step_and_update(optimizer, scaler)
        return scaler.get_scale() == before

    return stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("The result is always True", about="mixed_step")
def always_true(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """The scaler skips some steps: then its scale falls, and the result is False."""
    solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)
    return True


@believes("scaler.step returns whether it stepped", about="mixed_step")
def by_what_step_returns(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It returns what the optimizer's step returns, mostly None: check whether the scale has fallen."""

    def step(optimizer, scaler):
        moved = scaler.step(optimizer) is not None
        scaler.update()
        return moved

    return stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("True means that the step was skipped", about="mixed_step")
def says_whether_it_was_skipped(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """True means that the optimizer moved."""
    return not solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("With a disabled scaler, the result is False", about="mixed_step")
def disabled_is_skipped(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """A disabled scaler always steps the optimizer, so the result is True."""
    moved = solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)
    return moved and scaler.is_enabled()


@believes("A disabled scaler still skips steps with inf or nan", about="mixed_step")
def skips_when_disabled(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It does not look for them, and always steps the optimizer."""

    def step(optimizer, scaler):
        if all(p.grad.isfinite().all() for p in model.parameters()):
            return _step_and_update(optimizer, scaler)
        if scaler.is_enabled():
            return _step_and_update(optimizer, scaler)
        return False

    return stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("The scale adapts automatically", about="mixed_step")
def never_updates(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """scaler.update() adapts it, once after the step."""

    def step(optimizer, scaler):
        finite = all(p.grad.isfinite().all() for p in model.parameters())
        scaler.step(optimizer)
        return finite or not scaler.is_enabled()

    return stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("The optimizer is stepped directly", about="mixed_step")
def steps_past_the_scaler(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """scaler.step checks the gradients before the optimizer moves: without that, one inf spoils the weights."""

    def step(optimizer, scaler):
        before = scaler.get_scale()
        optimizer.step()
        scaler.update()
        return scaler.get_scale() >= before

    return stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("The model has to be put into training mode", about="mixed_step")
def sets_training_mode(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """The mode is up to the caller: parts of the model may be in eval mode."""
    model.train()
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("Autocast may stay on after the step", about="mixed_step")
def leaves_autocast_on(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """Then everything else would be narrow too: use a with block, which ends it."""
    moved = solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)
    torch.set_autocast_enabled("cpu", True)
    return moved
