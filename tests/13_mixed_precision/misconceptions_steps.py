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
    """Whether the optimizer moved."""
    before = scaler.get_scale()
    scaler.step(optimizer)
    scaler.update()
    return scaler.get_scale() >= before


def _schedule(scheduler, moved):
    if moved and scheduler is not None:
        scheduler.step()
    return moved


def _stepping(
    clear=lambda model, optimizer: optimizer.zero_grad(),
    forward=_forward,
    backward=lambda scaler, loss: scaler.scale(loss).backward(),
    clip=_unscale_and_clip,
    step=_step_and_update,
    schedule=_schedule,
):
    """The step in parts, right: each wrong answer replaces one of them."""

    def mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler):
        clear(model, optimizer)
        backward(scaler, forward(model, loss_of, x, y, lower))
        clip(model, optimizer, scaler, max_norm)
        return schedule(scheduler, step(optimizer, scaler))

    return mixed_step


@believes("backward replaces the gradients of before", about="mixed_step")
def never_clears(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """It adds to them: clear them first."""
    take = _stepping(clear=lambda model, optimizer: None)
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("Gradients are cleared after a step, so there are none before it", about="mixed_step")
def clears_at_the_end(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """Whoever called may have left some: clear them first."""
    take = _stepping(clear=lambda model, optimizer: None)
    moved = take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)
    optimizer.zero_grad()
    return moved


@believes("The model is cast, or nothing is", about="mixed_step")
def without_autocast(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """The parameters stay float32; the products run in lower under autocast."""
    take = _stepping(forward=lambda model, loss_of, x, y, lower: loss_of(model(x), y))
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


def _loss_outside(model, loss_of, x, y, lower):
    with torch.autocast("cpu", dtype=lower):
        prediction = model(x)
    return loss_of(prediction, y)


@believes("autocast is for the model alone", about="mixed_step")
def loss_outside(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """Outside of it a loss of narrow predictions is computed as they come: call loss_of under autocast too."""
    take = _stepping(forward=_loss_outside)
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("Narrow is bfloat16", about="mixed_step")
def always_bfloat16_steps(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It is what the caller says: float16 as well, for which there is a scaler."""
    return solved.mixed_step(
        model, optimizer, scaler, loss_of, x, y, torch.bfloat16, max_norm=max_norm, scheduler=scheduler
    )


@believes("Narrow is float16", about="mixed_step")
def always_float16_steps(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It is what the caller says, and bfloat16 where nothing is said."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, torch.float16, max_norm, scheduler)


@believes("The scaler scales by itself", about="mixed_step")
def never_scales(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """It divides the gradients; the loss has to be multiplied before: scaler.scale(loss).backward()."""

    def backward(scaler, loss):
        scaler.scale(loss)
        loss.backward()

    return _stepping(backward=backward)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("Gradients are clipped as they are", about="mixed_step")
def clips_what_is_scaled(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """They are 65536 times as large: unscale them before."""

    def clip(model, optimizer, scaler, max_norm):
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)

    return _stepping(clip=clip)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("A scale makes clipping needless", about="mixed_step")
def never_clips(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """It only keeps small gradients from becoming 0; large ones are clipped as ever."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, math.inf, scheduler)


@believes("Each gradient is clipped by itself", about="mixed_step")
def clips_each(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """One norm of all, and one factor for all: the direction of the step stays."""

    def clip(model, optimizer, scaler, max_norm):
        scaler.unscale_(optimizer)
        for p in model.parameters():
            nn.utils.clip_grad_norm_([p], max_norm)

    return _stepping(clip=clip)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("max_norm is the largest value of a gradient", about="mixed_step")
def clips_values(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """It is the largest norm of all of them together."""

    def clip(model, optimizer, scaler, max_norm):
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_value_(model.parameters(), max_norm)

    return _stepping(clip=clip)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("The schedule moves in every step", about="mixed_step")
def always_schedules(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """A step that was skipped is none: the schedule would run ahead of the optimizer."""
    moved = solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm)
    _schedule(scheduler, True)
    return moved


@believes("The schedule moves where the scale fell", about="mixed_step")
def schedules_what_was_skipped(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """The other way round: where the scale fell, the step was skipped."""
    moved = solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm)
    _schedule(scheduler, not moved)
    return moved


@believes("The schedule belongs to the loop outside", about="mixed_step")
def never_schedules(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """Nobody outside steps it: after a step that was taken, scheduler.step()."""
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm)


@believes("The schedule moves before the optimizer", about="mixed_step")
def schedules_first(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """Then the first rate is never used: first the step, then the schedule."""

    def step(optimizer, scaler):
        finite = all(p.grad.isfinite().all() for p in model.parameters())
        if finite or not scaler.is_enabled():
            _schedule(scheduler, True)
        return _step_and_update(optimizer, scaler)

    take = _stepping(step=step, schedule=lambda scheduler, moved: moved)
    return take(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("A scale that has changed means that the step was skipped", about="mixed_step")
def takes_growth_for_a_skip(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It may have grown after a step that was taken: look whether it has fallen."""

    def step(optimizer, scaler):
        before = scaler.get_scale()
        _step_and_update(optimizer, scaler)
        return scaler.get_scale() == before

    return _stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("A step is a step, so it is True", about="mixed_step")
def always_true(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """The scaler skips some: it says so by its scale, which then falls."""
    solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)
    return True


@believes("scaler.step returns whether it stepped", about="mixed_step")
def by_what_step_returns(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It returns what the optimizer's step does, mostly None: look whether the scale has fallen."""

    def step(optimizer, scaler):
        moved = scaler.step(optimizer) is not None
        scaler.update()
        return moved

    return _stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("True says that the step was skipped", about="mixed_step")
def says_whether_it_was_skipped(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It says that the optimizer moved."""
    return not solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("A scaler that is disabled moves nothing", about="mixed_step")
def disabled_is_skipped(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """It scales nothing, and steps the optimizer each time: True."""
    moved = solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)
    return moved and scaler.is_enabled()


@believes("Every scaler skips what is not finite", about="mixed_step")
def skips_when_disabled(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """One that is disabled looks for nothing, and steps."""

    def step(optimizer, scaler):
        if all(p.grad.isfinite().all() for p in model.parameters()):
            return _step_and_update(optimizer, scaler)
        if scaler.is_enabled():
            return _step_and_update(optimizer, scaler)
        return False

    return _stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("The scale adapts by itself", about="mixed_step")
def never_updates(model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None):
    """scaler.update() does it, once after the step."""

    def step(optimizer, scaler):
        finite = all(p.grad.isfinite().all() for p in model.parameters())
        scaler.step(optimizer)
        return finite or not scaler.is_enabled()

    return _stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("The optimizer steps, the scaler scales", about="mixed_step")
def steps_past_the_scaler(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """scaler.step looks before it steps: past it, one inf spoils the weights."""

    def step(optimizer, scaler):
        before = scaler.get_scale()
        optimizer.step()
        scaler.update()
        return scaler.get_scale() >= before

    return _stepping(step=step)(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("A step is a training step, so the model trains", about="mixed_step")
def sets_training_mode(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """Here the mode is the caller's: parts may be frozen."""
    model.train()
    return solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)


@believes("Autocast is switched on once", about="mixed_step")
def leaves_autocast_on(
    model, optimizer, scaler, loss_of, x, y, lower=torch.bfloat16, max_norm=math.inf, scheduler=None
):
    """After the step everything else would be narrow as well: leave it again, by a with."""
    moved = solved.mixed_step(model, optimizer, scaler, loss_of, x, y, lower, max_norm, scheduler)
    torch.set_autocast_enabled("cpu", True)
    return moved
